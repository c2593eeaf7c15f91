// Files: positional reads, and two ways to write: under the file's name only when complete, or in
// place and complete step by step.
#pragma once

#include <atomic>
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
  // All that was read since it was opened.
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }

  // Whether the path leads to this very file, by whatever name; false if it leads nowhere.
  [[nodiscard]] bool same_file_as(const std::filesystem::path& path) const;

 private:
  int descriptor_ = -1;
  std::uint64_t size_bytes_ = 0;
  mutable std::atomic<std::uint64_t> bytes_read_ = 0;
};

// A file that grows at its end.
class OutputFile {
 public:
  virtual ~OutputFile() = default;

  virtual void write(ByteView bytes) = 0;
  // The offset of the next byte.
  [[nodiscard]] virtual std::uint64_t size_bytes() const = 0;
  // What has been written so far makes sense without what follows.
  virtual void mark_complete() = 0;
  // To be called once, after the last write(). Throws Error if the bytes cannot be written.
  virtual void commit() = 0;
};

// Written under a temporary name beside its target, TARGET.tmp-PID-N, which commit() renames. Until
// then the target is untouched; without commit(), or at SIGINT, SIGTERM or SIGHUP (where the
// program left these at their default), the temporary file is removed. A target that exists and is
// not a regular file, such as /dev/null or a pipe, is written directly, and commit() only flushes.
// If the target is a symbolic link, what it points to is replaced, not the link.
class AtomicFile final : public OutputFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile() override;
  AtomicFile(AtomicFile&&) noexcept;
  AtomicFile& operator=(AtomicFile&&) noexcept;

  void write(ByteView bytes) override;
  [[nodiscard]] std::uint64_t size_bytes() const override;
  void mark_complete() override {}
  // If it throws, the target is as it was. A replaced file keeps its permission bits.
  void commit() override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Written under its own name from the start; what was there is gone. Whatever happens, even
// SIGKILL, the file holds all that was marked complete: mark_complete() hands it to the system, a
// write that fails cuts the file back to it, and so does the destructor if there was no commit().
// After a failure one may go on from there.
class InPlaceFile final : public OutputFile {
 public:
  explicit InPlaceFile(const std::filesystem::path& target);
  ~InPlaceFile() override;
  InPlaceFile(const InPlaceFile&) = delete;
  InPlaceFile& operator=(const InPlaceFile&) = delete;

  void write(ByteView bytes) override;
  [[nodiscard]] std::uint64_t size_bytes() const override {
    return written_bytes_ + buffer_.size();
  }
  void mark_complete() override;
  // Throws Error also if the file has lost its name meanwhile.
  void commit() override;

 private:
  void flush();
  void write_out(ByteView bytes);
  void cut_back() noexcept;

  int descriptor_ = -1;
  int owner_;  // the process
  Bytes buffer_;
  std::uint64_t written_bytes_ = 0;
  std::uint64_t complete_bytes_ = 0;
};

}  // namespace pathspool::base
