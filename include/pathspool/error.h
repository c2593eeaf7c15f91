// The one exception type of Pathspool.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace pathspool {

// Thrown where a file, a text or an argument turns out bad. `what()` says what is wrong, without
// the file's name: whoever knows the name adds it. The offset, if there is one, counts bytes from
// the start of that input.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, std::optional<std::uint64_t> offset_bytes = {})
      : std::runtime_error(message), offset_bytes_(offset_bytes) {}

  [[nodiscard]] std::optional<std::uint64_t> offset_bytes() const { return offset_bytes_; }

 private:
  std::optional<std::uint64_t> offset_bytes_;
};

// Thrown by whoever reads one file and writes another, where it is the written one that failed.
class OutputError : public Error {
 public:
  using Error::Error;
};

}  // namespace pathspool
