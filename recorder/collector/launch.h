// Starting a program, and waiting for it and all that it started.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pathspool::collector {

// Where the program is: `name` itself if it has a slash, otherwise the first executable file of
// that name along PATH. Throws ProgramError as a shell would say it.
[[nodiscard]] std::filesystem::path find_program(const std::string& name);

struct Command {
  std::filesystem::path program;
  std::vector<std::string> arguments;  // the first is its name for itself
  // Set in its environment.
  std::vector<std::pair<std::string, std::string>> variables;
};

// While it lives, signals that end a process do not end this one: it has a recording to finish.
// Made before any thread that it should hold for.
class SignalGuard {
 public:
  SignalGuard();
  ~SignalGuard();  // what arrived meanwhile is forgotten
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

  // Gives a forked child what this process had before. Safe between fork and exec.
  void restore_in_child() const;
  // Waits a while for one of the signals; 0 if none came.
  [[nodiscard]] int wait() const;

 private:
  struct Saved {
    int number;
    struct sigaction action;
  };
  sigset_t blocked_{};
  sigset_t old_mask_{};
  std::vector<Saved> saved_;
};

// A running program, and its descendants. This process becomes the parent of descendants whose own
// parent has died (PR_SET_CHILD_SUBREAPER).
class Launched {
 public:
  // Throws ProgramError if the program cannot be executed.
  Launched(const Command& command, const SignalGuard& signals);
  ~Launched();
  Launched(const Launched&) = delete;
  Launched& operator=(const Launched&) = delete;

  // Waits until the program and all its descendants have ended. SIGTERM and SIGHUP are passed on to
  // the program; SIGINT and SIGQUIT reach it from the terminal. Once the program itself has ended,
  // any of the four ends the wait for its descendants. Returns whether all have ended.
  bool wait();

  // As from waitpid(); valid after wait().
  [[nodiscard]] int wait_status() const { return *status_; }

 private:
  void start(const Command& command);
  // Returns whether there is nobody left to wait for.
  bool reap();

  const SignalGuard& signals_;
  pid_t pid_ = -1;
  std::optional<int> status_;
};

}  // namespace pathspool::collector
