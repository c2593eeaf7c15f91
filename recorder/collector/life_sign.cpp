#include "recorder/collector/life_sign.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

namespace pathspool::collector {

LifeSign::LifeSign(std::atomic<std::uint32_t>& word) : word_(word) {
  thread_ = std::thread([this] { hold(); });
  held_.acquire();
}

LifeSign::~LifeSign() {
  leave_.release();
  thread_.join();
}

void LifeSign::hold() {
  robust_list entry{};
  robust_list_head head{};
  head.list.next = &entry;
  entry.next = &head.list;
  // The kernel adds this to an entry's address to get the futex's, wherever that is.
  head.futex_offset = static_cast<long>(reinterpret_cast<std::uintptr_t>(&word_) -
                                        reinterpret_cast<std::uintptr_t>(&entry));
  ::syscall(SYS_set_robust_list, &head, sizeof head);
  word_.store(static_cast<std::uint32_t>(::syscall(SYS_gettid)));
  held_.release();
  leave_.acquire();
  word_.store(0);
  // From here on the list is empty; it is on this thread's stack until the kernel has looked.
  head.list.next = &head.list;
}

}  // namespace pathspool::collector
