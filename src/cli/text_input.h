// The text that `pack` reads: a file or standard input.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>

#include "pathspool/text.h"

namespace pathspool::cli {

class TextInput {
 public:
  // Opens the file, or standard input for `-`. Throws FileError if that fails or if it is a
  // directory.
  explicit TextInput(const std::string& file);
  ~TextInput();
  TextInput(const TextInput&) = delete;
  TextInput& operator=(const TextInput&) = delete;

  // What to call it in messages.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool is_regular() const { return S_ISREG(status_.st_mode); }
  [[nodiscard]] bool is_the_same_file_as(const struct stat& other) const;
  // 0 if unknown, as it is of a pipe.
  [[nodiscard]] std::uint64_t total_bytes() const;

  // Must not outlive this object. Throws FileError when reading fails.
  [[nodiscard]] ByteSource source();

 private:
  std::string name_;
  int descriptor_;
  struct stat status_ {};
};

}  // namespace pathspool::cli
