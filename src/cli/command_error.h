// What ends a command early. Both types are caught in main.cpp only.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "pathspool/error.h"

namespace pathspool::cli {

// Something is wrong with a file, or with what one stands for, such as standard output.
class FileError : public std::runtime_error {
 public:
  FileError(std::string file, const std::string& message,
            std::optional<std::uint64_t> offset_bytes = {})
      : std::runtime_error(message), file_(std::move(file)), offset_bytes_(offset_bytes) {}

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] std::optional<std::uint64_t> offset_bytes() const { return offset_bytes_; }

 private:
  std::string file_;
  std::optional<std::uint64_t> offset_bytes_;
};

// The command line itself makes no sense.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Calls `action`; the library's errors, which do not know the file's name, get it here.
template <typename Action>
decltype(auto) naming(const std::string& file, Action&& action) {
  try {
    return action();
  } catch (const Error& error) {
    throw FileError(file, error.what(), error.offset_bytes());
  }
}

}  // namespace pathspool::cli
