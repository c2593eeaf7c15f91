// Files in the repository: those that must decode to a known text for ever, and those that must be
// refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "pathspool/spool.h"
#include "support/portrait.h"
#include "support/scratch.h"

namespace pathspool {
namespace {

const std::filesystem::path kGolden = std::filesystem::path(PATHSPOOL_SOURCE_DIR) / "tests/golden";

std::vector<std::filesystem::path> spools_in(const char* directory) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kGolden / directory)) {
    if (entry.path().extension() == ".spool") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

TEST(KeptFiles, accepted_ones_say_what_they_always_said) {
  const auto paths = spools_in("accepted");
  ASSERT_GE(paths.size(), 8U);
  for (const auto& path : paths) {
    SCOPED_TRACE(path.filename());
    const base::Bytes expected =
        testing::read_whole(std::filesystem::path(path).replace_extension(".txt"));
    EXPECT_EQ(testing::portrait(Spool::open(path)), std::string(expected.begin(), expected.end()));
    const CheckReport report = check(path);
    EXPECT_TRUE(report.problems.empty());
    EXPECT_EQ(report.truncation.has_value(), path.stem() == "cut_short");
  }
}

TEST(KeptFiles, refused_ones_are_refused_with_a_line_that_says_why) {
  const auto paths = spools_in("refused");
  ASSERT_GE(paths.size(), 8U);
  for (const auto& path : paths) {
    SCOPED_TRACE(path.filename());
    try {
      static_cast<void>(Spool::open(path));
      ADD_FAILURE() << "was opened";
    } catch (const Error& error) {
      EXPECT_GT(std::string_view(error.what()).size(), 10U);
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
    }
    try {
      EXPECT_FALSE(check(path).problems.empty());
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace pathspool
