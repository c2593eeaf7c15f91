#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "pathspool/compiler.h"
#include "pathspool/error.h"
#include "recorder/wrapper/clang_arguments.h"

namespace pathspool {
namespace {

using Words = std::vector<std::string>;

Toolchain some_toolchain() { return {19, "/bin/clang-19", "/bin/clang++-19", "/lib/pathspool"}; }

CompilerCommand command_for(const Words& arguments, Language language = Language::c) {
  return compiler_command(language, parse_wrapper_options(arguments), some_toolchain());
}

bool has(const CompilerCommand& command, const std::string& word) {
  return std::ranges::find(command.arguments, word) != command.arguments.end();
}

bool loads_the_pass(const CompilerCommand& command) {
  return has(command, "-fpass-plugin=/lib/pathspool/pathspool_pass_19.so");
}

bool links_the_runtime(const CompilerCommand& command) {
  return has(command, "/lib/pathspool/libpathspool_rt.so") ||
         has(command, "/lib/pathspool/libpathspool_rt.a");
}

TEST(CompilerCommand, commands_that_make_no_code_are_left_alone) {
  for (const Words& arguments :
       {Words{"-E", "a.c"}, Words{"--version"}, Words{"-v"}, Words{"-print-search-dirs"},
        Words{"-M", "a.c"}, Words{"-MM", "a.c"}, Words{"-fsyntax-only", "a.c"},
        Words{"-###", "a.c"}, Words{"-dumpmachine"}, Words{}, Words{"-x", "c"},
        Words{"-o", "out"}}) {
    const CompilerCommand command = command_for(arguments);
    EXPECT_EQ(command.arguments, arguments);
    EXPECT_TRUE(command.pass_options.empty());
  }
}

TEST(CompilerCommand, compiling_loads_the_pass_and_links_nothing) {
  for (const char* step : {"-c", "-S"}) {
    const CompilerCommand command = command_for({step, "a.c"});
    EXPECT_TRUE(loads_the_pass(command));
    EXPECT_FALSE(links_the_runtime(command));
  }
}

TEST(CompilerCommand, a_link_line_without_sources_links_the_runtime) {
  const CompilerCommand command = command_for({"a.o", "b.o", "-o", "prog"});
  EXPECT_TRUE(links_the_runtime(command));
  EXPECT_TRUE(has(command, "/lib/pathspool/pathspool_start.o"));
  EXPECT_TRUE(has(command, "-Wl,-rpath,/lib/pathspool"));
}

TEST(CompilerCommand, dependencies_as_a_side_effect_are_still_a_compilation) {
  EXPECT_TRUE(loads_the_pass(command_for({"-MD", "-MF", "a.d", "-c", "a.c"})));
}

TEST(CompilerCommand, a_shared_library_has_no_start_file) {
  const CompilerCommand command = command_for({"-shared", "a.o", "-o", "liba.so"});
  EXPECT_TRUE(links_the_runtime(command));
  EXPECT_FALSE(has(command, "/lib/pathspool/pathspool_start.o"));
}

TEST(CompilerCommand, a_static_program_has_the_runtime_in_it) {
  const CompilerCommand command = command_for({"-static", "a.c"});
  EXPECT_TRUE(has(command, "/lib/pathspool/libpathspool_rt.a"));
  EXPECT_FALSE(has(command, "/lib/pathspool/libpathspool_rt.so"));
}

TEST(CompilerCommand, a_relocatable_object_is_not_linked_with_the_runtime) {
  EXPECT_FALSE(links_the_runtime(command_for({"-r", "a.o", "b.o", "-o", "c.o"})));
}

TEST(CompilerCommand, the_language_chooses_the_program) {
  EXPECT_EQ(command_for({"a.c"}).program, "/bin/clang-19");
  EXPECT_EQ(command_for({"a.c"}, Language::cxx).program, "/bin/clang++-19");
}

TEST(CompilerCommand, lines_are_asked_for_and_dropped_again_unless_the_user_wants_them) {
  EXPECT_TRUE(has(command_for({"-c", "a.c"}), "-gline-tables-only"));
  EXPECT_NE(command_for({"-c", "a.c"}).pass_options.find("strip-debug=1"), std::string::npos);
  for (const char* debug : {"-g", "-g1", "-ggdb3", "-gdwarf-4", "-gline-tables-only"}) {
    const CompilerCommand command = command_for({debug, "-c", "a.c"});
    EXPECT_EQ(command.pass_options.find("strip-debug"), std::string::npos) << debug;
    EXPECT_EQ(std::ranges::count(command.arguments, "-gline-tables-only"),
              std::string(debug) == "-gline-tables-only" ? 1 : 0);
  }
  EXPECT_TRUE(has(command_for({"-g", "-g0", "-c", "a.c"}), "-gline-tables-only"));
}

TEST(CompilerCommand, our_options_do_not_reach_clang) {
  const CompilerCommand command = command_for(
      {"-F", "parse*", "-c", "a.c", "--pathspool-stage=optimized", "--pathspool-exclude=log"});
  EXPECT_EQ(command.pass_options,
            "stage=optimized\ninclude=parse*\nexclude=log\nmarked=1\nstrip-debug=1");
  for (const std::string& word : command.arguments) EXPECT_FALSE(word.starts_with("--pathspool"));
  EXPECT_EQ(command.arguments[0], "-c");
}

TEST(CompilerCommand, an_option_of_clang_that_looks_like_ours_stays_clangs) {
  const WrapperOptions options = parse_wrapper_options(Words{"-c", "-F", "folder", "a.c"});
  EXPECT_TRUE(options.include.empty());
  EXPECT_EQ(options.compiler_arguments, (Words{"-c", "-F", "folder", "a.c"}));
}

TEST(CompilerCommand, what_makes_no_sense_is_refused) {
  for (const Words& arguments : {Words{"--pathspool-stage=late"}, Words{"--pathspool-stage"},
                                 Words{"--pathspool-colour=red"}, Words{"--pathspool-clang=new"},
                                 Words{"-F"}, Words{"-N", ""}, Words{"--pathspool-mode=all"},
                                 Words{"--pathspool-include=a\nexclude=b"}}) {
    EXPECT_THROW((void)parse_wrapper_options(arguments), Error);
  }
}

TEST(CompilerCommand, values_of_options_are_no_inputs) {
  EXPECT_TRUE(wrapper::read_clang_arguments(Words{"-I", "folder", "-D", "X=1"}).makes_no_code);
  EXPECT_FALSE(wrapper::read_clang_arguments(Words{"-x", "c", "-"}).makes_no_code);
  EXPECT_FALSE(wrapper::read_clang_arguments(Words{"@response"}).makes_no_code);
}

}  // namespace
}  // namespace pathspool
