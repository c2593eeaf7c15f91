#include "cli/text_input.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/command_error.h"

namespace pathspool::cli {

TextInput::TextInput(const std::string& file)
    : name_(file == "-" ? "standard input" : file),
      descriptor_(file == "-" ? STDIN_FILENO : open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0 || fstat(descriptor_, &status_) != 0) {
    throw FileError(name_, std::string("cannot open: ") + std::strerror(errno));
  }
  if (S_ISDIR(status_.st_mode)) throw FileError(name_, "is a directory");
}

TextInput::~TextInput() {
  if (descriptor_ != STDIN_FILENO) close(descriptor_);
}

bool TextInput::is_the_same_file_as(const struct stat& other) const {
  return status_.st_dev == other.st_dev && status_.st_ino == other.st_ino;
}

std::uint64_t TextInput::total_bytes() const {
  return is_regular() ? static_cast<std::uint64_t>(status_.st_size) : 0;
}

ByteSource TextInput::source() {
  return [this](std::span<char> buffer) {
    for (;;) {
      const ssize_t count = read(descriptor_, buffer.data(), buffer.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR)
        throw FileError(name_, std::string("cannot read: ") + std::strerror(errno));
    }
  };
}

}  // namespace pathspool::cli
