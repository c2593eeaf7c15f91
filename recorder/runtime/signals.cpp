// sigaction and its relatives, in front of libc's: the program installs and reads back its own
// handlers, the kernel gets run_handler. A program that is not recorded is left alone.
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>

#include "handlers.h"
#include "process.h"
#include "ring.h"

#ifdef PATHSPOOL_STATIC
extern "C" int __libc_sigaction(int, const struct sigaction*, struct sigaction*);
#endif

namespace pathspool::runtime {
namespace {

constexpr int kSignals = 65;

// Kept when the signal goes back to its default, since a handler may be on its way, and since a
// vfork child that resets its signals does so in its parent's memory.
constinit std::atomic<Handler> handlers[kSignals] = {};
constinit bool wants_info[kSignals] = {};   // guarded by the lock, as are all changes
constinit bool interrupts[kSignals] = {};   // siginterrupt()
constinit std::atomic<bool> locked{false};  // only ever held with signals blocked

using SigactionFunction = int (*)(int, const struct sigaction*, struct sigaction*);

#ifdef PATHSPOOL_STATIC
int real_sigaction(int signal, const struct sigaction* action, struct sigaction* old) {
  return __libc_sigaction(signal, action, old);
}
#else
constinit std::atomic<SigactionFunction> found_sigaction{nullptr};

SigactionFunction find_sigaction() {
  const auto found = reinterpret_cast<SigactionFunction>(dlsym(RTLD_NEXT, "sigaction"));
  found_sigaction.store(found);
  return found;
}

int real_sigaction(int signal, const struct sigaction* action, struct sigaction* old) {
  SigactionFunction function = found_sigaction.load();
  if (function == nullptr) function = find_sigaction();
  return function(signal, action, old);
}
#endif

class Locked {
 public:
  Locked() {
    while (locked.exchange(true, std::memory_order_acquire)) rest_a_moment();
  }
  ~Locked() { locked.store(false, std::memory_order_release); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  SignalsBlocked blocked_;  // first, and released last
};

bool is_ours(const struct sigaction& action) { return action.sa_sigaction == run_handler; }

bool is_function(const struct sigaction& action) {
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

int set_action(int signal, const struct sigaction* action, struct sigaction* old) {
  if (signal <= 0 || signal >= kSignals || !is_recorded()) {
    return real_sigaction(signal, action, old);
  }
  const Locked lock;
  const Handler handler_before = handlers[signal].load();
  const bool wanted_info_before = wants_info[signal];
  struct sigaction before;
  int result = 0;
  if (action != nullptr && is_function(*action) && !is_ours(*action)) {
    struct sigaction ours = *action;
    handlers[signal].store(action->sa_sigaction);
    wants_info[signal] = (action->sa_flags & SA_SIGINFO) != 0;
    ours.sa_sigaction = run_handler;
    ours.sa_flags |= SA_SIGINFO;
    result = real_sigaction(signal, &ours, &before);
    if (result != 0) {
      handlers[signal].store(handler_before);
      wants_info[signal] = wanted_info_before;
    }
  } else {
    result = real_sigaction(signal, action, &before);
  }
  if (result == 0 && old != nullptr) {
    *old = before;
    if (is_ours(before)) {
      old->sa_sigaction = handler_before;
      if (!wanted_info_before) old->sa_flags &= ~SA_SIGINFO;
    }
  }
  return result;
}

sighandler_t set_handler(int signal, sighandler_t handler, int flags, bool masks_itself) {
  if (handler == SIG_ERR || signal <= 0 || signal >= kSignals) {
    errno = EINVAL;
    return SIG_ERR;
  }
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  if (masks_itself) sigaddset(&action.sa_mask, signal);
  struct sigaction old = {};
  return set_action(signal, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

sighandler_t bsd_semantics(int signal, sighandler_t handler) {
  const bool restarts = signal <= 0 || signal >= kSignals || !interrupts[signal];
  return set_handler(signal, handler, restarts ? SA_RESTART : 0, true);
}

sighandler_t system_v_semantics(int signal, sighandler_t handler) {
  return set_handler(signal, handler, static_cast<int>(SA_RESETHAND) | SA_NODEFER, false);
}

}  // namespace

Handler handler_of(int signal) { return handlers[signal].load(std::memory_order_acquire); }

void find_real_signal_functions() {
#ifndef PATHSPOOL_STATIC
  if (found_sigaction.load() == nullptr) find_sigaction();
#endif
}

void forget_signal_lock() { locked.store(false); }

}  // namespace pathspool::runtime

using namespace pathspool::runtime;

PATHSPOOL_EXPORT int sigaction(int signal, const struct sigaction* action,
                               struct sigaction* old) noexcept {
  return set_action(signal, action, old);
}

PATHSPOOL_EXPORT int __sigaction(int signal, const struct sigaction* action,
                                 struct sigaction* old) noexcept {
  return set_action(signal, action, old);
}

PATHSPOOL_EXPORT sighandler_t signal(int signal, sighandler_t handler) noexcept {
  return bsd_semantics(signal, handler);
}

PATHSPOOL_EXPORT sighandler_t bsd_signal(int signal, sighandler_t handler) noexcept {
  return bsd_semantics(signal, handler);
}

PATHSPOOL_EXPORT sighandler_t ssignal(int signal, sighandler_t handler) noexcept {
  return bsd_semantics(signal, handler);
}

PATHSPOOL_EXPORT sighandler_t sysv_signal(int signal, sighandler_t handler) noexcept {
  return system_v_semantics(signal, handler);
}

PATHSPOOL_EXPORT sighandler_t __sysv_signal(int signal, sighandler_t handler) noexcept {
  return system_v_semantics(signal, handler);
}

// 2 is SIG_HOLD: block the signal, keep its action.
PATHSPOOL_EXPORT sighandler_t sigset(int signal, sighandler_t handler) noexcept {
  const auto hold = reinterpret_cast<sighandler_t>(2);
  sigset_t one;
  sigset_t before;
  if (sigemptyset(&one) != 0 || sigaddset(&one, signal) != 0) return SIG_ERR;
  sighandler_t old = SIG_ERR;
  if (handler == hold) {
    struct sigaction action = {};
    if (sigprocmask(SIG_BLOCK, &one, &before) != 0) return SIG_ERR;
    if (sigismember(&before, signal) != 0) return hold;
    return set_action(signal, nullptr, &action) == 0 ? action.sa_handler : SIG_ERR;
  }
  old = set_handler(signal, handler, 0, false);
  if (old == SIG_ERR || sigprocmask(SIG_UNBLOCK, &one, &before) != 0) return SIG_ERR;
  return sigismember(&before, signal) != 0 ? hold : old;
}

PATHSPOOL_EXPORT int siginterrupt(int signal, int interrupt) noexcept {
  struct sigaction action = {};
  if (set_action(signal, nullptr, &action) != 0) return -1;
  if (signal > 0 && signal < kSignals) interrupts[signal] = interrupt != 0;
  if (interrupt != 0) {
    action.sa_flags &= ~SA_RESTART;
  } else {
    action.sa_flags |= SA_RESTART;
  }
  return set_action(signal, &action, nullptr);
}
