#include "spool/function_list.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "pathspool/error.h"
#include "spool/contents.h"

namespace pathspool::spool {
namespace {

// Through a file, section by section, as a spool does it.
class FunctionList : public ::testing::Test {
 protected:
  FunctionList() : path_(testing::TempDir() + "/pathspool-functions-" + std::to_string(getpid())) {}
  ~FunctionList() override { std::filesystem::remove(path_); }

  std::size_t write(const FunctionTable& functions) {
    base::AtomicFile file(path_);
    file.write(encode_file_header());
    std::size_t sections = 0;
    for (std::size_t first = 0; first < functions.size() || sections == 0; ++sections) {
      const FunctionsDraft draft = draft_functions(functions, first);
      write_section(file, draft.section);
      if (draft.end == first) break;
      first = draft.end;
    }
    file.commit();
    return sections;
  }

  [[nodiscard]] std::vector<Function> read() const {
    const base::InputFile file(path_);
    FunctionTable table;
    for (const SectionEntry& entry : walk_contents(file).entries) {
      read_functions(read_section(file, entry.ref), table);
    }
    std::vector<Function> functions;
    for (std::uint32_t id = 0; id < table.size(); ++id) functions.push_back(table[FunctionId{id}]);
    return functions;
  }

  void expect_kept(const std::vector<Function>& functions) {
    FunctionTable table;
    for (const Function& function : functions) table.add(function);
    write(table);
    EXPECT_EQ(read(), functions);
  }

  std::filesystem::path path_;
};

Function named(std::string name) {
  Function function;
  function.name = std::move(name);
  return function;
}

TEST_F(FunctionList, no_functions_and_functions_of_nothing_come_back) {
  expect_kept({});
  expect_kept({named("")});
  expect_kept(std::vector(100'000, named("")));
}

TEST_F(FunctionList, the_largest_numbers_come_back) {
  Function function = named("f");
  function.line = UINT32_MAX;
  function.blocks.resize(3);
  function.blocks[0].lines = {0, UINT32_MAX, 0};
  function.blocks[1].lines = {UINT32_MAX};
  function.blocks[2].successors = {BlockId{1}, BlockId{3}, BlockId{2}, BlockId{3}};
  expect_kept({function, named("g"), function});
}

TEST_F(FunctionList, strings_that_are_used_again_are_stored_once) {
  const std::string text(10'000, 'x');
  Function function = named(text);
  function.demangled = text;
  function.file = text;
  function.blocks.resize(1);
  function.blocks[0].calls = {{CallKind::direct, text}, {CallKind::external, text}};
  expect_kept({function, function});
  EXPECT_LT(std::filesystem::file_size(path_), 1000U);
}

// A list that would be too short for what it says is padded, not refused.
TEST_F(FunctionList, long_names_called_from_many_places_come_back) {
  const std::string text(3000, 'x');
  Function function = named("f");
  function.blocks.resize(1);
  function.blocks[0].calls.assign(2000, {CallKind::direct, text});
  expect_kept({function});
  EXPECT_GT(std::filesystem::file_size(path_), 2000 * text.size() / 1024);
  function.blocks[0].calls.resize(10);
  expect_kept({function});
}

TEST_F(FunctionList, a_large_table_takes_several_sections) {
  FunctionTable table;
  std::vector<Function> functions;
  for (int i = 0; i < 70; ++i) {
    functions.push_back(named(std::string(1 << 20, static_cast<char>('0' + i))));
    table.add(functions.back());
  }
  EXPECT_GE(write(table), 3U);
  EXPECT_EQ(read(), functions);
}

TEST_F(FunctionList, a_successor_that_is_not_there_cannot_be_written) {
  for (const std::uint32_t successor : {0U, 2U, UINT32_MAX}) {
    FunctionTable table;
    Function function = named("f");
    function.blocks.resize(1);
    function.blocks[0].successors = {BlockId{successor}};
    table.add(function);
    EXPECT_THROW(static_cast<void>(draft_functions(table, 0)), Error);
  }
}

TEST_F(FunctionList, terminators_and_calls_of_no_known_kind_cannot_be_written) {
  FunctionTable table;
  Function function = named("f");
  function.blocks.resize(1);
  function.blocks[0].terminator = Terminator{9};
  table.add(function);
  EXPECT_THROW(static_cast<void>(draft_functions(table, 0)), Error);
  function.blocks[0] = {{}, Terminator::returned, {}, {{CallKind{3}, "g"}}};
  table.add(function);
  EXPECT_THROW(static_cast<void>(draft_functions(table, 1)), Error);
}

}  // namespace
}  // namespace pathspool::spool
