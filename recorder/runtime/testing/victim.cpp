// A program that the tests record: its argument says what it does.
#include "victim.h"

#include <fcntl.h>
#include <pathspool/record.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace pathspool::testing {
namespace {

void some_words() { write_numbers(1, 101); }

void slack() {
  // Less than the slack between two looks.
  for (Word round = 0; round < 20; ++round) {
    Word* cursor = look(pathspool_cursor);
    for (Word i = 0; i < wire::kSlackWords - 1; ++i) *cursor++ = number(round * 10000 + i + 1);
    pathspool_cursor = cursor;
  }
}

void many_chunks() {
  errno = 77;
  write_numbers(1, 200001);
  DEMAND(errno == 77);
}

void until_killed() {
  const int file = std::atoi(std::getenv("VICTIM_FILE"));
  auto* const written =
      static_cast<volatile Word*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  DEMAND(written != MAP_FAILED);
  Word* cursor = pathspool_cursor;
  for (Word value = 1;; ++value) {
    cursor = look(cursor);  // the cursor stays in a register
    *static_cast<volatile Word*>(cursor++) = number(value % 10'000'000 + 1);
    *written = value;
  }
}

void fork_and_leave() {
  write_numbers(1, 11);
  const pid_t child = fork();
  if (child == 0) {
    write_numbers(101, 111);
    _exit(7);
  }
  write_numbers(11, 21);
  int status = 0;
  DEMAND(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
}

void fork_and_wait() {
  write_numbers(1, 11);
  if (fork() == 0) write_numbers(101, 111);
  for (;;) pause();
}

extern "C" pid_t _Fork(void);

void fork_without_handlers() {
  write_numbers(1, 11);
  const pid_t child = _Fork();
  if (child == 0) {
    write_numbers(101, 111);
    _exit(7);
  }
  int status = 0;
  DEMAND(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
}

void fork_in_thread() {
  write_numbers(1, 3);
  std::thread thread([] {
    write_numbers(1001, 1003);
    fork_and_leave();
  });
  thread.join();
}

void fork_unregistered() {
  const pid_t child = fork();
  if (child == 0) {
    write_numbers(101, 111);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
}

void many_forks() {
  write_numbers(1, 2);
  for (Word i = 0; i < 60; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      write_numbers(1000 * (i + 1), 1000 * (i + 1) + 10);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
  }
}

void vfork_and_exec() {
  write_numbers(1, 11);
  const pid_t child = vfork();
  if (child == 0) {
    write_numbers(11, 21);
    execl("/proc/self/exe", "victim", "some_words", static_cast<char*>(nullptr));
    _exit(1);
  }
  write_numbers(21, 31);
  int status = 0;
  DEMAND(waitpid(child, &status, 0) == child && status == 0);
}

void many_threads() {
  for (int round = 0; round < 8; ++round) {
    std::vector<std::thread> threads;
    for (Word thread = 0; thread < 64; ++thread) {
      const Word first = (static_cast<Word>(round) * 64 + thread) * 1000 + 1;
      threads.emplace_back([first] { write_numbers(first, first + 1 + first / 1000 % 700); });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

void waiting_threads() {
  // More threads at once than there are rings: the last ones go unrecorded.
  write_numbers(1, 2);
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 5);
  std::vector<std::thread> threads;
  for (int i = 0; i < 5; ++i) {
    threads.emplace_back([&] {
      write_numbers(1, 20001);
      pthread_barrier_wait(&barrier);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

pthread_key_t late_key;
void late_destructor(void* value) {
  write_numbers(501, 511);
  if (const auto left = reinterpret_cast<std::uintptr_t>(value); left > 1) {
    pthread_setspecific(late_key, reinterpret_cast<void*>(left - 1));
  }
}

void words_in_destructors() {
  pthread_key_create(&late_key, late_destructor);
  std::thread([] {
    write_numbers(1, 11);
    pthread_setspecific(late_key, reinterpret_cast<void*>(3));
  }).join();
}

void closed_descriptors() {
  write_numbers(1, 11);
  for (int file = 0; file < 1024; ++file) close(file);
  const rlimit nothing{0, 0};
  setrlimit(RLIMIT_NOFILE, &nothing);
  DEMAND(chdir("/") == 0);
  write_numbers(11, 30001);
  std::thread([] { write_numbers(1, 11); }).join();
}

void start_and_stop() {
  DEMAND(pathspool_recording() == 1);
  write_numbers(1, 11);
  pathspool_start();
  pathspool_stop();
  DEMAND(pathspool_recording() == 0);
  pathspool_mark("not this");
  write_numbers(11, 50021);
  pathspool_stop();
  pathspool_start();
  DEMAND(pathspool_recording() == 1);
  write_numbers(21, 31);
  pathspool_mark("hello");
  pathspool_mark("");
  write_numbers(31, 32);
}

void start_late() {
  DEMAND(pathspool_recording() == 0);
  write_numbers(1, 30001);
  std::thread([] { write_numbers(1, 11); }).join();
  pathspool_start();
  write_numbers(101, 111);
}

void long_mark() {
  // 4095 letters, then one of two bytes that does not fit.
  const std::string text = std::string(wire::kLongestMarkBytes - 1, 'x') + "\u00e9 and more";
  pathspool_mark(text.c_str());
  write_numbers(1, 2);
}

constexpr unsigned char kTable[] = "a table of functions";
wire::Module module_a{wire::kModuleVersion, 0, 10, 0, 0x1234, sizeof kTable, kTable};
wire::Module same_as_a{wire::kModuleVersion, 0, 10, 0, 0x1234, sizeof kTable, kTable};
constexpr unsigned char kOtherTable[] = "A table of functions";
wire::Module module_b{wire::kModuleVersion, 0, 5, 1, 0x1234, sizeof kOtherTable, kOtherTable};

void modules() {
  pathspool_register_module(&module_a);
  const Word base = module_a.base;
  pathspool_register_module(&module_a);
  pathspool_register_module(&same_as_a);
  pathspool_register_module(&module_b);
  DEMAND(module_a.base == base && same_as_a.base == base && module_b.base != base);
  write_word(wire::kEnterKind | module_a.base);
  write_word(wire::kEnterKind | module_b.base);
}

void too_large_a_table() {
  static unsigned char table[100'000];
  wire::Module large{wire::kModuleVersion, 0, 10, 0, 0x77, sizeof table, table};
  wire::Module larger{wire::kModuleVersion, 0, 10, 0, 0x78, sizeof table, table};
  pathspool_register_module(&large);
  pathspool_register_module(&larger);
  pathspool_register_module(&module_a);
  DEMAND(large.base == 0 && larger.base == 0 && module_a.base != 0);
}

void wrong_version() {
  wire::Module odd{wire::kModuleVersion + 1, 0, 10, 0, 0x77, sizeof kTable, kTable};
  pathspool_register_module(&odd);
  DEMAND(odd.base == 0);
}

void unrecorded() {
  DEMAND(pathspool_recording() == 0);
  write_numbers(1, 100'001);
  std::thread([] { write_numbers(1, 100'001); }).join();
  pathspool_register_module(&module_a);
  DEMAND(module_a.base == 0);
  pathspool_mark("x");
  pathspool_stop();
  pathspool_start();
  pathspool_resumed(__builtin_frame_address(0));
  fork_and_leave();
}

void little_address_space() {
  const rlimit small{1 << 30, 1 << 30};
  DEMAND(setrlimit(RLIMIT_AS, &small) == 0);
  execl("/proc/self/exe", "victim", "unrecorded", static_cast<char*>(nullptr));
}

#if defined(__aarch64__)
// Every register that preserve_most keeps and a plain call does not.
void registers() {
  for (int round = 0; round < 3; ++round) {
    std::uint64_t before[7] = {1, 2, 3, 4, 5, 6, 7};
    std::uint64_t after[7] = {};
    Word* cursor = pathspool_cursor;
    register Word* x0 __asm__("x0") = cursor;
    register std::uint64_t* x19 __asm__("x19") = before;
    register std::uint64_t* x20 __asm__("x20") = after;
    __asm__ volatile(
        "ldp x9, x10, [x19]\n ldp x11, x12, [x19, #16]\n ldp x13, x14, [x19, #32]\n"
        "ldr x15, [x19, #48]\n bl pathspool_chunk_full\n"
        "stp x9, x10, [x20]\n stp x11, x12, [x20, #16]\n stp x13, x14, [x20, #32]\n"
        "str x15, [x20, #48]\n"
        : "+r"(x0)
        : "r"(x19), "r"(x20)
        : "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",
          "x15", "x16", "x17", "x30", "memory", "cc", "v0", "v1", "v2", "v3", "v4", "v5", "v6",
          "v7", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27",
          "v28", "v29", "v30", "v31");
    DEMAND(std::memcmp(before, after, sizeof before) == 0);
    DEMAND(x0 == pathspool_cursor);
    write_numbers(1, 2 + wire::kSlackWords);  // full again
  }
}
#else
void registers() {
  for (int round = 0; round < 3; ++round) {
    std::uint64_t before[6] = {1, 2, 3, 4, 5, 6};
    std::uint64_t after[6] = {};
    Word* cursor = pathspool_cursor;
    register Word* rdi __asm__("rdi") = cursor;
    register std::uint64_t* rbx __asm__("rbx") = before;
    register std::uint64_t* r12 __asm__("r12") = after;
    Word* result = nullptr;
    __asm__ volatile(
        "subq $128, %%rsp\n"
        "movq (%%rbx), %%rcx\n movq 8(%%rbx), %%rdx\n movq 16(%%rbx), %%rsi\n"
        "movq 24(%%rbx), %%r8\n movq 32(%%rbx), %%r9\n movq 40(%%rbx), %%r10\n"
        "call *pathspool_chunk_full@GOTPCREL(%%rip)\n"
        "movq %%rcx, (%%r12)\n movq %%rdx, 8(%%r12)\n movq %%rsi, 16(%%r12)\n"
        "movq %%r8, 24(%%r12)\n movq %%r9, 32(%%r12)\n movq %%r10, 40(%%r12)\n"
        "addq $128, %%rsp\n"
        : "=a"(result), "+r"(rdi)
        : "r"(rbx), "r"(r12)
        : "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "memory", "cc", "xmm0", "xmm1", "xmm2",
          "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
          "xmm13", "xmm14", "xmm15");
    DEMAND(std::memcmp(before, after, sizeof before) == 0);
    DEMAND(result == pathspool_cursor && rdi == cursor);
    write_numbers(1, 2 + wire::kSlackWords);
  }
}
#endif

}  // namespace

const Scenario kProcessScenarios[] = {
    {"some_words", some_words},
    {"slack", slack},
    {"many_chunks", many_chunks},
    {"until_killed", until_killed},
    {"fork_and_leave", fork_and_leave},
    {"fork_and_wait", fork_and_wait},
    {"fork_without_handlers", fork_without_handlers},
    {"fork_in_thread", fork_in_thread},
    {"fork_unregistered", fork_unregistered},
    {"many_forks", many_forks},
    {"vfork_and_exec", vfork_and_exec},
    {"many_threads", many_threads},
    {"waiting_threads", waiting_threads},
    {"words_in_destructors", words_in_destructors},
    {"closed_descriptors", closed_descriptors},
    {"start_and_stop", start_and_stop},
    {"start_late", start_late},
    {"long_mark", long_mark},
    {"modules", modules},
    {"too_large_a_table", too_large_a_table},
    {"wrong_version", wrong_version},
    {"unrecorded", unrecorded},
    {"little_address_space", little_address_space},
    {"registers", registers},
    {nullptr, nullptr},
};

namespace {

bool run_one_of(const Scenario* scenarios, const char* name) {
  for (; scenarios->name != nullptr; ++scenarios) {
    if (std::strcmp(scenarios->name, name) != 0) continue;
    scenarios->run();
    return true;
  }
  return false;
}

}  // namespace
}  // namespace pathspool::testing

int main(int argc, char** argv) {
  using namespace pathspool::testing;
  if (argc != 2) return 98;
  return run_one_of(kProcessScenarios, argv[1]) || run_one_of(kSignalScenarios, argv[1]) ? 0 : 98;
}
