#include "pathspool/function_table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace pathspool {
namespace {

Function function_in(const std::string& file, const std::string& name) {
  Function function;
  function.name = name;
  function.file = file;
  return function;
}

TEST(FunctionTable, functions_are_numbered_from_0_in_order) {
  FunctionTable table;
  EXPECT_EQ(table.size(), 0U);
  EXPECT_EQ(table.add(function_in("a.c", "f")), FunctionId{0});
  EXPECT_EQ(table.intern("g"), FunctionId{1});
  EXPECT_EQ(table.add(function_in("b.c", "f")), FunctionId{2});
  EXPECT_EQ(table.size(), 3U);
  EXPECT_EQ(table[FunctionId{0}], function_in("a.c", "f"));
  EXPECT_EQ(table[FunctionId{1}], function_in("", "g"));
}

TEST(FunctionTable, interning_a_name_again_gives_the_same_function) {
  FunctionTable table;
  const FunctionId f = table.intern("f");
  const FunctionId empty = table.intern("");
  EXPECT_NE(f, empty);
  EXPECT_EQ(table.intern("f"), f);
  EXPECT_EQ(table.intern(""), empty);
  EXPECT_EQ(table.size(), 2U);
}

TEST(FunctionTable, interning_passes_over_functions_with_a_file) {
  FunctionTable table;
  const FunctionId in_a = table.add(function_in("a.c", "f"));
  const FunctionId interned = table.intern("f");
  EXPECT_NE(interned, in_a);
  EXPECT_EQ(table[interned], function_in("", "f"));
  EXPECT_EQ(table.intern("f"), interned);
}

TEST(FunctionTable, a_name_in_one_file_is_shown_alone) {
  FunctionTable table;
  const FunctionId f = table.add(function_in("src/a.c", "f"));
  const FunctionId again = table.add(function_in("src/a.c", "f"));
  const FunctionId other = table.add(function_in("src/b.c", "g"));
  EXPECT_EQ(table.display_name(f), "f");
  EXPECT_EQ(table.display_name(again), "f");
  EXPECT_EQ(table.display_name(other), "g");
}

TEST(FunctionTable, a_name_in_several_files_is_shown_with_the_last_part_of_its_file) {
  FunctionTable table;
  const FunctionId in_a = table.add(function_in("/src/lib/a.c", "f"));
  EXPECT_EQ(table.display_name(in_a), "f");
  const FunctionId in_b = table.add(function_in("b.c", "f"));
  EXPECT_EQ(table.display_name(in_a), "a.c:f");
  EXPECT_EQ(table.display_name(in_b), "b.c:f");
}

TEST(FunctionTable, a_function_without_a_file_is_shown_by_its_name) {
  FunctionTable table;
  const FunctionId in_a = table.add(function_in("a.c", "f"));
  const FunctionId bare = table.intern("f");
  EXPECT_EQ(table.display_name(bare), "f");
  EXPECT_EQ(table.display_name(in_a), "a.c:f");
}

TEST(FunctionTable, functions_are_found_by_name_in_order) {
  FunctionTable table;
  const FunctionId first = table.add(function_in("b.c", "f"));
  table.intern("g");
  const FunctionId second = table.intern("f");
  const FunctionId third = table.add(function_in("a.c", "f"));
  EXPECT_EQ(table.named("f"), (std::vector{first, second, third}));
  EXPECT_TRUE(table.named("h").empty());
  EXPECT_TRUE(table.named("a.c:f").empty());
}

Function demangled_in(const std::string& file, const std::string& name,
                      const std::string& demangled) {
  Function function = function_in(file, name);
  function.demangled = demangled;
  return function;
}

TEST(FunctionTable, functions_are_found_by_either_name) {
  FunctionTable table;
  const FunctionId f = table.add(demangled_in("a.cpp", "_Z1fi", "f(int)"));
  const FunctionId same = table.add(demangled_in("a.c", "main", "main"));
  const FunctionId clone = table.add(demangled_in("b.cpp", "_Z1fi.cold", "f(int)"));
  EXPECT_EQ(table.named("_Z1fi"), std::vector{f});
  EXPECT_EQ(table.named("f(int)"), (std::vector{f, clone}));
  EXPECT_EQ(table.named("main"), std::vector{same});
  EXPECT_TRUE(table.named("f").empty());
}

TEST(FunctionTable, the_text_form_has_the_linkers_name_and_people_get_the_other) {
  FunctionTable table;
  const FunctionId f = table.add(demangled_in("a.cpp", "_Z1fi", "f(int)"));
  const FunctionId bare = table.intern("g");
  EXPECT_EQ(table.display_name(f), "_Z1fi");
  EXPECT_EQ(table.readable_name(f), "f(int)");
  EXPECT_EQ(table.readable_name(bare), "g");
  const FunctionId clone = table.add(demangled_in("b.cpp", "_Z1fi.cold", "f(int)"));
  EXPECT_EQ(table.display_name(f), "_Z1fi");
  EXPECT_EQ(table.readable_name(f), "a.cpp:f(int)");
  EXPECT_EQ(table.readable_name(clone), "b.cpp:f(int)");
}

// The names of a text are those that the linker knows.
TEST(FunctionTable, interning_passes_over_demangled_names) {
  FunctionTable table;
  const FunctionId f = table.add(demangled_in("", "_Z1fi", "f(int)"));
  const FunctionId interned = table.intern("f(int)");
  EXPECT_NE(interned, f);
  EXPECT_EQ(table.intern("f(int)"), interned);
  EXPECT_EQ(table.intern("_Z1fi"), f);
}

TEST(FunctionTable, blocks_are_found_by_id) {
  Function function;
  EXPECT_EQ(function.block(BlockId{1}), nullptr);
  function.blocks.resize(2);
  EXPECT_EQ(function.block(BlockId{0}), nullptr);
  EXPECT_EQ(function.block(BlockId{1}), &function.blocks[0]);
  EXPECT_EQ(function.block(BlockId{2}), &function.blocks[1]);
  EXPECT_EQ(function.block(BlockId{3}), nullptr);
}

RC_GTEST_PROP(FunctionTable, interning_agrees_with_a_map, (const std::vector<std::string>& names)) {
  FunctionTable table;
  std::map<std::string, FunctionId> reference;
  for (const std::string& name : names) {
    const FunctionId next{static_cast<std::uint32_t>(reference.size())};
    RC_ASSERT(table.intern(name) == reference.try_emplace(name, next).first->second);
  }
  RC_ASSERT(table.size() == reference.size());
  for (const auto& [name, id] : reference) {
    RC_ASSERT(table[id].name == name);
    RC_ASSERT(table.display_name(id) == name);
    RC_ASSERT(table.named(name) == std::vector{id});
  }
}

}  // namespace
}  // namespace pathspool
