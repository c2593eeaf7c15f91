// Recording a program that was built with `pathspool cc` or `pathspool c++`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pathspool/error.h"
#include "pathspool/pack.h"
#include "pathspool/wire/module.h"

namespace pathspool {

struct RecordOptions {
  std::vector<std::string> command;  // the program, looked for along PATH, and its arguments
  std::optional<std::string> argv0;  // the program's name for itself, if not as it was called
  std::filesystem::path output;      // an older file becomes OUTPUT.old
  PackOptions pack;                  // `in_place` is set
  std::optional<wire::Mode> mode;    // what the program must have been built for
  std::vector<std::string> include;  // globs of functions; empty: all
  std::vector<std::string> exclude;  // globs of functions that are not recorded
  bool starts_paused = false;        // until the program calls pathspool_start()
  // Told what goes wrong while the program runs, a line each, without a file's name. From another
  // thread than the caller's.
  std::function<void(std::string_view)> warn;
};

struct RecordResult {
  int wait_status = 0;        // the program's, as from waitpid()
  bool recorded = false;      // false: the program never recorded anything, and there is no spool
  bool instrumented = false;  // the program's own file has instrumented code in it
  bool complete = false;      // false: recording ended before the program did
};

// The program could not be run, or not be recorded.
class ProgramError : public Error {
 public:
  static constexpr int kFailed = 125;
  static constexpr int kNotExecutable = 126;
  static constexpr int kNotFound = 127;

  ProgramError(int status, const std::string& message) : Error(message), status_(status) {}
  [[nodiscard]] int status() const { return status_; }  // as env(1) and others exit with

 private:
  int status_;
};

// Runs the program, waits for it and everything that it started, and leaves a spool. Its standard
// streams are the caller's. While it runs, SIGINT and SIGQUIT do not end this process, SIGTERM and
// SIGHUP are passed on to the program; child processes of the caller's own are reaped along with
// the program's. To be called while the process has one thread.
//
// Throws OutputError if the spool cannot be written, before the program has been run; if writing
// fails later, the program goes on unrecorded and the spool is readable up to its last complete
// segment.
[[nodiscard]] RecordResult record(const RecordOptions& options);

[[nodiscard]] std::string_view name_of(wire::Mode mode);

}  // namespace pathspool
