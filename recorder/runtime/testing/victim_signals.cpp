// Scenarios with signal handlers.
#include <pathspool/record.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "victim.h"

namespace pathspool::testing {
namespace {

void install(int signal, void (*handler)(int), int flags = 0) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  DEMAND(sigaction(signal, &action, nullptr) == 0);
}

void inner_handler(int) { write_numbers(2001, 2004); }
void outer_handler(int) {
  write_numbers(1001, 1004);
  raise(SIGUSR2);
  write_numbers(1004, 1007);
}

void nested() {
  install(SIGUSR1, outer_handler);
  install(SIGUSR2, inner_handler);
  write_numbers(1, 4);
  raise(SIGUSR1);
  write_numbers(4, 7);
  raise(SIGUSR1);
  write_numbers(7, 10);
}

sigjmp_buf target;
int depth_of_jump = 0;

void jumping_handler(int) {
  write_numbers(1001, 1004);
  if (++depth_of_jump == 2) raise(SIGUSR2);
  siglongjmp(target, 1);
}
void inner_jumping_handler(int) {
  write_numbers(2001, 2003);
  siglongjmp(target, 1);
}

// The cursor is in a register when the signal comes: what was written after its last store must
// survive.
__attribute__((noinline)) void die_while_writing(Word first) {
  Word* cursor = look(pathspool_cursor);
  for (Word i = 0; i < 3; ++i) *static_cast<volatile Word*>(cursor++) = number(first + i);
  *static_cast<volatile int*>(nullptr) = 1;
}

void jump_out(int extra_flags) {
  install(SIGSEGV, jumping_handler, extra_flags);
  install(SIGUSR2, inner_jumping_handler, extra_flags);
  volatile Word next = 1;
  for (static int round = 0; round < 3; ++round) {
    if (sigsetjmp(target, 1) == 0) {
      write_word(number(next));
      die_while_writing(next + 1);
    }
    pathspool_resumed(__builtin_frame_address(0));
    next = next + 4;
  }
  write_word(number(100));
}

void jumps() { jump_out(0); }

void jumps_from_another_stack() {
  static char memory[64 << 10];
  stack_t stack = {};
  stack.ss_sp = memory;
  stack.ss_size = sizeof memory;
  DEMAND(sigaltstack(&stack, nullptr) == 0);
  jump_out(SA_ONSTACK);
}

// A handler's own setjmp does not leave the handler.
sigjmp_buf inner_target;
void handler_with_target(int) {
  write_word(number(1001));
  if (sigsetjmp(inner_target, 1) == 0) {
    write_word(number(1002));
    siglongjmp(inner_target, 1);
  }
  pathspool_resumed(__builtin_frame_address(0));
  write_word(number(1003));
}
void jump_within_handler() {
  install(SIGUSR1, handler_with_target);
  write_numbers(1, 3);
  raise(SIGUSR1);
  write_numbers(3, 5);
}

void info_handler(int signal, siginfo_t* info, void* context) {
  DEMAND(signal == SIGUSR1 && info->si_signo == SIGUSR1 && info->si_pid == getpid());
  DEMAND(context != nullptr);
  write_word(number(1001));
}
void plain_handler(int) { write_word(number(1002)); }

void what_sigaction_says() {
  struct sigaction action = {};
  struct sigaction old = {};
  action.sa_sigaction = info_handler;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;
  sigaddset(&action.sa_mask, SIGALRM);
  DEMAND(sigaction(SIGUSR1, &action, &old) == 0 && old.sa_handler == SIG_DFL);
  raise(SIGUSR1);
  DEMAND(sigaction(SIGUSR1, nullptr, &old) == 0 && old.sa_sigaction == info_handler);
  DEMAND((old.sa_flags & (SA_SIGINFO | SA_RESTART | SA_NODEFER)) ==
         (SA_SIGINFO | SA_RESTART | SA_NODEFER));
  DEMAND(sigismember(&old.sa_mask, SIGALRM) == 1 && sigismember(&old.sa_mask, SIGINT) == 0);

  DEMAND(reinterpret_cast<void*>(signal(SIGUSR1, plain_handler)) ==
         reinterpret_cast<void*>(info_handler));
  DEMAND(sigaction(SIGUSR1, nullptr, &old) == 0 && old.sa_handler == plain_handler);
  DEMAND((old.sa_flags & SA_SIGINFO) == 0 && (old.sa_flags & SA_RESTART) != 0);
  raise(SIGUSR1);
  DEMAND(siginterrupt(SIGUSR1, 1) == 0);
  DEMAND(sigaction(SIGUSR1, nullptr, &old) == 0 && (old.sa_flags & SA_RESTART) == 0);
  DEMAND(signal(SIGUSR1, SIG_IGN) == plain_handler);
  DEMAND(sigaction(SIGUSR1, nullptr, &old) == 0 && old.sa_handler == SIG_IGN);
  raise(SIGUSR1);

  DEMAND(sysv_signal(SIGUSR2, plain_handler) == SIG_DFL);
  raise(SIGUSR2);
  DEMAND(sigaction(SIGUSR2, nullptr, &old) == 0 && old.sa_handler == SIG_DFL);

  DEMAND(signal(SIGKILL, plain_handler) == SIG_ERR);
  DEMAND(signal(1000, plain_handler) == SIG_ERR);
  DEMAND(sigset(SIGUSR2, plain_handler) == SIG_DFL);
  DEMAND(sigset(SIGUSR2, reinterpret_cast<sighandler_t>(2)) == plain_handler);
  raise(SIGUSR2);
  DEMAND(sigset(SIGUSR2, SIG_IGN) == reinterpret_cast<sighandler_t>(2));
}

// Signals at every moment: neither stream may lose a word or get one of the other's.
volatile Word handled = 0;
void counting_handler(int) {
  for (int i = 0; i < 40; ++i) {
    write_word(number(handled + 1));
    handled = handled + 1;
  }
}
void storm() {
  install(SIGALRM, counting_handler, SA_RESTART);
  const itimerval often{{0, 50}, {0, 50}};
  setitimer(ITIMER_REAL, &often, nullptr);
  Word* cursor = pathspool_cursor;
  Word value = 1;
  while (handled < 400'000 || value < 2'000'000) {
    cursor = look(cursor);
    for (int i = 0; i < 50; ++i) *static_cast<volatile Word*>(cursor++) = number(value++);
    if (value % 1000 == 1) {
      pathspool_cursor = cursor;
      getppid();
      cursor = pathspool_cursor;
    }
  }
  pathspool_cursor = cursor;
  const itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
}

// The same, with handlers that jump out of whatever they interrupt.
void jumping_storm_handler(int) {
  write_word(number(handled + 1));
  handled = handled + 1;
  if (handled % 3 == 0) siglongjmp(target, 1);
}
// The number that was begun is written again if it was not finished: a reader sees each at least
// once, in order.
void jumping_storm() {
  install(SIGALRM, jumping_storm_handler, SA_RESTART);
  const itimerval often{{0, 100}, {0, 100}};
  static volatile Word value = 1;
  sigsetjmp(target, 1);
  pathspool_resumed(__builtin_frame_address(0));
  setitimer(ITIMER_REAL, &often, nullptr);
  while (handled < 6000 || value < 500'000) {
    for (int i = 0; i < 50; ++i) {
      write_word(number(value));
      value = value + 1;
    }
  }
  const itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
}

void deep_handler(int) {
  static int depth = 0;
  write_word(number(static_cast<Word>(1000 + ++depth)));
  if (depth < 12) raise(SIGUSR1);
}
void deep() {
  install(SIGUSR1, deep_handler, SA_NODEFER);
  write_word(number(1));
  raise(SIGUSR1);
  write_word(number(2));
}

void forking_handler(int) {
  write_word(number(1001));
  const pid_t child = fork();
  if (child == 0) {
    write_word(number(2001));
  } else {
    int status = 0;
    waitpid(child, &status, 0);
    DEMAND(status == 0);
    write_word(number(1002));
  }
}
// The handler interrupts code whose cursor is in a register.
void fork_in_handler() {
  install(SIGUSR1, forking_handler);
  const pid_t self = getpid();
  Word* cursor = look(pathspool_cursor);
  *static_cast<volatile Word*>(cursor++) = number(1);
  raise(SIGUSR1);
  const Word offset = getpid() == self ? 0 : 3000;
  for (Word i = 2; i < 30'000; ++i) {
    cursor = look(cursor);
    *static_cast<volatile Word*>(cursor++) = number(offset + i);
  }
  pathspool_cursor = cursor;
}

// The parent writes no more, so that whatever the child wrote into its ring would stay there.
void fork_in_handler_and_leave() {
  install(SIGUSR1, forking_handler);
  const pid_t self = getpid();
  Word* cursor = look(pathspool_cursor);
  *static_cast<volatile Word*>(cursor++) = number(1);
  raise(SIGUSR1);
  if (getpid() == self) return;
  for (Word i = 2; i < 100; ++i) *static_cast<volatile Word*>(cursor++) = number(3000 + i);
}

// The target is code without instrumentation: nothing says that the handler was left but the next
// signal.
void unannounced_jumps() {
  install(SIGUSR1, jumping_handler);
  write_word(number(1));
  for (static int round = 0; round < 3; ++round) {
    depth_of_jump = 2;  // never goes deeper
    if (sigsetjmp(target, 1) == 0) raise(SIGUSR1);
  }
}

void stop_in_handler(int) {
  pathspool_stop();
  write_word(number(1001));
}
void stop_and_handlers() {
  install(SIGUSR1, stop_in_handler);
  write_word(number(1));
  raise(SIGUSR1);
  write_word(number(2));
  pathspool_stop();
  raise(SIGUSR1);
  pathspool_start();
  raise(SIGUSR1);
  write_word(number(3));
}

}  // namespace

const Scenario kSignalScenarios[] = {
    {"nested", nested},
    {"jumps", jumps},
    {"jumps_from_another_stack", jumps_from_another_stack},
    {"jump_within_handler", jump_within_handler},
    {"what_sigaction_says", what_sigaction_says},
    {"storm", storm},
    {"jumping_storm", jumping_storm},
    {"deep", deep},
    {"fork_in_handler", fork_in_handler},
    {"fork_in_handler_and_leave", fork_in_handler_and_leave},
    {"unannounced_jumps", unannounced_jumps},
    {"stop_and_handlers", stop_and_handlers},
    {nullptr, nullptr},
};

}  // namespace pathspool::testing
