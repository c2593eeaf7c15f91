#include "recorder/collector/launch.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include "pathspool/recording.h"

extern char** environ;

namespace pathspool::collector {
namespace {

namespace fs = std::filesystem;

ProgramError cannot_run(int error_number) {
  return {error_number == ENOENT || error_number == ENOTDIR ? ProgramError::kNotFound
                                                            : ProgramError::kNotExecutable,
          "cannot run: " + std::generic_category().message(error_number)};
}

// 0 if the file can be executed, otherwise why not.
int why_not(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return errno;
  if (!S_ISREG(status.st_mode)) return EACCES;
  return ::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

std::vector<std::string> environment_with(
    const std::vector<std::pair<std::string, std::string>>& variables) {
  std::vector<std::string> all;
  for (const auto& [name, value] : variables) all.push_back(name + "=" + value);
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::string_view name = text.substr(0, text.find('='));
    const bool is_set = std::ranges::any_of(
        variables, [name](const auto& variable_set) { return variable_set.first == name; });
    if (!is_set) all.emplace_back(text);
  }
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

fs::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (const int error_number = why_not(name); error_number != 0) throw cannot_run(error_number);
    return name;
  }
  const char* const variable = std::getenv("PATH");
  const std::string folders = variable == nullptr ? "/bin:/usr/bin" : variable;
  int reason = ENOENT;
  for (std::size_t at = 0; !name.empty() && at <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    const std::string folder = folders.substr(at, end - at);
    const fs::path path = fs::path(folder.empty() ? "." : folder) / name;
    const int error_number = why_not(path);
    if (error_number == 0) return path;
    if (error_number != ENOENT && error_number != ENOTDIR) reason = error_number;
    at = end + 1;
  }
  throw cannot_run(reason);
}

// ---- SignalGuard

namespace {

constexpr std::array kWaitedFor = {SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP};

}  // namespace

SignalGuard::SignalGuard() {
  const auto keep = [this](int number, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    Saved saved{number, {}};
    ::sigaction(number, &action, &saved.action);
    saved_.push_back(saved);
  };
  // Blocked signals wait even if they are ignored, and whoever ignores SIGCHLD has no children to
  // wait for.
  for (const int number : kWaitedFor) keep(number, SIG_DFL);
  // A limit on the size of files then is an error like a full disk.
  keep(SIGXFSZ, SIG_IGN);
  ::sigemptyset(&blocked_);
  for (const int number : kWaitedFor) ::sigaddset(&blocked_, number);
  ::pthread_sigmask(SIG_BLOCK, &blocked_, &old_mask_);
}

SignalGuard::~SignalGuard() {
  const timespec none{};
  while (::sigtimedwait(&blocked_, nullptr, &none) > 0) {
  }
  restore_in_child();
}

void SignalGuard::restore_in_child() const {
  for (const Saved& saved : saved_) ::sigaction(saved.number, &saved.action, nullptr);
  ::pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
}

int SignalGuard::wait() const {
  constexpr timespec kWhile{0, 200'000'000};
  return std::max(0, ::sigtimedwait(&blocked_, nullptr, &kWhile));
}

// ---- Launched

Launched::Launched(const Command& command, const SignalGuard& signals) : signals_(signals) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  try {
    start(command);
  } catch (...) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
    throw;
  }
}

Launched::~Launched() { ::prctl(PR_SET_CHILD_SUBREAPER, 0); }

void Launched::start(const Command& command) {
  std::vector<std::string> arguments = command.arguments;
  std::vector<std::string> environment = environment_with(command.variables);
  const std::vector<char*> argv = pointers_to(arguments);
  const std::vector<char*> envp = pointers_to(environment);
  // A file that the kernel cannot execute is a script for the shell, as execvp() has it.
  std::vector<std::string> script = {"sh", command.program.string()};
  if (!arguments.empty()) script.insert(script.end(), arguments.begin() + 1, arguments.end());
  const std::vector<char*> script_argv = pointers_to(script);

  std::array<int, 2> report{};  // closed by a successful exec, otherwise says why it failed
  if (::pipe2(report.data(), O_CLOEXEC) != 0) throw cannot_run(errno);
  pid_ = ::fork();
  if (pid_ == 0) {
    signals_.restore_in_child();
    ::execve(command.program.c_str(), argv.data(), envp.data());
    if (errno == ENOEXEC) ::execve("/bin/sh", script_argv.data(), envp.data());
    const int error_number = errno;
    if (::write(report[1], &error_number, sizeof error_number) < 0) ::_exit(126);
    ::_exit(127);
  }
  const int fork_error = errno;
  ::close(report[1]);
  int error_number = 0;
  ssize_t count = 0;
  do {
    count = pid_ < 0 ? 0 : ::read(report[0], &error_number, sizeof error_number);
  } while (count < 0 && errno == EINTR);
  ::close(report[0]);
  if (pid_ < 0) throw Error("cannot fork: " + std::generic_category().message(fork_error));
  if (count == 0) return;
  int status = 0;
  ::waitpid(pid_, &status, 0);
  throw cannot_run(error_number);
}

bool Launched::reap() {
  while (true) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, WNOHANG);
    if (pid == 0) return false;
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) return true;
    if (pid == pid_) status_ = status;
  }
}

bool Launched::wait() {
  while (!reap()) {
    const int signal_number = signals_.wait();
    if (signal_number == 0 || signal_number == SIGCHLD) continue;
    if (status_) return false;
    const bool passed_on = signal_number == SIGTERM || signal_number == SIGHUP;
    if (passed_on) ::kill(pid_, signal_number);
  }
  return true;
}

}  // namespace pathspool::collector
