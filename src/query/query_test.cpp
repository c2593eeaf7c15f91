// Parsing queries and finding out what they mean.
#include <gtest/gtest.h>

#include "pathspool/error.h"
#include "pathspool/find.h"

namespace pathspool {
namespace {

Function function_in(const std::string& file, const std::string& name,
                     const std::string& demangled = "") {
  Function function;
  function.name = name;
  function.demangled = demangled;
  function.file = file;
  function.blocks.resize(3);
  function.blocks[0].lines = {10, 11};
  function.blocks[1].lines = {11, 12};
  return function;
}

std::string error_of(const FunctionTable& functions, std::string_view query) {
  try {
    static_cast<void>(resolve_query(functions, parse_query(query)));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::vector<FunctionId> meant_by(const FunctionTable& functions, std::string_view query) {
  std::vector<FunctionId> ids;
  for (const Path& path : resolve_query(functions, parse_query(query)).paths) {
    ids.push_back(path.function);
  }
  return ids;
}

TEST(Query, splits_at_the_last_colon_that_a_blank_follows) {
  EXPECT_EQ(parse_query("f: B1").function, "f");
  EXPECT_EQ(parse_query("a: b: B1").function, "a: b");
  EXPECT_EQ(parse_query("  std::x(int, a::b) :\tB1").function, "std::x(int, a::b)");
  EXPECT_EQ(parse_query("f.c:f: :1 f.c:2").function, "f.c:f");
  EXPECT_EQ(parse_query("\"f: \\\"\": B1").function, "f: \"");
}

TEST(Query, steps_are_blocks_or_lines) {
  const ParsedQuery query = parse_query("f: B4294967295, :7 a/b.c:8");
  ASSERT_EQ(query.steps.size(), 3U);
  EXPECT_EQ(query.steps[0].block, BlockId{UINT32_MAX});
  EXPECT_EQ(query.steps[1].line, 7U);
  EXPECT_EQ(query.steps[1].file, "");
  EXPECT_EQ(query.steps[2].line, 8U);
  EXPECT_EQ(query.steps[2].file, "a/b.c");
}

TEST(Query, malformed_ones_are_refused) {
  for (const std::string_view text : {"", ":", "f", "f:", "f:B1", ": B1", "f: B0", "f: B", "f: B1x",
                                      "f: B4294967296", "f: :", "f: :0", "f: :x", "f: :4294967296",
                                      "f: g", "\"f: B1", "\"f\" B1", "\"\\q\": B1", "\"\": B1"}) {
    EXPECT_THROW(static_cast<void>(parse_query(text)), Error) << text;
  }
}

TEST(Query, a_name_in_several_files_is_ambiguous_until_the_file_is_said) {
  FunctionTable functions;
  functions.add(function_in("src/a.c", "parse"));
  functions.add(function_in("src/b.c", "parse"));
  EXPECT_EQ(error_of(functions, "parse: B1"),
            "'parse' is ambiguous: it could be src/a.c:parse, src/b.c:parse");
  EXPECT_EQ(meant_by(functions, "a.c:parse: B1"), std::vector{FunctionId{0}});
  EXPECT_EQ(meant_by(functions, "src/b.c:parse: B1"), std::vector{FunctionId{1}});
  EXPECT_TRUE(meant_by(functions, "c:parse: B1").empty());
}

TEST(Query, copies_of_one_function_are_asked_together) {
  FunctionTable functions;
  functions.add(function_in("a.h", "_ZN1AC1Ev", "A::A()"));
  functions.add(function_in("a.h", "_ZN1AC2Ev", "A::A()"));
  EXPECT_EQ(meant_by(functions, "A::A(): B1"), (std::vector{FunctionId{0}, FunctionId{1}}));
  EXPECT_EQ(meant_by(functions, "A::A: B1"), (std::vector{FunctionId{0}, FunctionId{1}}));
  EXPECT_EQ(meant_by(functions, "_ZN1AC2Ev: B1"), std::vector{FunctionId{1}});
}

TEST(Query, overloads_need_their_parameters) {
  FunctionTable functions;
  functions.add(function_in("a.h", "_Z1fi", "f(int)"));
  functions.add(function_in("a.h", "_Z1fc", "f(char)"));
  EXPECT_EQ(error_of(functions, "f: B1"), "'f' is ambiguous: it could be a.h:f(char), a.h:f(int)");
  EXPECT_EQ(meant_by(functions, "f(int): B1"), std::vector{FunctionId{0}});
  EXPECT_EQ(meant_by(functions, "a.h:f(char): B1"), std::vector{FunctionId{1}});
  EXPECT_TRUE(meant_by(functions, "int: B1").empty());
}

TEST(Query, scopes_and_template_arguments_may_be_left_out) {
  FunctionTable functions;
  functions.add(function_in("src/a.cc", "_1", "int ns::A<ns::B>::run(ns::C<int>&) const"));
  functions.add(function_in("src/a.cc", "_2", "void ns::work<int>(ns::C<int>)"));
  functions.add(function_in("src/b.cc", "_3", "void ns::work<char>(ns::C<char>)"));
  functions.add(function_in("src/b.cc", "_4", "other::run()"));
  functions.add(function_in("src/b.cc", "_5", "run()"));
  const auto only = [](std::uint32_t id) { return std::vector{FunctionId{id}}; };
  EXPECT_EQ(meant_by(functions, "ns::A<ns::B>::run: B1"), only(0));
  EXPECT_EQ(meant_by(functions, "ns::A::run: B1"), only(0));
  EXPECT_EQ(meant_by(functions, "A::run: B1"), only(0));
  EXPECT_EQ(meant_by(functions, "a.cc:run: B1"), only(0));
  EXPECT_EQ(meant_by(functions, "a.cc:ns::A::run: B1"), only(0));
  EXPECT_EQ(meant_by(functions, "work<int>: B1"), only(1));
  EXPECT_EQ(meant_by(functions, "b.cc:work: B1"), only(2));
  EXPECT_EQ(meant_by(functions, "run: B1"), only(4));  // all of it, rather than an end
  EXPECT_NE(error_of(functions, "work: B1"), "");
  for (const char* name : {"C", "B", "ns::C", "A", "ns::A", "ns", "int", "un"}) {
    EXPECT_TRUE(meant_by(functions, std::string(name) + ": B1").empty()) << name;
  }
}

TEST(Query, what_is_absent_comes_with_what_could_have_been_meant) {
  FunctionTable functions;
  functions.add(function_in("src/a.c", "parse"));
  functions.add(function_in("src/b.cc", "_1", "void ns::Solver::propagate(int, char const*)"));
  functions.add(function_in("src/b.cc", "_2", "main2"));
  const auto absent = [&](std::string_view text) {
    return resolve_query(functions, parse_query(text)).absent;
  };
  EXPECT_EQ(absent("b.c:parse: B1"), "no function 'b.c:parse': parse is in src/a.c");
  EXPECT_TRUE(absent("Solver::propogate: B1")
                  .starts_with("no function 'Solver::propogate': the closest names are void "
                               "ns::Solver::propagate(int, char const*), "));
}

TEST(Query, a_line_is_any_block_that_has_it) {
  FunctionTable functions;
  functions.add(function_in("src/a.c", "f"));
  const Query query = resolve_query(functions, parse_query("f: :11 a.c:10 B3"));
  ASSERT_EQ(query.paths.size(), 1U);
  EXPECT_EQ(query.paths[0].steps, (std::vector<std::vector<BlockId>>{
                                      {BlockId{1}, BlockId{2}}, {BlockId{1}}, {BlockId{3}}}));
}

TEST(Query, what_is_well_formed_and_not_there_is_told_without_an_error) {
  FunctionTable functions;
  functions.add(function_in("src/a.c", "parse"));
  functions.add(function_in("src/a.c", "pause"));
  const auto absent = [&](std::string_view text) {
    const Query query = resolve_query(functions, parse_query(text));
    EXPECT_TRUE(query.paths.empty());
    return query.absent;
  };
  EXPECT_EQ(absent("prase: B1"), "no function 'prase': the closest names are parse, pause");
  EXPECT_EQ(absent("parse: B4"), "parse has no block B4: it has 3");
  EXPECT_EQ(absent("parse: :13"), "parse has no block with line 13: its lines are 10 to 12");
  EXPECT_EQ(absent("parse: b.c:11"), "parse is in src/a.c, not in b.c");
}

TEST(Query, lines_that_nobody_knows_are_an_error) {
  FunctionTable functions;
  static_cast<void>(functions.intern("f"));
  EXPECT_EQ(error_of(functions, "f: :1"), "the lines of f are not known: name its blocks");
  EXPECT_EQ(meant_by(functions, "f: B1"), std::vector{FunctionId{0}});
}

}  // namespace
}  // namespace pathspool
