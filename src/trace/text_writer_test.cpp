#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "pathspool/error.h"
#include "pathspool/text.h"

namespace pathspool {
namespace {

// What one `@stream` line and the events after it say, in terms that do not depend on the table.
struct Run {
  std::uint32_t stream = 0;
  bool opened = false;
  std::string title;
  std::vector<Event> events;

  friend bool operator==(const Run&, const Run&) = default;
};

std::vector<Run> runs_of(std::string_view text, FunctionTable& functions) {
  TextReader reader(
      [&text](std::span<char> buffer) {
        const std::size_t size = std::min(buffer.size(), text.size());
        std::memcpy(buffer.data(), text.data(), size);
        text.remove_prefix(size);
        return size;
      },
      functions);
  std::vector<Run> runs;
  TextBatch batch;
  while (reader.next(batch)) {
    if (batch.opens_stream || runs.empty()) {
      runs.push_back(
          {static_cast<std::uint32_t>(batch.stream), batch.opens_stream, batch.title, {}});
    }
    std::vector<Event>& events = runs.back().events;
    events.insert(events.end(), batch.events.begin(), batch.events.end());
  }
  return runs;
}

class Text {
 public:
  explicit Text(const FunctionTable& functions)
      : writer([this](std::string_view bytes) { bytes_ += bytes; }, functions) {}

  std::string finished() {
    writer.finish();
    return bytes_;
  }

 private:
  std::string bytes_;

 public:
  TextWriter writer;
};

std::vector<Event> blocks(std::uint32_t from, std::uint32_t to) {
  std::vector<Event> events;
  for (std::uint32_t id = from; id <= to; ++id) events.push_back(Event::block(BlockId{id}));
  return events;
}

Function function_in(const std::string& file, const std::string& name) {
  Function function;
  function.name = name;
  function.file = file;
  return function;
}

const std::string kTwenty =
    "B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13 B14 B15 B16 B17 B18 B19 B20\n";

TEST(TextWriter, an_empty_trace_is_an_empty_text) {
  const FunctionTable functions;
  Text text(functions);
  text.writer.events({});
  EXPECT_EQ(text.finished(), "");
}

TEST(TextWriter, one_blank_is_between_events_and_a_newline_at_the_end) {
  FunctionTable functions;
  const FunctionId main = functions.intern("main");
  Text text(functions);
  text.writer.events(std::vector{Event::enter(main), Event::block(BlockId{1}), Event::exit()});
  EXPECT_EQ(text.finished(), "main B1 E\n");
  EXPECT_EQ(text.finished(), "main B1 E\n");
}

TEST(TextWriter, a_newline_follows_every_20_events) {
  const FunctionTable functions;
  Text twenty(functions);
  twenty.writer.events(blocks(1, 20));
  EXPECT_EQ(twenty.finished(), kTwenty);
  Text more(functions);
  more.writer.events(blocks(1, 7));
  more.writer.events(blocks(8, 19));
  more.writer.events(blocks(20, 22));
  EXPECT_EQ(more.finished(), kTwenty + "B21 B22\n");
}

TEST(TextWriter, a_stream_line_ends_the_line_and_restarts_the_count) {
  const FunctionTable functions;
  Text text(functions);
  text.writer.begin_stream(StreamId{0}, "12/12 a.out");
  text.writer.events(blocks(1, 2));
  text.writer.begin_stream(StreamId{4294967295}, "");
  text.writer.events(blocks(1, 20));
  text.writer.begin_stream(StreamId{7}, "a\"b\n");
  EXPECT_EQ(text.finished(), "@stream 0 \"12/12 a.out\"\nB1 B2\n@stream 4294967295 \"\"\n" +
                                 kTwenty + "@stream 7 \"a\\\"b\\n\"\n");
}

TEST(TextWriter, a_comment_has_a_line_of_its_own) {
  const FunctionTable functions;
  Text text(functions);
  text.writer.comment("open: main");
  text.writer.events(blocks(1, 2));
  text.writer.comment("two\nlines");
  text.writer.events(blocks(1, 20));
  EXPECT_EQ(text.finished(), "# open: main\nB1 B2\n# two\n# lines\n" + kTwenty);
}

TEST(TextWriter, blocks_of_any_length_are_written) {
  const FunctionTable functions;
  for (const std::uint32_t id : {1U, 9U, 10U, 99U, 100U, 999U, 1000U, 1001U, 99999U, 4294967295U}) {
    Text text(functions);
    text.writer.events(std::vector{Event::block(BlockId{id})});
    EXPECT_EQ(text.finished(), fmt::format("B{}\n", id));
  }
}

TEST(TextWriter, what_the_text_form_cannot_say_is_an_error) {
  const FunctionTable functions;
  Text text(functions);
  EXPECT_THROW(text.writer.events(std::vector{Event::block(BlockId{0})}), Error);
  EXPECT_THROW(text.writer.events(std::vector{Event::enter(FunctionId{0})}), Error);
}

TEST(TextWriter, names_that_would_be_misread_are_quoted) {
  EXPECT_EQ(quoted_if_needed("main"), "main");
  EXPECT_EQ(quoted_if_needed("B"), "B");
  EXPECT_EQ(quoted_if_needed("Bar"), "Bar");
  EXPECT_EQ(quoted_if_needed("Exit"), "Exit");
  EXPECT_EQ(quoted_if_needed("a@b"), "a@b");
  EXPECT_EQ(quoted_if_needed("\xc3\xa9\xff"), "\xc3\xa9\xff");
  EXPECT_EQ(quoted_if_needed("std::f<int*>(char)"), "std::f<int*>(char)");
  EXPECT_EQ(quoted_if_needed(""), R"("")");
  EXPECT_EQ(quoted_if_needed("E"), R"("E")");
  EXPECT_EQ(quoted_if_needed("B0"), R"("B0")");
  EXPECT_EQ(quoted_if_needed("B1x"), R"("B1x")");
  EXPECT_EQ(quoted_if_needed("@x"), R"("@x")");
  EXPECT_EQ(quoted_if_needed("a b"), R"("a b")");
  EXPECT_EQ(quoted_if_needed("a,b"), R"("a,b")");
  EXPECT_EQ(quoted_if_needed("a#b"), R"("a#b")");
  EXPECT_EQ(quoted_if_needed("a\"b"), R"("a\"b")");
  EXPECT_EQ(quoted_if_needed("a\\b"), R"("a\\b")");
  EXPECT_EQ(quoted_if_needed("\n\t\r\v\f\x01\x1f\x7f"), R"("\n\t\r\x0b\x0c\x01\x1f\x7f")");
  EXPECT_EQ(quoted_if_needed(std::string_view("\0", 1)), R"("\x00")");
}

TEST(TextWriter, functions_of_one_name_in_several_files_are_told_apart) {
  FunctionTable functions;
  const FunctionId in_a = functions.add(function_in("src/a.c", "f"));
  Text text(functions);
  text.writer.events(std::vector{Event::enter(in_a)});
  const FunctionId in_b = functions.add(function_in("my dir/b b.c", "f"));
  const FunctionId other = functions.add(function_in("b.c", "g"));
  text.writer.events(std::vector{Event::enter(in_a), Event::enter(in_b), Event::enter(other)});
  EXPECT_EQ(text.finished(), "f a.c:f \"b b.c:f\" g\n");
}

TEST(TextWriter, names_longer_than_its_buffer_are_written_whole) {
  FunctionTable functions;
  std::vector<std::string> names;
  for (std::size_t size = 65'520; size < 65'550; ++size) names.emplace_back(size, 'n');
  names.emplace_back(300'000, 'm');
  std::string expected;
  std::vector<Event> events;
  for (std::size_t i = 0; i < 3 * names.size(); ++i) {
    const std::string& name = names[i / 3];
    events.push_back(i % 3 == 1 ? Event::enter(functions.intern(name)) : Event::exit());
    expected += i % 3 == 1 ? name : "E";
    expected += i % 20 == 19 || i + 1 == 3 * names.size() ? '\n' : ' ';
  }
  Text text(functions);
  text.writer.events(events);
  EXPECT_TRUE(text.finished() == expected);
}

TEST(TextWriter, a_long_text_is_handed_over_in_pieces) {
  const FunctionTable functions;
  std::size_t longest = 0;
  std::string bytes;
  TextWriter writer(
      [&](std::string_view piece) {
        longest = std::max(longest, piece.size());
        bytes += piece;
      },
      functions);
  std::string expected;
  for (std::uint32_t id = 1; id <= 100'000; ++id) {
    writer.events(std::vector{Event::block(BlockId{id})});
    expected += fmt::format("B{}{}", id, id % 20 == 0 ? '\n' : ' ');
  }
  EXPECT_GT(bytes.size(), 0U);
  writer.finish();
  EXPECT_TRUE(bytes == expected);
  EXPECT_LE(longest, 64U * 1024);
}

// Names that are likely to be misread, between ones that are not.
rc::Gen<std::string> nasty_names() {
  const auto part = rc::gen::element<std::string>(
      "B", "E", "0", "1", "@", "@stream", "\"", "\\", "\\x41", "\n", " ", "\t", ",", "#", "x",
      "main", "\x01", "\x7f", "\x80", "\xff", std::string(1, '\0'));
  return rc::gen::oneOf(
      rc::gen::arbitrary<std::string>(),
      rc::gen::map(rc::gen::container<std::vector<std::string>>(part), [](const auto& parts) {
        std::string name;
        for (const std::string& one : parts) name += one;
        return name;
      }));
}

RC_GTEST_PROP(TextWriter, what_is_written_is_read_again, ()) {
  const auto names =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(nasty_names()));
  FunctionTable functions;
  Text text(functions);
  std::vector<Run> written;
  const auto count = *rc::gen::inRange(1, 5);
  for (int i = 0; i < count; ++i) {
    Run run{*rc::gen::arbitrary<std::uint32_t>(), i > 0 || *rc::gen::arbitrary<bool>(), "", {}};
    if (run.opened) {
      run.title = *nasty_names();
      text.writer.begin_stream(StreamId{run.stream}, run.title);
    } else {
      run.stream = 0;
    }
    // Pairs of a choice and a number, so that a counterexample stays short.
    for (const auto& [kind, number] :
         *rc::gen::container<std::vector<std::pair<int, std::uint32_t>>>(
             rc::gen::pair(rc::gen::inRange(0, 4), rc::gen::arbitrary<std::uint32_t>()))) {
      Event event = Event::exit();
      // The functions are numbered as they appear, as the reader does it.
      if (kind == 1) event = Event::enter(functions.intern(names[number % names.size()]));
      if (kind == 2) event = Event::block(BlockId{number % 2000 + 1});
      if (kind == 3) event = Event::block(BlockId{std::max(number, 1U)});
      run.events.push_back(event);
      text.writer.events({&event, 1});
    }
    if (*rc::gen::arbitrary<bool>()) text.writer.comment(*nasty_names());
    if (run.opened || !run.events.empty()) written.push_back(run);
  }
  FunctionTable read_functions;
  const std::vector<Run> read = runs_of(text.finished(), read_functions);
  RC_ASSERT(read == written);
  RC_ASSERT(read_functions.size() == functions.size());
  for (std::uint32_t id = 0; id < functions.size(); ++id) {
    RC_ASSERT(read_functions[FunctionId{id}] == functions[FunctionId{id}]);
  }
}

}  // namespace
}  // namespace pathspool
