#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "pathspool/error.h"
#include "pathspool/text.h"
#include "trace/text_names.h"

namespace pathspool {
namespace {

// Gives the text in pieces of the sizes listed, the last of them again and again.
ByteSource source_of(std::string text, std::vector<std::size_t> pieces = {std::size_t{1} << 30}) {
  return [text = std::move(text), pieces = std::move(pieces), taken = std::size_t{0},
          calls = std::size_t{0}](std::span<char> buffer) mutable {
    const std::size_t piece = pieces[std::min(calls++, pieces.size() - 1)];
    const std::size_t size = std::min({piece, buffer.size(), text.size() - taken});
    std::memcpy(buffer.data(), text.data() + taken, size);
    taken += size;
    return size;
  };
}

// A text as it was understood, in a form that is easy to compare: events by name, a line per
// `@stream`.
struct Reading {
  std::vector<std::string> lines;
  std::string error;
  std::optional<std::uint64_t> error_offset;

  friend bool operator==(const Reading&, const Reading&) = default;
};

std::ostream& operator<<(std::ostream& out, const Reading& reading) {
  for (const std::string& line : reading.lines) out << line << '\n';
  return out << "error: " << reading.error;
}

Reading reading_of(ByteSource source) {
  Reading reading;
  FunctionTable functions;
  TextReader reader(std::move(source), functions);
  TextBatch batch;
  try {
    while (reader.next(batch)) {
      const auto stream = static_cast<std::uint32_t>(batch.stream);
      if (batch.opens_stream) {
        reading.lines.push_back(fmt::format("open {} {}", stream, batch.title));
      }
      for (const Event event : batch.events) {
        std::string what = "exit";
        if (event.kind == EventKind::enter) what = "enter " + functions[event.function()].name;
        if (event.kind == EventKind::block) what = fmt::format("block {}", event.id);
        reading.lines.push_back(fmt::format("{} {}", stream, what));
      }
    }
  } catch (const Error& error) {
    reading.error = error.what();
    reading.error_offset = error.offset_bytes();
  }
  return reading;
}

Reading reading_of(const std::string& text) { return reading_of(source_of(text)); }

using Lines = std::vector<std::string>;

#define EXPECT_LINES(text, ...)               \
  do {                                        \
    const Reading reading = reading_of(text); \
    EXPECT_EQ(reading.lines, (__VA_ARGS__));  \
    EXPECT_EQ(reading.error, "");             \
  } while (false)

void expect_error(const std::string& text, const std::string& message, std::uint64_t offset) {
  const Reading reading = reading_of(text);
  EXPECT_EQ(reading.error, message) << text;
  EXPECT_EQ(reading.error_offset, std::optional(offset)) << text;
}

TEST(TextReader, the_example_of_the_manual_is_read) {
  EXPECT_LINES("main B1 B2 f B1 B3 E B4 E",
               Lines{"0 enter main", "0 block 1", "0 block 2", "0 enter f", "0 block 1",
                     "0 block 3", "0 exit", "0 block 4", "0 exit"});
}

TEST(TextReader, a_text_without_events_yields_no_batch) {
  for (const char* text : {"", " ", "\n\n", ",,,", "# only a comment", "# one\n # two\n\t"}) {
    FunctionTable functions;
    TextReader reader(source_of(text), functions);
    TextBatch batch;
    EXPECT_FALSE(reader.next(batch)) << text;
    EXPECT_TRUE(batch.events.empty());
    EXPECT_FALSE(reader.next(batch));
  }
}

TEST(TextReader, blanks_newlines_and_commas_separate_events) {
  EXPECT_LINES("a b\tc\rd\ve\ff\ng,h , ,\r\n,B1,E",
               Lines{"0 enter a", "0 enter b", "0 enter c", "0 enter d", "0 enter e", "0 enter f",
                     "0 enter g", "0 enter h", "0 block 1", "0 exit"});
}

TEST(TextReader, a_comment_runs_to_the_end_of_its_line) {
  EXPECT_LINES("main#x B1 \"\n# B2 @nothing\nB3#\nE# \x01\n\"f\"#g\nB4",
               Lines{"0 enter main", "0 block 3", "0 exit", "0 enter f", "0 block 4"});
}

TEST(TextReader, a_comment_longer_than_any_buffer_is_skipped) {
  EXPECT_LINES("a #" + std::string(300'000, 'x') + "\nb", Lines{"0 enter a", "0 enter b"});
}

TEST(TextReader, block_ids_go_from_1_to_the_largest_of_32_bits) {
  EXPECT_LINES("B1 B10 B99999999 B4294967295",
               Lines{"0 block 1", "0 block 10", "0 block 99999999", "0 block 4294967295"});
}

TEST(TextReader, what_merely_resembles_a_block_or_an_exit_is_a_name) {
  EXPECT_LINES("B Bar b1 e Exit E1 EE BB1 1 0 a@b operator()",
               Lines{"0 enter B", "0 enter Bar", "0 enter b1", "0 enter e", "0 enter Exit",
                     "0 enter E1", "0 enter EE", "0 enter BB1", "0 enter 1", "0 enter 0",
                     "0 enter a@b", "0 enter operator()"});
}

TEST(TextReader, a_bare_token_like_a_block_that_is_none_is_an_error) {
  expect_error("a b\nc\nB1 B2 B0", "line 3, column 7: B0 is not a block: block ids start at 1", 12);
  expect_error("B01", "line 1, column 1: B01 is not a block: block ids have no leading zero", 0);
  expect_error("B00 ", "line 1, column 1: B00 is not a block: block ids have no leading zero", 0);
  const std::string digits_only =
      " is not a block: expected only digits after B; a function's name like this needs quotes";
  expect_error("B1x", "line 1, column 1: B1x" + digits_only, 0);
  expect_error("B0x", "line 1, column 1: B0x" + digits_only, 0);
  const std::string too_large = " is not a block: block ids end at 4294967295";
  expect_error("B4294967296", "line 1, column 1: B4294967296" + too_large, 0);
  // Its value is 1 in 64 bits.
  expect_error("B18446744073709551617 E", "line 1, column 1: B18446744073709551617" + too_large, 0);
}

TEST(TextReader, quoted_names_are_names_whatever_they_hold) {
  EXPECT_LINES(R"("E" "B1" "" "@stream" "a b" "a,b#c" "plain")",
               Lines{"0 enter E", "0 enter B1", "0 enter ", "0 enter @stream", "0 enter a b",
                     "0 enter a,b#c", "0 enter plain"});
}

TEST(TextReader, a_quoted_name_and_the_same_bare_name_are_one_function) {
  FunctionTable functions;
  TextReader reader(source_of(R"(main "main" "\x6dain")"), functions);
  TextBatch batch;
  ASSERT_TRUE(reader.next(batch));
  EXPECT_EQ(functions.size(), 1U);
  EXPECT_EQ(batch.events, std::vector<Event>(3, Event::enter(FunctionId{0})));
}

TEST(TextReader, escapes_stand_for_their_bytes) {
  EXPECT_LINES(R"("\"\\\n\t\r\x01\x7F\xfFz")", Lines{"0 enter \"\\\n\t\r\x01\x7f\xffz"});
  EXPECT_LINES(R"("\x00")", Lines{std::string("0 enter ") + '\0'});
}

TEST(TextReader, bytes_above_ascii_pass_through_untouched) {
  EXPECT_LINES("na\xc3\xafve \"\xff\x80\"", Lines{"0 enter na\xc3\xafve", "0 enter \xff\x80"});
}

TEST(TextReader, a_wrong_escape_is_an_error) {
  const std::string expected = ": expected \\\" \\\\ \\n \\t \\r or \\x and two hex digits";
  expect_error(R"(f "a\q")", R"(line 1, column 3: "a\q" holds the unknown escape \q)" + expected,
               2);
  expect_error("\"\\\x01\"",
               R"(line 1, column 1: "\\x01" holds the unknown escape \\x01)" + expected, 0);
  const std::string hex = " holds an incomplete escape \\x: expected two hex digits after it";
  expect_error(R"("\x4")", R"(line 1, column 1: "\x4")" + hex, 0);
  expect_error(R"("\xg1")", R"(line 1, column 1: "\xg1")" + hex, 0);
}

TEST(TextReader, a_quote_that_is_not_closed_is_an_error) {
  const std::string line = " is not closed: expected a quote before the end of the line";
  const std::string text = " is not closed: expected a quote before the end of the text";
  expect_error("a\n \"b c\nd\"", "line 2, column 2: \"b c" + line, 3);
  expect_error("\"a\\\nb\"", "line 1, column 1: \"a\\" + line, 0);
  expect_error("\"", "line 1, column 1: \"" + text, 0);
  expect_error("\"abc", "line 1, column 1: \"abc" + text, 0);
  expect_error("\"abc\\\"", "line 1, column 1: \"abc\\\"" + text, 0);
  expect_error("\"abc\\", "line 1, column 1: \"abc\\" + text, 0);
  expect_error("\"abc\\x4", "line 1, column 1: \"abc\\x4" + text, 0);
}

TEST(TextReader, a_closing_quote_ends_its_token) {
  const std::string what =
      " goes on after its closing quote: expected a blank, a comma, a newline or a comment";
  expect_error("\"a\"b", "line 1, column 1: \"a\"" + what, 0);
  expect_error("\"a\\\"b\"\"c\"", "line 1, column 1: \"a\\\"b\"" + what, 0);
  expect_error("@stream 1 \"a\"B1", "line 1, column 11: \"a\"" + what, 10);
  EXPECT_LINES("\"a\",\"b\"\n\"c\"#", Lines{"0 enter a", "0 enter b", "0 enter c"});
}

TEST(TextReader, a_bare_token_with_a_quote_backslash_or_control_byte_is_an_error) {
  const std::string what = ": such a name is written in double quotes with escapes";
  expect_error("a\"b\" c", "line 1, column 1: a\"b\" holds a quote" + what, 0);
  expect_error("B1 a\\b", "line 1, column 4: a\\b holds a backslash" + what, 3);
  expect_error("\\", "line 1, column 1: \\ holds a backslash" + what, 0);
  expect_error("a\x7f", "line 1, column 1: a\\x7f holds a control byte" + what, 0);
  expect_error(std::string("a\0b", 3), "line 1, column 1: a\\x00b holds a control byte" + what, 0);
  expect_error("B1\x01", "line 1, column 1: B1\\x01 holds a control byte" + what, 0);
  expect_error("E\"", "line 1, column 1: E\" holds a quote" + what, 0);
}

TEST(TextReader, an_offending_token_is_shown_printable_and_cut) {
  const std::string forty = "B0" + std::string(38, 'x');
  const std::string what =
      " is not a block: expected only digits after B; a function's name like this needs quotes";
  expect_error(forty, "line 1, column 1: " + forty + what, 0);
  expect_error(forty + "y", "line 1, column 1: " + forty + "..." + what, 0);
  expect_error("B0\xc3\xa9", "line 1, column 1: B0\\xc3\\xa9" + what, 0);
}

TEST(TextReader, columns_count_bytes) {
  expect_error("\xc3\xa9\t B0", "line 1, column 5: B0 is not a block: block ids start at 1", 4);
  expect_error("\r\n\r\n B0", "line 3, column 2: B0 is not a block: block ids start at 1", 5);
}

TEST(TextReader, a_stream_line_opens_its_stream) {
  EXPECT_LINES("a\n@stream 1 \"12/13 worker\"\nb B1\n@stream 4294967295\nE\n@stream 0 \"\"\n",
               Lines{"0 enter a", "open 1 12/13 worker", "1 enter b", "1 block 1",
                     "open 4294967295 ", "4294967295 exit", "open 0 "});
}

TEST(TextReader, events_may_follow_a_stream_line_on_the_same_line) {
  EXPECT_LINES("@stream 7 \"t\" a B1 @stream 8 b,@stream\t9\t\"\\n\"#c",
               Lines{"open 7 t", "7 enter a", "7 block 1", "open 8 ", "8 enter b", "open 9 \n"});
}

TEST(TextReader, only_a_string_after_blanks_on_the_same_line_is_a_title) {
  EXPECT_LINES("@stream 1\n\"a\"", Lines{"open 1 ", "1 enter a"});
  EXPECT_LINES("@stream 1,\"a\"", Lines{"open 1 ", "1 enter a"});
  EXPECT_LINES("@stream 1 b \"a\"", Lines{"open 1 ", "1 enter b", "1 enter a"});
  EXPECT_LINES("@stream 1 \"a\" \"b\"", Lines{"open 1 a", "1 enter b"});
  EXPECT_LINES("@stream 1#\"a\"", Lines{"open 1 "});
}

TEST(TextReader, a_stream_that_is_opened_again_goes_on) {
  EXPECT_LINES("@stream 1 \"one\" a @stream 2 b @stream 1 c @stream 1 d",
               Lines{"open 1 one", "1 enter a", "open 2 ", "2 enter b", "open 1 ", "1 enter c",
                     "open 1 ", "1 enter d"});
}

TEST(TextReader, another_word_after_an_at_sign_is_an_error) {
  const std::string what = " is unknown: the only word with @ is @stream";
  expect_error("a\n@streams 1", "line 2, column 1: @streams" + what, 2);
  expect_error("@", "line 1, column 1: @" + what, 0);
  expect_error("@ stream", "line 1, column 1: @" + what, 0);
  expect_error("@stream\"1\"", "line 1, column 1: @stream\"1\"" + what, 0);
}

TEST(TextReader, a_stream_line_needs_a_number) {
  const std::string none =
      ": @stream has no number: expected one from 0 to 4294967295 on the same line";
  expect_error("a @stream", "line 1, column 3" + none, 2);
  expect_error("@stream \t\n1", "line 1, column 1" + none, 0);
  expect_error("\n @stream,1", "line 2, column 2" + none, 2);
  expect_error("@stream # 1", "line 1, column 1" + none, 0);
  const std::string wrong =
      " is not a stream's number: expected one from 0 to 4294967295, without leading zeros";
  for (const char* token : {"01", "00", "4294967296", "18446744073709551616", "-1", "+1", "1x",
                            "main", "\"title\"", "1\"title\"", "@stream"}) {
    expect_error("a\n@stream " + std::string(token),
                 "line 2, column 9: " + std::string(token) + wrong, 10);
  }
}

TEST(TextReader, names_and_titles_of_a_mebibyte_are_read_and_longer_ones_are_not) {
  const std::string name(trace::kMaxNameBytes, 'n');
  std::string escaped;
  for (std::size_t i = 0; i < trace::kMaxNameBytes; ++i) escaped += "\\x01";
  const std::string ones(trace::kMaxNameBytes, '\x01');
  for (const std::size_t piece : {std::size_t{1}, std::size_t{4095}, std::size_t{1} << 30}) {
    EXPECT_EQ(
        reading_of(source_of("a " + name + " \"" + name + "\" b \"" + escaped + "\"", {piece}))
            .lines,
        (Lines{"0 enter a", "0 enter " + name, "0 enter " + name, "0 enter b", "0 enter " + ones}));
    EXPECT_EQ(reading_of(source_of("@stream 1 \"" + name + "\"", {piece})).lines,
              (Lines{"open 1 " + name}));
  }
  const std::string start(40, 'n');
  expect_error(
      "a " + name + "n",
      "line 1, column 3: " + start + "... is too long: expected a name of at most 1048576 bytes",
      2);
  const std::string message = "... is too long: expected a string of at most 1048576 bytes";
  expect_error("\"n" + name + "\"", "line 1, column 1: \"" + start.substr(1) + message, 0);
  expect_error("@stream 1 \"n" + name + "\"", "line 1, column 11: \"" + start.substr(1) + message,
               10);
  // A long name after a longer one, which has left a buffer that holds it all.
  expect_error("\"" + escaped + "\" " + name + "n ",
               "line 1, column 4194308: " + start +
                   "... is too long: expected a name of at most 1048576 bytes",
               4194307);
}

TEST(TextReader, a_name_without_end_is_refused_before_it_fills_the_memory) {
  std::uint64_t given_bytes = 0;
  const auto endless = [&](std::span<char> buffer) {
    std::ranges::fill(buffer, 'x');
    given_bytes += buffer.size();
    return buffer.size();
  };
  EXPECT_NE(reading_of(endless).error, "");
  EXPECT_LT(given_bytes, 4 * trace::kMaxNameBytes);
}

TEST(TextReader, the_events_before_a_mistake_are_delivered_first) {
  FunctionTable functions;
  TextReader reader(source_of("@stream 3 \"t\" main B1 B0 B2"), functions);
  TextBatch batch;
  ASSERT_TRUE(reader.next(batch));
  EXPECT_TRUE(batch.opens_stream);
  EXPECT_EQ(batch.title, "t");
  EXPECT_EQ(batch.stream, StreamId{3});
  EXPECT_EQ(batch.events, (std::vector{Event::enter(FunctionId{0}), Event::block(BlockId{1})}));
  EXPECT_THROW(reader.next(batch), Error);
  EXPECT_THROW(reader.next(batch), Error);
}

TEST(TextReader, a_mistake_in_a_stream_line_leaves_the_batch_before_it_whole) {
  EXPECT_EQ(reading_of("@stream 1 a\n@stream 2 \"").lines, (Lines{"open 1 ", "1 enter a"}));
  EXPECT_EQ(reading_of("@stream 1\n@stream x").lines, (Lines{"open 1 "}));
}

TEST(TextReader, the_events_before_a_failure_of_the_source_are_delivered_first) {
  FunctionTable functions;
  bool failing = false;
  const auto source = [&](std::span<char> buffer) -> std::size_t {
    if (std::exchange(failing, true)) throw Error("the disk is gone");
    std::memcpy(buffer.data(), "a B12", 5);
    return 5;
  };
  TextReader reader(source, functions);
  TextBatch batch;
  ASSERT_TRUE(reader.next(batch));
  EXPECT_EQ(batch.events, (std::vector{Event::enter(FunctionId{0})}));
  EXPECT_THROW(reader.next(batch), Error);
  EXPECT_THROW(reader.next(batch), Error);
}

TEST(TextReader, a_long_stream_comes_in_batches_of_bounded_size) {
  std::string text = "@stream 5 \"t\"\n";
  for (int i = 0; i < 10'000; ++i) text += "B1 ";
  FunctionTable functions;
  TextReader reader(source_of(text), functions);
  TextBatch batch;
  std::size_t events = 0;
  for (bool first = true; reader.next(batch); first = false) {
    EXPECT_EQ(batch.opens_stream, first);
    EXPECT_EQ(batch.title, first ? "t" : "");
    EXPECT_EQ(batch.stream, StreamId{5});
    EXPECT_LE(batch.events.size(), 4096U);
    events += batch.events.size();
  }
  EXPECT_EQ(events, 10'000U);
  EXPECT_EQ(reader.consumed_bytes(), text.size());
}

TEST(TextReader, functions_are_numbered_in_order_of_appearance) {
  FunctionTable functions;
  Function known;
  known.name = "known";
  known.file = "a.c";
  functions.add(known);
  TextReader reader(source_of("c a c b known"), functions);
  TextBatch batch;
  ASSERT_TRUE(reader.next(batch));
  std::vector<std::uint32_t> ids;
  for (const Event event : batch.events) ids.push_back(event.id);
  EXPECT_EQ(ids, (std::vector<std::uint32_t>{1, 2, 1, 3, 4}));
  EXPECT_EQ(functions[FunctionId{4}].file, "");
}

TEST(TextReader, more_functions_than_the_name_cache_holds_keep_apart) {
  std::string text;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 30'000; ++i) text += fmt::format("f{} ", i);
  }
  FunctionTable functions;
  TextReader reader(source_of(text), functions);
  TextBatch batch;
  std::uint32_t expected = 0;
  while (reader.next(batch)) {
    for (const Event event : batch.events) ASSERT_EQ(event.id, expected++ % 30'000);
  }
  EXPECT_EQ(functions.size(), 30'000U);
  EXPECT_EQ(expected, 60'000U);
}

TEST(TextReader, every_split_of_the_source_gives_the_same_reading) {
  const std::string good =
      "main B1 B4294967295 \"a\\x41\\\"b\" E#x\n@stream 12 \"t \\n\"  Exit,E\r\n@stream 3 B B7";
  std::vector<std::string> texts = {good};
  for (const char* ending : {" B0", " \"a\\", " \"a\\x4", " \"a\"b", " @stream", " @stream 01",
                             " @stream 4 \"", " @strea", " a\"b", " \"\\q\""}) {
    texts.push_back(good + ending);
  }
  for (const std::string& text : texts) {
    const Reading whole = reading_of(text);
    EXPECT_EQ(reading_of(source_of(text, {1})), whole);
    for (std::size_t first = 1; first < text.size(); ++first) {
      EXPECT_EQ(reading_of(source_of(text, {first, std::size_t{1} << 30})), whole) << first;
      EXPECT_EQ(reading_of(source_of(text, {first, 1, 2, 3})), whole) << first;
    }
  }
}

TEST(TextReader, tokens_across_the_end_of_the_buffer_are_read_whole) {
  const std::string tail = "B1234 name E \"quo\\x41ted\" @stream 77 \"title\" E";
  const Reading expected = reading_of(tail);
  for (std::size_t shift = 0; shift < tail.size() + 4; ++shift) {
    EXPECT_EQ(reading_of(std::string(64 * 1024 - shift, ' ') + tail), expected) << shift;
  }
}

RC_GTEST_PROP(TextReader, any_bytes_read_the_same_however_they_are_split, ()) {
  // From an alphabet that is rich in mistakes.
  const auto piece = rc::gen::element<std::string>(
      "B", "E", "0", "1", "9", "\"", "\\", "x", "n", "@stream", "@", " ", "  ", "\n", ",", "#", "f",
      "main", "4294967295", "\x01", "\xff", "\" ", " \"", "\\x41", "@stream 1 ");
  std::string text;
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(piece)) text += part;
  const auto pieces = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(1, 9)));
  RC_ASSERT(reading_of(source_of(text, pieces)) == reading_of(text));
}

}  // namespace
}  // namespace pathspool
