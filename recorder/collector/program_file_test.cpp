#include "recorder/collector/program_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "pathspool/wire/module.h"

namespace pathspool::collector {
namespace {

// Makes this test an instrumented program, as far as its file tells.
__attribute__((section(PATHSPOOL_MODULE_SECTION), used)) wire::Module module_of_this_file = {
    wire::kModuleVersion, 0, 1, static_cast<std::uint32_t>(wire::Mode::bits), 0, 0, nullptr};

TEST(ProgramFile, tells_the_mode_that_a_program_was_built_for) {
  EXPECT_EQ(read_program_facts("/proc/self/exe").mode,
            static_cast<std::uint32_t>(wire::Mode::bits));
}

TEST(ProgramFile, a_build_id_is_hexadecimal) {
  const std::string id = read_program_facts("/proc/self/exe").build_id;
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(ProgramFile, what_is_no_program_tells_nothing) {
  for (const char* path : {"/proc/self/status", "/nowhere", "/", "/dev/null"}) {
    const ProgramFacts facts = read_program_facts(path);
    EXPECT_FALSE(facts.mode) << path;
    EXPECT_EQ(facts.build_id, "") << path;
  }
}

TEST(ProgramFile, no_bytes_do_harm) {
  std::ifstream input("/bin/true", std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(input), {}};
  ASSERT_FALSE(good.empty());
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("pathspool-elf-" + std::to_string(::getpid()));
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string bad = good;
    for (int i = 0; i < 20; ++i) bad[random() % 64] = static_cast<char>(random());
    bad.replace(0, 4, "\177ELF");
    if (round % 3 == 0) bad[4] = 2;
    if (round % 5 == 0) bad.resize(random() % bad.size());
    std::ofstream(path, std::ios::binary) << bad;
    static_cast<void>(read_program_facts(path));
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace pathspool::collector
