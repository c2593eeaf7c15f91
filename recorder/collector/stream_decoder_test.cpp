#include "recorder/collector/stream_decoder.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <utility>

#include "recorder/collector/test_program.h"

namespace pathspool::collector {
namespace {

using testing::enter_with_frame_word;
using testing::enter_word;
using wire::block_word;
using wire::Control;
using wire::control_word;
using wire::exit_word;
using wire::kFirstModuleBase;
using wire::Word;

constexpr Word kFunctions = 10;
constexpr Word kNotKept = 7;  // the function with this index is left out
constexpr Word tag_of_index(Word index) { return wire::tag_of(8188, index); }  // wraps

struct Mark {
  std::size_t at = 0;
  std::string text;
  friend bool operator==(const Mark&, const Mark&) = default;
};

// Everything that a decoder says.
struct Heard : StreamListener {
  std::vector<Event> events;
  std::vector<Mark> marks;
  std::vector<std::pair<Word, std::vector<Frame>>> forks;
  int pauses = 0;
  std::vector<Word> looked_for;

  void take(std::span<const Event> more) override {
    events.insert(events.end(), more.begin(), more.end());
  }
  void look_for(Word number) override { looked_for.push_back(number); }
  void forked(Word token, const StreamDecoder& decoder) override {
    forks.emplace_back(token, std::vector(decoder.frames().begin(), decoder.frames().end()));
  }
  void marked(std::string_view text) override {
    marks.push_back({events.size(), std::string(text)});
  }
  void paused() override { ++pauses; }
};

FunctionNumbers test_numbers() {
  FunctionNumbers numbers;
  for (Word index = 0; index < kFunctions; ++index) {
    NumberedFunction function;
    function.function = FunctionId{index};
    function.key = key_of(tag_of_index(index)) & 0x7fffffffU;
    function.kept = index == kNotKept ? 0 : 1;
    numbers.assign(kFirstModuleBase + index, function);
  }
  return numbers;
}

struct Decoded {
  Heard heard;
  DecoderCounts counts;
  std::vector<Frame> open;
};

Decoded decode(const std::vector<std::vector<Word>>& pieces, std::span<const Frame> start = {}) {
  static const FunctionNumbers numbers = test_numbers();
  static const auto buffer = std::make_unique<EventBuffer>();
  Decoded decoded;
  StreamDecoder decoder(numbers, *buffer, decoded.heard);
  decoder.enter_all(start);
  for (const std::vector<Word>& piece : pieces) decoder.decode(piece);
  decoded.counts = decoder.counts();
  decoded.open.assign(decoder.frames().begin(), decoder.frames().end());
  return decoded;
}
std::vector<Event> events_of(const std::vector<Word>& words) {
  return decode({words}).heard.events;
}

Word enter_index(Word index, bool exits = false) {
  return enter_word(kFirstModuleBase + index, exits);
}
Word block_of(Word index, Word id, bool exits = false) {
  return block_word(tag_of_index(index), id) | (exits ? wire::kExits : 0);
}
Word exit_of(Word index) { return exit_word(tag_of_index(index)); }
Event enter(Word index) { return Event::enter(FunctionId{index}); }
Event block(Word id) { return Event::block(BlockId{id}); }
const Event kExit = Event::exit();

TEST(StreamDecoder, words_are_events_and_an_enter_implies_block_1) {
  EXPECT_EQ(
      events_of({enter_index(0), block_of(0, 2), enter_index(1, true), block_of(0, 3), exit_of(0)}),
      (std::vector{enter(0), block(1), block(2), enter(1), block(1), kExit, block(3), kExit}));
  EXPECT_EQ(events_of({enter_index(0), control_word(Control::wide_block, tag_of_index(0)), 70000,
                       block_of(0, 65535, true)}),
            (std::vector{enter(0), block(1), block(70000), block(65535), kExit}));
}

TEST(StreamDecoder, unwinding_closes_every_frame_above_the_token) {
  const Word token = wire::frame_token(0x7ffff000);
  const std::vector<Word> words = {enter_with_frame_word(kFirstModuleBase),
                                   token,
                                   enter_index(1),
                                   enter_index(kNotKept),
                                   enter_index(2),
                                   control_word(Control::unwound),
                                   token,
                                   block_of(0, 2),
                                   control_word(Control::unwound),
                                   wire::frame_token(0x10),
                                   exit_of(0)};
  const Decoded decoded = decode({words});
  EXPECT_EQ(decoded.heard.events, (std::vector{enter(0), block(1), enter(1), block(1), enter(2),
                                               block(1), kExit, kExit, block(2), kExit}));
  EXPECT_EQ(decoded.counts, DecoderCounts{}) << "an unknown token is no incident";
}

TEST(StreamDecoder, unwinding_to_no_frame_closes_all) {
  const Decoded decoded = decode({{enter_index(0), enter_index(1), control_word(Control::unwound),
                                   wire::kNoFrameToken, enter_index(2)}});
  EXPECT_EQ(decoded.heard.events, (std::vector{enter(0), block(1), enter(1), block(1), kExit, kExit,
                                               enter(2), block(1)}));
  EXPECT_EQ(decoded.counts, DecoderCounts{});
}

TEST(StreamDecoder, frames_that_went_without_a_word_are_closed_when_a_lower_one_goes_on) {
  const Decoded decoded = decode({{enter_index(0), enter_index(1), enter_index(2), block_of(0, 2),
                                   enter_index(3), enter_index(4), exit_of(3), exit_of(0)}});
  EXPECT_EQ(decoded.heard.events,
            (std::vector{enter(0), block(1), enter(1), block(1), enter(2), block(1), kExit, kExit,
                         block(2), enter(3), block(1), enter(4), block(1), kExit, kExit, kExit}));
  EXPECT_EQ(decoded.counts.repairs, 3U);
}

TEST(StreamDecoder, words_of_frames_older_than_the_recording_are_dropped) {
  const Decoded decoded = decode({{block_of(5, 2), enter_index(0), exit_of(0), exit_of(5)},
                                  {block_of(6, 2, true), enter_index(1)}});
  EXPECT_EQ(decoded.heard.events, (std::vector{enter(0), block(1), kExit, enter(1), block(1)}));
  EXPECT_EQ(decoded.counts.late, 4U);
}

TEST(StreamDecoder, what_is_left_out_leaves_no_events_but_what_it_calls_does) {
  EXPECT_EQ(events_of({enter_index(0), enter_index(kNotKept), block_of(kNotKept, 2),
                       enter_index(kNotKept, true), enter_index(1), exit_of(1),
                       block_of(kNotKept, 3, true), block_of(0, 2), exit_of(0)}),
            (std::vector{enter(0), block(1), enter(1), block(1), kExit, block(2), kExit}));
}

TEST(StreamDecoder, a_fork_tells_the_frames_and_the_childs_stream_enters_them) {
  const Word token = wire::frame_token(0x100);
  const Decoded parent =
      decode({{enter_index(0), enter_index(kNotKept), enter_with_frame_word(kFirstModuleBase + 1),
               token, control_word(Control::fork), 9, exit_of(1)}});
  ASSERT_EQ(parent.heard.forks.size(), 1U);
  EXPECT_EQ(parent.heard.forks[0].first, 9U);
  ASSERT_EQ(parent.heard.forks[0].second.size(), 3U);
  const Decoded child = decode({{enter_index(2), control_word(Control::unwound), token, exit_of(1),
                                 exit_of(kNotKept), block_of(0, 2)}},
                               parent.heard.forks[0].second);
  EXPECT_EQ(child.heard.events,
            (std::vector{enter(0), enter(1), enter(2), block(1), kExit, kExit, block(2)}));
}

TEST(StreamDecoder, marks_and_pauses_are_told_where_they_stand) {
  std::vector<Word> words = {
      enter_index(0), control_word(Control::mark, 5), 0, 0, control_word(Control::mark, 0),
      exit_of(0),     control_word(Control::paused)};
  std::memcpy(&words[2], "hello\xff\xff\xff", 8);
  const Decoded decoded = decode({words});
  EXPECT_EQ(decoded.heard.marks, (std::vector<Mark>{{2, "hello"}, {2, ""}}));
  EXPECT_EQ(decoded.heard.pauses, 1);
  EXPECT_EQ(decoded.heard.events, (std::vector{enter(0), block(1), kExit}));
}

TEST(StreamDecoder, a_function_that_no_module_names_is_followed_without_events) {
  const Decoded decoded =
      decode({{enter_index(0), enter_word(3), block_of(5, 2), enter_index(1, true), block_of(5, 3),
               exit_of(5), block_of(0, 2), exit_of(0)}});
  EXPECT_EQ(decoded.heard.events,
            (std::vector{enter(0), block(1), enter(1), block(1), kExit, block(2), kExit}));
  EXPECT_EQ(decoded.heard.looked_for, std::vector<Word>{3});
  EXPECT_EQ(decoded.counts.unnamed, 1U);
  EXPECT_EQ(decoded.counts.repairs, 0U);
}

TEST(StreamDecoder, a_million_frames_are_entered_and_left) {
  constexpr std::size_t kDepth = 1'000'000;
  const std::vector<Word> down(kDepth, enter_index(0));
  const std::vector<Word> up(kDepth, exit_of(0));
  const Decoded decoded = decode({down, up});
  EXPECT_EQ(decoded.heard.events.size(), 3 * kDepth);
  EXPECT_TRUE(decoded.open.empty());
  EXPECT_EQ(decoded.counts, DecoderCounts{});
  const Decoded repaired = decode({{enter_index(1)}, down, {exit_of(1)}});
  EXPECT_EQ(repaired.heard.events.size(), 3 * kDepth + 3);
  EXPECT_EQ(repaired.counts.repairs, kDepth);
}

TEST(StreamDecoder, endless_calls_do_not_fill_the_memory) {
  const std::vector<Word> down(std::size_t{1} << 20, enter_index(0));
  static const FunctionNumbers numbers = test_numbers();
  const auto buffer = std::make_unique<EventBuffer>();
  struct Count : Heard {
    std::int64_t level = 0;
    void take(std::span<const Event> more) override {
      for (const Event& event : more) {
        level += event.kind == EventKind::enter ? 1 : event.kind == EventKind::exit ? -1 : 0;
      }
    }
  } heard;
  StreamDecoder decoder(numbers, *buffer, heard);
  for (int i = 0; i < 17; ++i) decoder.decode(down);
  EXPECT_EQ(decoder.counts().repairs, StreamDecoder::kMostFrames);
  EXPECT_EQ(heard.level, 1 << 20);
}

// ---- Against something slow and obvious

// A record at a time, every rule as stream_decoder.h states it.
Decoded reference(const std::vector<std::vector<Word>>& pieces) {
  Decoded result;
  std::vector<Event>& events = result.heard.events;
  std::vector<Frame>& open = result.open;
  const auto close = [&] {
    if (open.back().kept != 0) events.push_back(kExit);
    open.pop_back();
  };
  const auto make_running = [&](Word tag) {
    if (!open.empty() && open.back().key == kNoKey) open.back().key = key_of(tag);
    for (std::size_t i = open.size(); i-- > 0;) {
      if (open[i].key != key_of(tag)) continue;
      while (open.size() > i + 1) {
        close();
        ++result.counts.repairs;
      }
      return true;
    }
    ++result.counts.late;
    return false;
  };
  const auto run_block = [&](Word tag, Word id) {
    if (id == 0) {
      ++result.counts.malformed;
    } else if (make_running(tag) && open.back().kept != 0) {
      events.push_back(block(id));
    }
  };
  const auto run_exit = [&](Word tag) {
    if (make_running(tag)) close();
  };
  for (const std::vector<Word>& words : pieces) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const Word word = words[i];
      const bool has_next = i + 1 < words.size();
      const Word argument = word & wire::kArgumentMask;
      const Word tag = (word >> 16) & wire::kTagMask;
      const bool exits = (word & wire::kExits) != 0;
      const Word code = (word >> 24) & 63;
      switch (word >> 30) {
        case 1: {
          // An exit that comes with no block is still an exit, but not of a block that is none.
          const bool of_running = !open.empty() && open.back().key == key_of(tag);
          run_block(tag, word & 0xffff);
          if (exits && ((word & 0xffff) != 0 || !of_running)) run_exit(tag);
          break;
        }
        case 2:
        case 3: {
          Word token = 0;
          if (word >> 30 == 3) {
            if (!has_next) {
              ++result.counts.malformed;
              break;
            }
            token = words[++i];
          }
          const Word index = (word & wire::kFunctionMask) - kFirstModuleBase;
          Frame frame;
          frame.token = token;
          if (index < kFunctions) {
            frame.key = key_of(tag_of_index(index));
            frame.function = FunctionId{index};
            frame.kept = index == kNotKept ? 0 : 1;
          } else {
            ++result.counts.unnamed;
          }
          open.push_back(frame);
          if (frame.kept != 0) {
            events.push_back(Event::enter(frame.function));
            events.push_back(block(1));
          }
          if (exits) close();
          break;
        }
        default:
          if (code == 1) {
            run_exit(argument & wire::kTagMask);
          } else if (code == 2 && has_next) {
            run_block(argument & wire::kTagMask, words[++i]);
          } else if (code == 3 && has_next) {
            const Word token = words[++i];
            while (token == wire::kNoFrameToken && !open.empty()) close();
            for (std::size_t at = open.size(); token != 0 && at-- > 0;) {
              if (open[at].token != token) continue;
              while (open.size() > at + 1) close();
              break;
            }
          } else if (code == 4 && has_next) {
            result.heard.forks.emplace_back(words[++i], open);
          } else if (code == 5 && argument <= wire::kLongestMarkBytes &&
                     (argument + 3) / 4 <= words.size() - i - 1) {
            std::string text(argument, ' ');
            std::memcpy(text.data(), words.data() + i + 1, argument);
            result.heard.marks.push_back({events.size(), text});
            i += (argument + 3) / 4;
          } else if (code == 6) {
            ++result.heard.pauses;
          } else {
            ++result.counts.malformed;
          }
      }
    }
  }
  return result;
}

void expect_no_unmatched_exit(const std::vector<Event>& events) {
  std::size_t depth = 0;
  for (const Event& event : events) {
    if (event.kind == EventKind::enter) ++depth;
    if (event.kind != EventKind::enter) {
      ASSERT_GT(depth, 0U);
    }
    if (event.kind == EventKind::exit) --depth;
  }
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  Word operator()() { return static_cast<Word>(engine_()); }

 private:
  std::mt19937 engine_;
};

Word random_word(Random& random) {
  const Word index = random() % kFunctions;
  switch (random() % 16) {
    case 0:
    case 1:
    case 2:
      return enter_index(index, random() % 4 == 0);
    case 3:
      return enter_with_frame_word(kFirstModuleBase + index, random() % 8 == 0);
    case 4:
    case 5:
    case 6:
      return block_of(index, random() % 20, random() % 6 == 0);
    case 7:
    case 8:
      return exit_of(index);
    case 9:
      return wire::frame_token((random() % 16) * 16);
    case 10:
      return control_word(static_cast<Control>(random() % 9), random() % 64);
    case 11:
      return control_word(static_cast<Control>(random() % 9), tag_of_index(index));
    case 12:
      return random() % 70000;
    case 13:
      return (random() % 64) << 24 | random() % 3;
    case 14:
      return enter_word(random() & wire::kFunctionMask);
    default:
      return random();
  }
}

TEST(StreamDecoder, any_words_are_decoded_as_the_reference_decodes_them) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    std::vector<std::vector<Word>> pieces(random() % 4 + 1);
    for (std::vector<Word>& piece : pieces) {
      piece.resize(random() % (seed % 50 == 0 ? 30000 : 200));
      for (Word& word : piece) word = random_word(random);
    }
    const Decoded expected = reference(pieces);
    const Decoded decoded = decode(pieces);
    ASSERT_EQ(decoded.heard.events, expected.heard.events) << "seed " << seed;
    ASSERT_EQ(decoded.open, expected.open) << "seed " << seed;
    ASSERT_EQ(decoded.counts, expected.counts) << "seed " << seed;
    ASSERT_EQ(decoded.heard.marks, expected.heard.marks) << "seed " << seed;
    ASSERT_EQ(decoded.heard.forks, expected.heard.forks) << "seed " << seed;
    ASSERT_EQ(decoded.heard.pauses, expected.heard.pauses) << "seed " << seed;
    expect_no_unmatched_exit(decoded.heard.events);
  }
}

// A program that knows what it does: words, and the events they should be.
TEST(StreamDecoder, what_a_program_writes_is_what_it_did) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Random random(seed);
    std::vector<Word> words;
    std::vector<Event> events;
    struct Open {
      Word index;
      Word token;
    };
    std::vector<Open> open;
    const auto say = [&](Word index, const Event& event) {
      if (index != kNotKept) events.push_back(event);
    };
    for (int step = 0; step < 20000; ++step) {
      const unsigned choice = random() % 100;
      if (open.empty() || choice < 25) {
        const Word index = random() % kFunctions;
        const bool exits = !open.empty() && random() % 4 == 0;
        const bool has_token = random() % 3 == 0;
        const Word token = wire::frame_token(0x7fff0000 - open.size() * 64);
        words.push_back((has_token ? enter_with_frame_word(kFirstModuleBase + index, exits)
                                   : enter_index(index, exits)));
        if (has_token) words.push_back(token);
        say(index, enter(index));
        say(index, block(1));
        if (exits) {
          say(index, kExit);
        } else {
          open.push_back({index, has_token ? token : 0});
        }
      } else if (choice < 75) {
        const Word id = random() % 30 == 0 ? 70000 + random() % 10 : random() % 9 + 1;
        const bool exits = id < 70000 && random() % 6 == 0;
        if (id < 70000) {
          words.push_back(block_of(open.back().index, id, exits));
        } else {
          words.push_back(control_word(Control::wide_block, tag_of_index(open.back().index)));
          words.push_back(id);
        }
        say(open.back().index, block(id));
        if (exits) {
          say(open.back().index, kExit);
          open.pop_back();
        }
      } else if (choice < 97) {
        words.push_back(exit_of(open.back().index));
        say(open.back().index, kExit);
        open.pop_back();
      } else {
        const std::size_t to = random() % open.size();
        if (open[to].token == 0) continue;
        words.push_back(control_word(Control::unwound));
        words.push_back(open[to].token);
        while (open.size() > to + 1) {
          say(open.back().index, kExit);
          open.pop_back();
        }
      }
    }
    const Decoded decoded = decode({words});
    ASSERT_EQ(decoded.heard.events, events) << "seed " << seed;
    ASSERT_EQ(decoded.open.size(), open.size()) << "seed " << seed;
    ASSERT_EQ(decoded.counts, DecoderCounts{}) << "seed " << seed;
  }
}

}  // namespace
}  // namespace pathspool::collector
