#include "base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "pathspool/error.h"

namespace pathspool::base {
namespace {

namespace fs = std::filesystem;

ByteView view(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void put(const fs::path& path, std::string_view text) { std::ofstream(path) << text; }

mode_t permissions(const fs::path& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// Runs in a child, which exits with 0 if the action gives true; gives what waitpid() says.
int in_child(const std::function<bool()>& action) {
  const pid_t child = ::fork();
  if (child == 0) {
    bool good = false;
    try {
      good = action();
    } catch (...) {
    }
    ::_exit(good ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

fs::path new_directory() {
  std::string pattern = testing::TempDir() + "/pathspool-file-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) throw Error("no directory for the test");
  return pattern;
}

class FileTest : public testing::Test {
 protected:
  ~FileTest() override { fs::remove_all(directory_); }

  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory_), {}));
  }

  const fs::path directory_ = new_directory();
  const fs::path target_ = directory_ / "target";
};

using InputFileTest = FileTest;
using AtomicFileTest = FileTest;
using InPlaceFileTest = FileTest;

// ---- InputFile

TEST_F(InputFileTest, reads_at_any_offset) {
  put(target_, "0123456789");
  const InputFile file(target_);
  EXPECT_EQ(file.size_bytes(), 10U);
  Bytes three(3);
  file.read(4, three);
  EXPECT_EQ(three, Bytes({'4', '5', '6'}));
  EXPECT_EQ(file.read(7, 3), Bytes({'7', '8', '9'}));
  EXPECT_EQ(file.read(10, 0), Bytes());
}

TEST_F(InputFileTest, many_threads_may_read_at_once) {
  std::string text(100'000, ' ');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i % 251);
  put(target_, text);
  const InputFile file(target_);
  std::vector<std::thread> threads;
  std::vector<std::size_t> wrong(4);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t at = t; at + 100 < text.size(); at += 97) {
        const Bytes piece = file.read(at, 100);
        if (!std::ranges::equal(piece, view(text).subspan(at, 100))) ++wrong[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<std::size_t>(4));
}

TEST_F(InputFileTest, what_cannot_be_read_is_refused_with_the_reason) {
  EXPECT_EQ(message_of([&] { InputFile{target_}; }), "cannot open: No such file or directory");
  EXPECT_EQ(message_of([&] { InputFile{directory_}; }), "is a directory");
  EXPECT_EQ(message_of([&] { InputFile{"/dev/zero"}; }), "not a seekable file");
  ASSERT_EQ(::mkfifo(target_.c_str(), 0600), 0);
  EXPECT_EQ(message_of([&] { InputFile{target_}; }), "not a seekable file");
}

TEST_F(InputFileTest, a_claim_past_the_end_is_refused_before_anything_is_allocated) {
  put(target_, "0123456789");
  const InputFile file(target_);
  EXPECT_EQ(message_of([&] { (void)file.read(0, UINT64_MAX); }), "the file ends early");
  EXPECT_EQ(message_of([&] { (void)file.read(5, UINT64_MAX - 2); }), "the file ends early");
  EXPECT_EQ(message_of([&] { (void)file.read(UINT64_MAX, 1); }), "the file ends early");
  EXPECT_EQ(message_of([&] { (void)file.read(8, 3); }), "the file ends early");
  Bytes three(3);
  EXPECT_EQ(message_of([&] { file.read(8, three); }), "the file ends early");
  EXPECT_EQ(message_of([&] { file.read(UINT64_MAX, three); }), "the file ends early");
}

TEST_F(InputFileTest, a_file_that_got_shorter_is_reported_with_the_offset) {
  put(target_, "0123456789");
  const InputFile file(target_);
  fs::resize_file(target_, 6);
  try {
    (void)file.read(4, 4);
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the file got shorter while it was read");
    EXPECT_EQ(error.offset_bytes(), std::optional<std::uint64_t>(6));
  }
}

TEST_F(InputFileTest, the_same_file_is_known_by_any_of_its_names) {
  put(target_, "x");
  put(directory_ / "other", "x");
  fs::create_symlink("target", directory_ / "link");
  fs::create_hard_link(target_, directory_ / "hard");
  const InputFile file(target_);
  EXPECT_TRUE(file.same_file_as(target_));
  EXPECT_TRUE(file.same_file_as(directory_ / "link"));
  EXPECT_TRUE(file.same_file_as(directory_ / "hard"));
  EXPECT_FALSE(file.same_file_as(directory_ / "other"));
  EXPECT_FALSE(file.same_file_as(directory_ / "missing"));
}

TEST_F(InputFileTest, a_moved_file_goes_on_reading) {
  put(target_, "0123");
  InputFile first(target_);
  InputFile second(std::move(first));
  EXPECT_EQ(second.read(1, 2), Bytes({'1', '2'}));
  first = std::move(second);
  EXPECT_EQ(first.read(1, 2), Bytes({'1', '2'}));
}

// ---- AtomicFile

TEST_F(AtomicFileTest, appears_under_its_name_only_at_commit) {
  AtomicFile file(target_);
  file.write(view("some "));
  file.write(view("bytes"));
  EXPECT_EQ(file.size_bytes(), 10U);
  EXPECT_FALSE(fs::exists(target_));
  const std::string temporary = fs::directory_iterator(directory_)->path().filename();
  EXPECT_EQ(temporary.find("target.tmp-" + std::to_string(::getpid()) + "-"), 0U) << temporary;
  file.commit();
  EXPECT_EQ(content(target_), "some bytes");
  EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFileTest, pieces_of_any_size_are_written_in_order) {
  std::string expected;
  AtomicFile file(target_);
  for (const std::size_t size :
       {1UL, 262'143UL, 0UL, 1UL, 262'144UL, 7UL, 1'000'000UL, 262'137UL}) {
    const std::string piece(size, static_cast<char>('a' + size % 26));
    file.write(view(piece));
    expected += piece;
    EXPECT_EQ(file.size_bytes(), expected.size());
  }
  file.commit();
  EXPECT_TRUE(content(target_) == expected);
}

TEST_F(AtomicFileTest, without_commit_nothing_is_left_and_the_target_is_untouched) {
  put(target_, "old");
  {
    AtomicFile file(target_);
    file.write(view(std::string(1'000'000, 'x')));
    EXPECT_EQ(files(), 2U);
  }
  EXPECT_EQ(files(), 1U);
  EXPECT_EQ(content(target_), "old");
}

TEST_F(AtomicFileTest, a_replaced_file_keeps_its_permission_bits) {
  put(target_, "old");
  fs::permissions(target_, fs::perms{0751});
  AtomicFile file(target_);
  file.write(view("new"));
  file.commit();
  EXPECT_EQ(content(target_), "new");
  EXPECT_EQ(permissions(target_), 0751U);
}

TEST_F(AtomicFileTest, a_new_file_has_the_permissions_that_the_umask_allows) {
  const mode_t before = ::umask(027);
  AtomicFile file(target_);
  ::umask(before);
  file.commit();
  EXPECT_EQ(permissions(target_), 0640U);
}

TEST_F(AtomicFileTest, what_replaces_a_private_file_is_private_from_the_start) {
  put(target_, "old");
  fs::permissions(target_, fs::perms{0600});
  const AtomicFile file(target_);
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_)) {
    EXPECT_EQ(permissions(entry.path()), 0600U) << entry.path();
  }
}

TEST_F(AtomicFileTest, a_link_stays_and_what_it_points_to_is_replaced) {
  fs::create_directory(directory_ / "elsewhere");
  put(directory_ / "elsewhere/real", "old");
  fs::create_symlink("elsewhere/real", directory_ / "link");
  fs::create_symlink(directory_ / "link", target_);
  AtomicFile file(target_);
  file.write(view("new"));
  file.commit();
  EXPECT_TRUE(fs::is_symlink(target_));
  EXPECT_TRUE(fs::is_symlink(directory_ / "link"));
  EXPECT_FALSE(fs::is_symlink(directory_ / "elsewhere/real"));
  EXPECT_EQ(content(directory_ / "elsewhere/real"), "new");
}

TEST_F(AtomicFileTest, a_dangling_link_stays_and_gets_its_file) {
  fs::create_symlink("real", target_);
  AtomicFile file(target_);
  file.write(view("new"));
  file.commit();
  EXPECT_TRUE(fs::is_symlink(target_));
  EXPECT_EQ(content(directory_ / "real"), "new");
}

TEST_F(AtomicFileTest, links_in_a_circle_are_refused) {
  fs::create_symlink("target", directory_ / "link");
  fs::create_symlink("link", target_);
  EXPECT_EQ(message_of([&] { AtomicFile{target_}; }),
            "cannot write: Too many levels of symbolic links");
}

TEST_F(AtomicFileTest, what_cannot_be_a_file_is_refused_with_the_reason) {
  EXPECT_EQ(message_of([&] { AtomicFile{directory_}; }), "is a directory");
  EXPECT_EQ(message_of([&] { AtomicFile{""}; }), "cannot write: No such file or directory");
  EXPECT_EQ(message_of([&] { AtomicFile{directory_ / "no/where"}; }),
            "cannot write: No such file or directory");
  EXPECT_EQ(message_of([&] { AtomicFile{target_ / ""}; }),
            "cannot write: No such file or directory");
  put(target_, "x");
  EXPECT_EQ(message_of([&] { AtomicFile{target_ / "below"}; }), "cannot write: Not a directory");
}

TEST_F(AtomicFileTest, without_permission_neither_a_directory_nor_a_protected_file_is_written) {
  put(target_, "old");
  fs::permissions(target_, fs::perms{0444});
  fs::create_directory(directory_ / "closed");
  fs::permissions(directory_ / "closed", fs::perms{0555});
  fs::permissions(directory_, fs::perms{0777});
  EXPECT_EQ(in_child([&] {
              constexpr uid_t kNobody = 65534;
              if (::geteuid() == 0 && ::setuid(kNobody) != 0) return false;
              const std::string denied = "cannot write: Permission denied";
              return message_of([&] { AtomicFile{target_}; }) == denied &&
                     message_of([&] { AtomicFile{directory_ / "closed/file"}; }) == denied;
            }),
            0);
}

TEST_F(AtomicFileTest, the_longest_name_can_be_written) {
  const fs::path longest = directory_ / std::string(255, 'n');
  AtomicFile file(longest);
  file.write(view("x"));
  file.commit();
  EXPECT_EQ(content(longest), "x");
}

TEST_F(AtomicFileTest, a_device_is_written_directly_and_stays_a_device) {
  ASSERT_TRUE(fs::is_character_file("/dev/zero"));  // else it would be replaced
  AtomicFile file("/dev/zero");
  file.write(view(std::string(1'000'000, 'x')));
  EXPECT_EQ(file.size_bytes(), 1'000'000U);
  file.commit();
  EXPECT_TRUE(fs::is_character_file("/dev/zero"));
}

TEST_F(AtomicFileTest, a_pipe_is_written_directly) {
  ASSERT_EQ(::mkfifo(target_.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = content(target_); });
  {
    AtomicFile file(target_);
    file.write(view("through"));
    file.commit();
  }
  reader.join();
  EXPECT_EQ(received, "through");
  EXPECT_TRUE(fs::is_fifo(target_));
}

TEST_F(AtomicFileTest, a_full_disk_is_reported_at_the_write_or_at_commit) {
  const std::string full = "cannot write: No space left on device";
  ASSERT_TRUE(fs::is_character_file("/dev/full"));
  AtomicFile large("/dev/full");
  EXPECT_EQ(message_of([&] { large.write(view(std::string(1'000'000, 'x'))); }), full);
  EXPECT_EQ(message_of([&] { large.write(view("x")); }), full);
  EXPECT_EQ(message_of([&] { large.commit(); }), full);
  AtomicFile small("/dev/full");
  small.write(view("x"));
  EXPECT_EQ(message_of([&] { small.commit(); }), full);
}

TEST_F(AtomicFileTest, a_file_over_the_limit_is_reported_and_removed) {
  EXPECT_EQ(in_child([&] {
              ::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{300'000, 300'000};
              if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
              AtomicFile file(target_);
              file.write(view(std::string(200'000, 'x')));
              const std::string large = "cannot write: File too large";
              const std::string piece(200'000, 'y');
              // The first is buffered, the second flushes the first, the third meets the limit.
              file.write(view(piece));
              return message_of([&] { file.write(view(piece)); }) == large &&
                     message_of([&] { file.commit(); }) == large;
            }),
            0);
  EXPECT_EQ(files(), 0U);
}

TEST_F(AtomicFileTest, a_device_that_took_the_targets_place_is_not_renamed_over) {
  AtomicFile file(target_);
  file.write(view("x"));
  ASSERT_EQ(::mkfifo(target_.c_str(), 0600), 0);
  EXPECT_EQ(message_of([&] { file.commit(); }), "cannot write: no longer a regular file");
  EXPECT_TRUE(fs::is_fifo(target_));
}

TEST_F(AtomicFileTest, a_change_of_directory_does_not_matter) {
  EXPECT_EQ(in_child([&] {
              fs::current_path(directory_);
              AtomicFile file("target");
              file.write(view("x"));
              fs::current_path("/");
              file.commit();
              return true;
            }),
            0);
  EXPECT_EQ(content(target_), "x");
}

TEST_F(AtomicFileTest, a_moved_file_is_committed_once) {
  AtomicFile first(target_);
  first.write(view("x"));
  AtomicFile second(std::move(first));
  second.commit();
  EXPECT_EQ(content(target_), "x");
  EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFileTest, more_files_than_the_handler_knows_are_written_all_the_same) {
  std::vector<AtomicFile> open;
  for (int i = 0; i < 40; ++i) open.emplace_back(directory_ / std::to_string(i));
  for (int i = 0; i < 40; i += 2) open[static_cast<std::size_t>(i)].commit();
  open.clear();
  EXPECT_EQ(files(), 20U);
}

// A child with an open file tells through a pipe that it is ready, and waits for its end.
class Waiting {
 public:
  Waiting(const std::function<void()>& set_up, const fs::path& target) {
    int ends[2] = {};
    EXPECT_EQ(::pipe(ends), 0);
    child_ = ::fork();
    if (child_ == 0) {
      set_up();
      AtomicFile committed(target.string() + "-committed");
      committed.commit();
      AtomicFile first(target);
      AtomicFile second(target.string() + "-second");
      first.write(view(std::string(1'000'000, 'x')));
      if (::write(ends[1], "r", 1) != 1) ::_exit(1);
      while (true) ::pause();
    }
    ::close(ends[1]);
    char ready = 0;
    EXPECT_EQ(::read(ends[0], &ready, 1), 1);
    ::close(ends[0]);
  }
  // How the child ended.
  int kill_with(int signal_number) const {
    ::kill(child_, signal_number);
    int status = 0;
    EXPECT_EQ(::waitpid(child_, &status, 0), child_);
    return status;
  }

 private:
  pid_t child_ = -1;
};

TEST_F(AtomicFileTest, a_signal_removes_the_temporary_files_and_ends_the_process_by_that_signal) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    const Waiting child([&] { ::signal(number, SIG_DFL); }, target_);
    EXPECT_EQ(files(), 3U);
    const int status = child.kill_with(number);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), number);
    EXPECT_EQ(files(), 1U);
    EXPECT_TRUE(fs::exists(target_.string() + "-committed"));
    fs::remove(target_.string() + "-committed");
  }
}

TEST_F(AtomicFileTest, a_signal_in_a_forked_child_leaves_the_parents_file) {
  AtomicFile file(target_);
  file.write(view("parent's"));
  EXPECT_EQ(WTERMSIG(in_child([&] {
              ::signal(SIGTERM, SIG_DFL);
              AtomicFile own(directory_ / "own");
              ::raise(SIGTERM);
              return true;
            })),
            SIGTERM);
  EXPECT_EQ(files(), 1U);
  file.commit();
  EXPECT_EQ(content(target_), "parent's");
}

TEST_F(AtomicFileTest, ignored_and_handled_signals_stay_as_the_program_set_them) {
  EXPECT_EQ(in_child([&] {
              static volatile std::sig_atomic_t handled = 0;
              ::signal(SIGHUP, SIG_IGN);
              ::signal(SIGTERM, [](int) { handled = 1; });
              AtomicFile file(target_);
              file.write(view("x"));
              ::raise(SIGHUP);
              ::raise(SIGTERM);
              file.commit();
              return handled == 1;
            }),
            0);
  EXPECT_EQ(content(target_), "x");
}

// ---- InPlaceFile

TEST_F(InPlaceFileTest, what_is_marked_complete_is_under_its_name_at_once) {
  put(target_, "what was there before");
  InPlaceFile file(target_);
  EXPECT_EQ(content(target_), "");
  file.write(view("one "));
  EXPECT_EQ(file.size_bytes(), 4U);
  file.mark_complete();
  EXPECT_EQ(content(target_), "one ");
  file.write(view("two"));
  file.commit();
  EXPECT_EQ(content(target_), "one two");
  EXPECT_EQ(files(), 1U);
}

TEST_F(InPlaceFileTest, without_a_commit_what_was_complete_stays) {
  {
    InPlaceFile file(target_);
    file.write(view("complete"));
    file.mark_complete();
    file.write(view(std::string(1'000'000, 'x')));  // more than is buffered
    EXPECT_GT(fs::file_size(target_), 1'000'000U);
    file.write(view("y"));
  }
  EXPECT_EQ(content(target_), "complete");
}

TEST_F(InPlaceFileTest, a_write_that_fails_leaves_what_was_complete_and_another_may_follow) {
  EXPECT_EQ(in_child([&] {
              ::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{300'000, 300'000};
              if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
              InPlaceFile file(target_);
              file.write(view("complete"));
              file.mark_complete();
              const std::string large(400'000, 'x');
              if (message_of([&] { file.write(view(large)); }) != "cannot write: File too large") {
                return false;
              }
              if (content(target_) != "complete" || file.size_bytes() != 8) return false;
              file.write(view(" again"));
              file.commit();
              return true;
            }),
            0);
  EXPECT_EQ(content(target_), "complete again");
}

TEST_F(InPlaceFileTest, what_cannot_be_written_is_refused_with_the_reason) {
  EXPECT_EQ(message_of([&] { InPlaceFile{""}; }), "cannot write: No such file or directory");
  EXPECT_EQ(message_of([&] { InPlaceFile{directory_}; }), "is a directory");
  EXPECT_EQ(message_of([&] { InPlaceFile{directory_ / "no" / "where"}; }),
            "cannot write: No such file or directory");
}

TEST_F(InPlaceFileTest, a_file_that_has_lost_its_name_is_not_called_written) {
  InPlaceFile file(target_);
  file.write(view("x"));
  fs::remove(target_);
  EXPECT_EQ(message_of([&] { file.commit(); }), "cannot write: the file has been removed");
}

TEST_F(InPlaceFileTest, a_device_is_written_directly) {
  InPlaceFile file("/dev/null");
  file.write(view(std::string(1'000'000, 'x')));
  file.mark_complete();
  file.write(view("x"));
  file.commit();
}

}  // namespace
}  // namespace pathspool::base
