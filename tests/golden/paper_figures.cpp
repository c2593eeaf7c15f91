// What the path-matching paper prints, through the public API.
#include <gtest/gtest.h>

#include <string>

#include "pathspool/pack.h"
#include "pathspool/text.h"
#include "support/pack_ways.h"
#include "support/recording.h"
#include "support/scratch.h"

namespace pathspool {
namespace {

constexpr std::string_view kFigure1 =
    "Main B1 B2 F1 B1 B2 F1 B1 B2 F1 B1 B4 B3 E B3 E B3 E B2 B3\nE\n";

void pack_string(std::string_view text, const std::filesystem::path& path,
                 const PackOptions& options) {
  pack_text(
      [&text](std::span<char> buffer) {
        const std::size_t count = text.copy(buffer.data(), buffer.size());
        text.remove_prefix(count);
        return count;
      },
      path, options);
  testing::expect_intact(path);
}

std::string text_of(const Spool& spool) {
  std::string text;
  TextWriter writer([&text](std::string_view bytes) { text += bytes; }, spool.functions());
  EventCursor cursor = spool.events(StreamId{0});
  while (cursor.next()) writer.events(cursor.batch());
  writer.finish();
  return text;
}

std::string rules_of(const Spool& spool) {
  std::string text;
  spool.visit_rules(0, [&](std::uint32_t rule, std::span<const RuleItem> body) {
    text += rule == 0 ? "S ->" : "R" + std::to_string(rule) + " ->";
    char separator = ' ';
    for (const RuleItem& item : body) {
      text += separator;
      separator = ',';
      if (item.is_rule) {
        text += "R" + std::to_string(item.rule);
      } else if (item.event.kind == EventKind::enter) {
        text += spool.functions().display_name(item.event.function());
      } else if (item.event.kind == EventKind::block) {
        text += "B" + std::to_string(item.event.id);
      } else {
        text += "E";
      }
    }
    text += '\n';
  });
  return text;
}

TEST(PaperFigures, figure_1_comes_back_from_every_form) {
  const testing::Scratch scratch;
  for (const testing::PackWay& way : testing::all_pack_ways()) {
    SCOPED_TRACE(way.name);
    pack_string(kFigure1, scratch.file("a"), way.options);
    const Spool spool = Spool::open(scratch.file("a"));
    EXPECT_EQ(text_of(spool), kFigure1);
    EXPECT_EQ(spool.info().deepest_level, 3);
    EXPECT_EQ(spool.info().events, 21U);
  }
}

TEST(PaperFigures, figure_1_has_the_papers_grammar_but_for_the_rule_that_is_used_once) {
  const testing::Scratch scratch;
  PackOptions options;
  options.form = Form::grammar;
  options.symbols = Symbols::blocks;
  pack_string(kFigure1, scratch.file("a"), options);
  EXPECT_EQ(rules_of(Spool::open(scratch.file("a"))),
            "S -> Main,R1,R1,R1,B1,B4,R2,R2,R2,B2,R2\n"
            "R1 -> B1,B2,F1\n"
            "R2 -> B3,E\n");
}

TEST(PaperFigures, section_3_1s_rule_that_is_used_once_is_eliminated) {
  const testing::Scratch scratch;
  PackOptions options;
  options.form = Form::grammar;
  options.symbols = Symbols::blocks;
  pack_string("a a b a a", scratch.file("a"), options);
  EXPECT_EQ(rules_of(Spool::open(scratch.file("a"))), "S -> R1,b,R1\nR1 -> a,a\n");
  pack_string("a a b a a b", scratch.file("a"), options);
  EXPECT_EQ(rules_of(Spool::open(scratch.file("a"))), "S -> R1,R1\nR1 -> a,a,b\n");
}

TEST(PaperFigures, the_frames_of_figure_1_are_open_where_the_paper_says) {
  const testing::Scratch scratch;
  for (const testing::PackWay& way : testing::main_pack_ways()) {
    pack_string(kFigure1, scratch.file("a"), way.options);
    const Spool spool = Spool::open(scratch.file("a"));
    // Main, then F1 three times over.
    EXPECT_EQ(spool.open_frames({StreamId{0}, 11}),
              (std::vector{FunctionId{0}, FunctionId{1}, FunctionId{1}, FunctionId{1}}));
    EXPECT_EQ(spool.open_frames({StreamId{0}, 18}), std::vector{FunctionId{0}});
    EXPECT_TRUE(spool.open_frames({StreamId{0}, 21}).empty());
  }
}

}  // namespace
}  // namespace pathspool
