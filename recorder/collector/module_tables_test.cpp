#include "recorder/collector/module_tables.h"

#include <gtest/gtest.h>

#include <random>

#include "pathspool/error.h"
#include "recorder/collector/test_program.h"

namespace pathspool::collector {
namespace {

using testing::encode_table;
using testing::function_named;
using wire::kFirstModuleBase;

struct Tables {
  FunctionTable functions;
  FunctionNumbers numbers;
  ModuleTables tables;
  explicit Tables(FunctionFilter filter = {}) : tables(functions, numbers, std::move(filter)) {}
};

TEST(ModuleTables, a_table_gives_back_all_it_was_made_of) {
  std::vector<Function> functions = {function_named("f"), function_named("_Zg", "x/y.cc", 100)};
  functions[1].demangled = "g(int)";
  const ModuleTable table = parse_module_table(encode_table(77, functions));
  EXPECT_EQ(table.tag, 77U);
  EXPECT_EQ(table.file, "file.c");
  EXPECT_EQ(table.folder, "/folder");
  EXPECT_EQ(table.functions, functions);
}

TEST(ModuleTables, numbers_lead_to_functions_and_their_tags) {
  Tables all;
  const base::Bytes table = encode_table(8190, {function_named("f"), function_named("g")});
  all.tables.add(kFirstModuleBase + 10, 2, table);
  EXPECT_EQ(all.functions.size(), 2U);
  EXPECT_EQ(all.numbers[kFirstModuleBase + 10].function, FunctionId{0});
  EXPECT_EQ(all.numbers[kFirstModuleBase + 11].function, FunctionId{1});
  EXPECT_EQ(all.numbers[kFirstModuleBase + 11].key, key_of(8191));
  EXPECT_EQ(all.numbers[kFirstModuleBase + 12].key, kNoKey);
  EXPECT_EQ(all.numbers[kFirstModuleBase + 9].key, kNoKey);
  EXPECT_EQ(all.numbers[7].key, kNoKey);
  EXPECT_EQ(all.numbers[wire::kFunctionMask].key, kNoKey);
}

TEST(ModuleTables, equal_functions_share_an_id_and_others_do_not) {
  Tables all;
  Function other_blocks = function_named("inline_one");
  other_blocks.blocks.pop_back();
  other_blocks.blocks[1].successors = {BlockId{1}, BlockId{2}};
  all.tables.add(kFirstModuleBase, 2,
                 encode_table(1, {function_named("inline_one"), function_named("main")}));
  all.tables.add(kFirstModuleBase + 2, 3,
                 encode_table(2, {other_blocks, function_named("inline_one"),
                                  function_named("inline_one", "other.c")}));
  EXPECT_EQ(all.functions.size(), 4U);
  EXPECT_EQ(all.numbers[kFirstModuleBase + 3].function, all.numbers[kFirstModuleBase].function);
  EXPECT_NE(all.numbers[kFirstModuleBase + 2].function, all.numbers[kFirstModuleBase].function);
  EXPECT_NE(all.numbers[kFirstModuleBase + 4].function, all.numbers[kFirstModuleBase].function);
}

TEST(ModuleTables, patterns_choose_by_name_demangled_name_or_file) {
  Function method = function_named("_ZN1a1fEv", "src/a.cc");
  method.demangled = "a::f()";
  const Function plain = function_named("parse", "src/parser.c");
  EXPECT_TRUE(FunctionFilter().keeps(plain));
  EXPECT_TRUE(FunctionFilter({"a::*"}, {}).keeps(method));
  EXPECT_FALSE(FunctionFilter({"a::*"}, {}).keeps(plain));
  EXPECT_TRUE(FunctionFilter({"_ZN1a*"}, {}).keeps(method));
  EXPECT_TRUE(FunctionFilter({"parser.c:*", "x"}, {}).keeps(plain));
  EXPECT_FALSE(FunctionFilter({"parser.c:*"}, {"pars?"}).keeps(plain));
  EXPECT_FALSE(FunctionFilter({}, {"a.cc:a::f*"}).keeps(method));
  Tables all(FunctionFilter({}, {"g"}));
  all.tables.add(kFirstModuleBase, 2, encode_table(1, {function_named("f"), function_named("g")}));
  EXPECT_EQ(all.numbers[kFirstModuleBase].kept, 1U);
  EXPECT_EQ(all.numbers[kFirstModuleBase + 1].kept, 0U);
  EXPECT_EQ(all.functions.size(), 2U) << "what is not recorded is listed all the same";
}

TEST(ModuleTables, false_claims_are_refused_and_change_nothing) {
  Tables all;
  const base::Bytes table = encode_table(1, {function_named("f")});
  EXPECT_THROW(all.tables.add(kFirstModuleBase, 2, table), Error);
  EXPECT_THROW(all.tables.add(5, 1, table), Error);
  EXPECT_THROW(all.tables.add(wire::kFunctionMask, 1, table), Error);
  EXPECT_THROW(all.tables.add(kFirstModuleBase, 1, {}), Error);
  EXPECT_EQ(all.functions.size(), 0U);

  // A long string, named by more functions than anyone has.
  base::ByteWriter bomb;
  bomb.varint(1);
  bomb.varint(2);
  bomb.string("");
  bomb.string(std::string(1 << 20, 'x'));
  bomb.varint(0);
  bomb.varint(0);
  bomb.varint(1 << 20);
  for (int i = 0; i < 1 << 20; ++i) {
    for (const int number : {1, 1, 1, 0, 0}) bomb.varint(static_cast<std::uint64_t>(number));
  }
  EXPECT_THROW(static_cast<void>(parse_module_table(bomb.view())), Error);
}

TEST(ModuleTables, no_bytes_do_harm) {
  std::mt19937 random(1);
  std::vector<Function> functions;
  for (int i = 0; i < 20; ++i) functions.push_back(function_named("f" + std::to_string(i)));
  const base::Bytes good = encode_table(5, functions);
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    base::Bytes bad = good;
    for (unsigned changes = random() % 4 + 1; changes > 0; --changes) {
      const std::size_t at = random() % bad.size();
      switch (random() % 4) {
        case 0:
          bad[at] = static_cast<std::uint8_t>(random());
          break;
        case 1:
          bad[at] ^= static_cast<std::uint8_t>(1U << random() % 8);
          break;
        case 2:
          bad.resize(at + 1);
          break;
        default:
          bad.insert(bad.begin() + static_cast<std::ptrdiff_t>(at),
                     static_cast<std::uint8_t>(random()));
      }
    }
    Tables all;
    try {
      all.tables.add(kFirstModuleBase, 20, bad);
      ++accepted;
    } catch (const Error&) {
      EXPECT_EQ(all.functions.size(), 0U);
    }
  }
  EXPECT_GT(accepted, 100) << "a change of a letter of a name is none of its business";
}

}  // namespace
}  // namespace pathspool::collector
