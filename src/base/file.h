// Files: positional reads, and writes that appear under their name only when complete.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "base/bytes.h"

namespace pathspool::base {

// A regular file (or block device) open for reading. Its functions may be called from any number of
// threads at once. The messages of its Errors name no path: the caller knows it.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path);
  ~InputFile();
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;

  // When it was opened.
  [[nodiscard]] std::uint64_t size_bytes() const { return size_bytes_; }

  // Fills `out` exactly. Throws Error with the offset if the file ends before that.
  void read(std::uint64_t offset_bytes, std::span<std::uint8_t> out) const;
  // Allocates only if the file had so many bytes there when it was opened.
  [[nodiscard]] Bytes read(std::uint64_t offset_bytes, std::uint64_t length) const;

  // Whether the path leads to this very file, by whatever name; false if it leads nowhere.
  [[nodiscard]] bool same_file_as(const std::filesystem::path& path) const;

 private:
  int descriptor_ = -1;
  std::uint64_t size_bytes_ = 0;
};

// Written under a temporary name beside its target, TARGET.tmp-PID-N, which commit() renames. Until
// then the target is untouched; without commit(), or at SIGINT, SIGTERM or SIGHUP (where the
// program left these at their default), the temporary file is removed. A target that exists and is
// not a regular file, such as /dev/null or a pipe, is written directly, and commit() only flushes.
// If the target is a symbolic link, what it points to is replaced, not the link.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(AtomicFile&&) noexcept;
  AtomicFile& operator=(AtomicFile&&) noexcept;

  void write(ByteView bytes);
  // The offset of the next byte.
  [[nodiscard]] std::uint64_t size_bytes() const;
  // Throws Error if the bytes cannot be written or the file not be renamed; the target is then as
  // it was. A replaced file keeps its permission bits. To be called once, after the last write().
  void commit();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pathspool::base
