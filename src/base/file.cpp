#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "base/check.h"
#include "pathspool/error.h"

namespace pathspool::base {
namespace {

namespace fs = std::filesystem;

Error system_error(const char* what, int error_number, std::optional<std::uint64_t> offset = {}) {
  return Error(std::string(what) + ": " + std::generic_category().message(error_number), offset);
}

OutputError cannot_write(int error_number) {
  return OutputError("cannot write: " + std::generic_category().message(error_number));
}

// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  void reset(int number) {
    if (number_ >= 0) ::close(number_);
    number_ = number;
  }
  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

int open_retrying(const fs::path& path, int flags, mode_t mode = 0) {
  int descriptor = -1;
  do {
    descriptor = ::open(path.c_str(), flags, mode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

}  // namespace

// ---- InputFile

InputFile::InputFile(const fs::path& path) {
  // O_NONBLOCK: a pipe that nobody writes to is refused, not waited for.
  Descriptor descriptor(open_retrying(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (descriptor.get() < 0) throw system_error("cannot open", errno);
  struct stat status {};
  if (::fstat(descriptor.get(), &status) != 0) throw system_error("cannot open", errno);
  if (S_ISDIR(status.st_mode)) throw Error("is a directory");
  if (S_ISREG(status.st_mode)) {
    size_bytes_ = static_cast<std::uint64_t>(status.st_size);
  } else if (S_ISBLK(status.st_mode)) {
    const off_t end = ::lseek(descriptor.get(), 0, SEEK_END);
    if (end < 0) throw system_error("cannot open", errno);
    size_bytes_ = static_cast<std::uint64_t>(end);
  } else {
    throw Error("not a seekable file");
  }
  descriptor_ = descriptor.release();
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

InputFile::InputFile(InputFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      size_bytes_(other.size_bytes_),
      bytes_read_(other.bytes_read()) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_bytes_, other.size_bytes_);
  bytes_read_ = other.bytes_read_.exchange(bytes_read_);
  return *this;
}

void InputFile::read(std::uint64_t offset_bytes, std::span<std::uint8_t> out) const {
  constexpr std::uint64_t kLargestOffset = INT64_MAX;
  while (!out.empty()) {
    if (offset_bytes > kLargestOffset) throw Error("the file ends early", offset_bytes);
    const ssize_t count =
        ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset_bytes));
    if (count < 0) {
      if (errno == EINTR) continue;
      throw system_error("cannot read", errno, offset_bytes);
    }
    if (count == 0) {
      throw Error(offset_bytes < size_bytes_ ? "the file got shorter while it was read"
                                             : "the file ends early",
                  offset_bytes);
    }
    out = out.subspan(static_cast<std::size_t>(count));
    offset_bytes += static_cast<std::uint64_t>(count);
    bytes_read_.fetch_add(static_cast<std::uint64_t>(count), std::memory_order_relaxed);
  }
}

Bytes InputFile::read(std::uint64_t offset_bytes, std::uint64_t length) const {
  if (offset_bytes > size_bytes_ || length > size_bytes_ - offset_bytes) {
    throw Error("the file ends early", std::min(offset_bytes, size_bytes_));
  }
  Bytes bytes(length);
  read(offset_bytes, bytes);
  return bytes;
}

bool InputFile::same_file_as(const fs::path& path) const {
  struct stat ours {};
  struct stat theirs {};
  return ::fstat(descriptor_, &ours) == 0 && ::stat(path.c_str(), &theirs) == 0 &&
         ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

// ---- Temporary files, removed at a signal

namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

// What the signal handler may look at: it can neither allocate nor wait, so there is a fixed number
// of slots. Whoever finds none free goes without, which at worst leaves a temporary file.
struct Slot {
  enum State : int { kFree, kClaimed, kArmed };
  std::atomic<int> state{kFree};
  pid_t owner = 0;  // a forked child must not remove its parent's files
  char path[PATH_MAX] = {};
};
static_assert(std::atomic<int>::is_always_lock_free);
constinit std::array<Slot, 16> slots;

extern "C" void remove_temporary_files_and_die(int signal_number) {
  for (const Slot& slot : slots) {
    if (slot.state.load(std::memory_order_acquire) == Slot::kArmed && slot.owner == ::getpid()) {
      ::unlink(slot.path);
    }
  }
  // The signal is blocked in here: it strikes again, with its default action, at the return.
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  ::sigaction(signal_number, &action, nullptr);
  ::raise(signal_number);
}

// Looks each time, as a program may set a signal to its default after the first file. What the
// program handles or ignores (nohup) stays as it is.
void handle_signals() {
  struct sigaction ours {};
  ours.sa_handler = remove_temporary_files_and_die;
  ours.sa_flags = SA_RESTART;
  ::sigemptyset(&ours.sa_mask);
  for (const int number : kSignals) ::sigaddset(&ours.sa_mask, number);
  for (const int number : kSignals) {
    struct sigaction present {};
    if (::sigaction(number, nullptr, &present) != 0) continue;
    if ((present.sa_flags & SA_SIGINFO) != 0 || present.sa_handler != SIG_DFL) continue;
    ::sigaction(number, &ours, nullptr);
  }
}

// A name that is unlinked by the destructor or a signal, unless released.
class TemporaryName {
 public:
  explicit TemporaryName(fs::path path) : path_(std::move(path)), owner_(::getpid()) {
    const std::string& text = path_.native();
    if (text.size() >= sizeof Slot::path) return;
    for (Slot& slot : slots) {
      int expected = Slot::kFree;
      if (!slot.state.compare_exchange_strong(expected, Slot::kClaimed)) continue;
      slot.owner = owner_;
      std::memcpy(slot.path, text.c_str(), text.size() + 1);
      slot.state.store(Slot::kArmed, std::memory_order_release);
      slot_ = &slot;
      return;
    }
  }
  ~TemporaryName() {
    if (exists_ && ::getpid() == owner_) ::unlink(path_.c_str());
    if (slot_ != nullptr) slot_->state.store(Slot::kFree, std::memory_order_release);
  }
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }
  void created() { exists_ = true; }
  void renamed() { exists_ = false; }

 private:
  fs::path path_;
  pid_t owner_;
  bool exists_ = false;
  Slot* slot_ = nullptr;
};

fs::path temporary_path(const fs::path& target) {
  static std::atomic<unsigned> next_number{0};
  const std::string suffix =
      ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(next_number++);
  std::string name = target.filename().native();
  name.resize(std::min(name.size(), NAME_MAX - suffix.size()));  // a long name makes a long name
  return target.parent_path() / (name + suffix);
}

// Where a chain of symbolic links leads, even if there is nothing there yet.
fs::path follow_links(fs::path path) {
  constexpr int kMostLinks = 40;  // as Linux
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code none;
    const fs::path next = fs::read_symlink(path, none);
    if (none) return path;
    path = path.parent_path() / next;
  }
  throw cannot_write(ELOOP);
}

}  // namespace

// ---- AtomicFile

class AtomicFile::Impl {
 public:
  explicit Impl(const fs::path& target);

  void write(ByteView bytes);
  void commit();
  [[nodiscard]] std::uint64_t size_bytes() const { return written_bytes_ + buffer_.size(); }

 private:
  static constexpr std::size_t kBufferBytes = 256 << 10;

  void create_temporary(mode_t mode);
  void prepare_to_replace();
  void flush();
  void write_out(ByteView bytes);
  [[noreturn]] void fail(int error_number);

  fs::path target_;
  std::unique_ptr<TemporaryName> temporary_;  // none if the target is written directly
  Descriptor descriptor_;
  Bytes buffer_;
  std::uint64_t written_bytes_ = 0;
  int failure_ = 0;  // the errno of a write that failed: some of its bytes may be missing for good
  bool committed_ = false;
};

AtomicFile::Impl::Impl(const fs::path& target) {
  buffer_.reserve(kBufferBytes);
  if (target.empty()) throw cannot_write(ENOENT);
  struct stat status {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) throw cannot_write(errno);
  if (exists && S_ISDIR(status.st_mode)) throw OutputError("is a directory");
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_.reset(open_retrying(target, O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (descriptor_.get() < 0) throw cannot_write(errno);
    return;
  }
  // A rename would replace even a file that its owner has protected.
  if (exists && ::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) {
    throw cannot_write(errno);
  }
  std::error_code failed;  // the program may change its directory before commit()
  target_ = fs::absolute(follow_links(target), failed);
  if (failed) throw cannot_write(failed.value());
  // What replaces a private file is private from the start.
  constexpr mode_t kReadAndWrite = 0666;
  create_temporary(exists ? status.st_mode & kReadAndWrite : kReadAndWrite);
}

void AtomicFile::Impl::create_temporary(mode_t mode) {
  handle_signals();
  while (true) {
    // The name comes first, the file second: a signal in between finds nothing to remove.
    temporary_ = std::make_unique<TemporaryName>(temporary_path(target_));
    descriptor_.reset(
        open_retrying(temporary_->path(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (descriptor_.get() >= 0) break;
    if (errno != EEXIST) throw cannot_write(errno);
  }
  temporary_->created();
}

void AtomicFile::Impl::fail(int error_number) {
  failure_ = error_number;
  throw cannot_write(error_number);
}

void AtomicFile::Impl::write_out(ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_.get(), bytes.data(), bytes.size());
    if (count < 0) {
      if (errno == EINTR) continue;
      fail(errno);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    written_bytes_ += static_cast<std::uint64_t>(count);
  }
}

void AtomicFile::Impl::flush() {
  write_out(buffer_);
  buffer_.clear();
}

void AtomicFile::Impl::write(ByteView bytes) {
  PATHSPOOL_CHECK(!committed_);
  if (failure_ != 0) fail(failure_);
  if (bytes.size() > kBufferBytes - buffer_.size()) flush();
  if (bytes.size() >= kBufferBytes) {
    write_out(bytes);
  } else {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  }
}

void AtomicFile::Impl::prepare_to_replace() {
  struct stat old {};
  if (::lstat(target_.c_str(), &old) != 0) return;
  if (!S_ISREG(old.st_mode)) throw OutputError("cannot write: no longer a regular file");
  constexpr mode_t kPermissions = 0777;
  if (::fchmod(descriptor_.get(), old.st_mode & kPermissions) != 0) fail(errno);
  // After a power failure there must be either the old bytes or the new ones. Some file systems
  // cannot promise it, and say EINVAL.
  if (::fsync(descriptor_.get()) != 0 && errno != EINVAL) fail(errno);
}

void AtomicFile::Impl::commit() {
  PATHSPOOL_CHECK(!committed_);
  if (failure_ != 0) fail(failure_);
  flush();
  if (temporary_) prepare_to_replace();
  // Network file systems report a full disk here. After EINTR, Linux has closed it nevertheless.
  if (::close(descriptor_.release()) != 0 && errno != EINTR) fail(errno);
  if (temporary_) {
    if (::rename(temporary_->path().c_str(), target_.c_str()) != 0) fail(errno);
    temporary_->renamed();
    temporary_.reset();
  }
  committed_ = true;
}

AtomicFile::AtomicFile(fs::path target) : impl_(std::make_unique<Impl>(target)) {}
AtomicFile::~AtomicFile() = default;
AtomicFile::AtomicFile(AtomicFile&&) noexcept = default;
AtomicFile& AtomicFile::operator=(AtomicFile&&) noexcept = default;

void AtomicFile::write(ByteView bytes) { impl_->write(bytes); }
std::uint64_t AtomicFile::size_bytes() const { return impl_->size_bytes(); }
void AtomicFile::commit() { impl_->commit(); }

// ---- InPlaceFile

InPlaceFile::InPlaceFile(const fs::path& target) : owner_(::getpid()) {
  if (target.empty()) throw cannot_write(ENOENT);
  struct stat status {};
  if (::stat(target.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
    throw OutputError("is a directory");
  }
  constexpr mode_t kReadAndWrite = 0666;
  descriptor_ =
      open_retrying(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, kReadAndWrite);
  if (descriptor_ < 0) throw cannot_write(errno);
}

InPlaceFile::~InPlaceFile() {
  if (descriptor_ < 0) return;
  // A forked child has the file too, but it is not the child's to change.
  if (::getpid() == owner_) cut_back();
  ::close(descriptor_);
}

void InPlaceFile::cut_back() noexcept {
  buffer_.clear();
  if (written_bytes_ == complete_bytes_) return;
  // What is no regular file cannot be cut, and nobody reads it from its start.
  const auto end = static_cast<off_t>(complete_bytes_);
  if (::ftruncate(descriptor_, end) == 0 && ::lseek(descriptor_, end, SEEK_SET) == end) {
    written_bytes_ = complete_bytes_;
  }
}

void InPlaceFile::write_out(ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0) {
      const int error_number = errno;
      if (error_number == EINTR) continue;
      cut_back();
      throw cannot_write(error_number);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    written_bytes_ += static_cast<std::uint64_t>(count);
  }
}

void InPlaceFile::write(ByteView bytes) {
  if (descriptor_ < 0) throw cannot_write(EBADF);  // commit() failed in its last step
  constexpr std::size_t kBufferBytes = 256 << 10;
  if (bytes.size() > kBufferBytes - buffer_.size()) flush();
  if (bytes.size() >= kBufferBytes) {
    write_out(bytes);
  } else {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  }
}

void InPlaceFile::flush() {
  const Bytes bytes = std::exchange(buffer_, {});
  write_out(bytes);
}

void InPlaceFile::mark_complete() {
  flush();
  complete_bytes_ = written_bytes_;
}

void InPlaceFile::commit() {
  mark_complete();
  struct stat status {};
  if (::fstat(descriptor_, &status) == 0 && status.st_nlink == 0) {
    throw OutputError("cannot write: the file has been removed");
  }
  // Network file systems report a full disk here. After EINTR, Linux has closed it nevertheless.
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) throw cannot_write(errno);
}

}  // namespace pathspool::base
