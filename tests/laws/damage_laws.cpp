// Files that end early, files with a wrong bit, and files that say nonsense under right checksums.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "support/container.h"
#include "support/every_operation.h"
#include "support/pack_ways.h"
#include "support/recording.h"
#include "support/resource_limits.h"
#include "support/scratch.h"
#include "support/segmented.h"

namespace pathspool {
namespace {

using testing::PackWay;
using testing::Recording;

// Several segments of several streams, each of several chunks.
void write_small_spool(const std::filesystem::path& path, PackWay way, std::uint64_t seed = 1,
                       std::size_t length = 60) {
  way.options.chunk_bytes = 12;
  testing::write_segmented(path, testing::full_recording(seed, length), way.options, 25);
}

// The events of every stream in the segments that end at or before `size_bytes`.
std::vector<std::uint64_t> complete_events(const Spool& whole, std::uint64_t size_bytes) {
  std::vector<std::uint64_t> events;
  for (const StreamInfo& stream : whole.streams()) {
    events.push_back(0);
    for (const SegmentInfo& segment : whole.info().segments) {
      if (segment.stream == stream.id &&
          segment.offset_bytes + segment.stored_bytes <= size_bytes) {
        events.back() += segment.events;
      }
    }
  }
  return events;
}

TEST(Truncation, a_file_cut_at_any_byte_gives_its_complete_segments_and_says_so) {
  const testing::Scratch scratch;
  for (const PackWay& way : testing::main_pack_ways()) {
    SCOPED_TRACE(way.name);
    write_small_spool(scratch.file("whole"), way);
    const base::Bytes bytes = testing::read_whole(scratch.file("whole"));
    const Spool whole = Spool::open(scratch.file("whole"));
    const Recording recording = testing::read_spool(whole);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      SCOPED_TRACE("cut at byte " + std::to_string(size));
      testing::write_whole(scratch.file("cut"), base::ByteView(bytes).first(size));
      if (size == 0) {
        EXPECT_THROW(static_cast<void>(Spool::open(scratch.file("cut"))), Error);
        EXPECT_THROW(static_cast<void>(check(scratch.file("cut"))), Error);
        continue;
      }
      const Spool spool = Spool::open(scratch.file("cut"));
      ASSERT_TRUE(spool.truncation().has_value());
      EXPECT_EQ(spool.truncation()->complete_bytes + spool.truncation()->unusable_bytes, size);
      EXPECT_GT(spool.truncation()->missing_bytes, 0U);
      EXPECT_LE(spool.truncation()->missing_bytes, bytes.size() - size);
      const std::vector<std::uint64_t> complete = complete_events(whole, size);
      const Recording found = testing::read_spool(spool);
      // Streams that no complete section has named yet are not there.
      if (!found.streams.empty()) {
        ASSERT_EQ(found.streams.size(), recording.streams.size());
      }
      for (std::size_t i = 0; i < found.streams.size(); ++i) {
        ASSERT_EQ(found.streams[i].events.size(), complete[i]);
        ASSERT_TRUE(std::ranges::equal(found.streams[i].events,
                                       std::span(recording.streams[i].events).first(complete[i])));
        const auto frames = testing::replayed_frames(found.streams[i].events);
        ASSERT_EQ(spool.open_frames({found.streams[i].id, complete[i]}), frames.back());
      }
      EXPECT_TRUE(spool.info().truncation.has_value());
      const CheckReport report = check(scratch.file("cut"));
      EXPECT_FALSE(report.intact());
      EXPECT_TRUE(report.truncation.has_value());
      EXPECT_TRUE(report.problems.empty()) << report.problems[0].what;
      EXPECT_EQ(report.events, std::accumulate(complete.begin(), complete.end(), std::uint64_t{0}));
    }
  }
}

TEST(Truncation, bytes_after_the_end_are_damage) {
  const testing::Scratch scratch;
  for (const PackWay& way : testing::main_pack_ways()) {
    write_small_spool(scratch.file("a"), way);
    base::Bytes bytes = testing::read_whole(scratch.file("a"));
    const base::Bytes once = bytes;
    bytes.push_back(0);
    testing::write_whole(scratch.file("b"), bytes);
    EXPECT_THROW(static_cast<void>(Spool::open(scratch.file("b"))), Error);
    EXPECT_FALSE(check(scratch.file("b")).problems.empty());
    // Even if what follows is a whole spool.
    bytes.pop_back();
    bytes.insert(bytes.end(), once.begin(), once.end());
    testing::write_whole(scratch.file("b"), bytes);
    EXPECT_THROW(static_cast<void>(Spool::open(scratch.file("b"))), Error);
    EXPECT_FALSE(check(scratch.file("b")).problems.empty());
  }
}

TEST(Damage, a_flipped_bit_anywhere_is_noticed_or_changes_no_answer) {
  const testing::Scratch scratch;
  for (PackWay way : testing::main_pack_ways()) {
    SCOPED_TRACE(way.name);
    way.options.chunk_bytes = 12;
    testing::write_segmented(scratch.file("good"), testing::full_recording(4, 30), way.options, 20);
    const base::Bytes bytes = testing::read_whole(scratch.file("good"));
    const testing::Answers good = testing::every_operation(scratch.file("good"));
    ASSERT_TRUE(good.report->intact());
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        // Under a sanitizer one bit of each byte has to do.
        if (testing::kSanitized && bit != at % 8) continue;
        SCOPED_TRACE("byte " + std::to_string(at) + ", bit " + std::to_string(bit));
        base::Bytes damaged = bytes;
        damaged[at] ^= static_cast<std::uint8_t>(1U << bit);
        testing::write_whole(scratch.file("bad"), damaged);
        const testing::Answers found = testing::every_operation(scratch.file("bad"));
        if (found.report) {
          ASSERT_FALSE(found.report->intact());
          ASSERT_FALSE(found.report->truncation.has_value());
        }
        ASSERT_LE(found.answers.size(), good.answers.size());
        for (std::size_t i = 0; i < found.answers.size(); ++i) {
          if (found.answers[i]) {
            ASSERT_EQ(found.answers[i], good.answers[i]);
          }
        }
      }
    }
  }
}

// Changes a few things of the sections at random, as a hostile hand could: checksums stay right.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  base::Bytes mutated(std::vector<testing::RawSection> sections) {
    const bool fix_table = below(4) != 0;
    const std::uint64_t changes = 1 + below(3);
    for (std::uint64_t i = 0; i < changes; ++i) change(sections);
    if (fix_table) {
      sections.pop_back();
      sections.push_back(testing::table_of(sections));
    }
    return testing::put_together(sections);
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

  void change(std::vector<testing::RawSection>& sections) {
    const std::size_t at = below(sections.size());
    testing::RawSection& section = sections[at];
    switch (below(10)) {
      case 0:
        std::swap(section, sections[below(sections.size())]);
        break;
      case 1:
        if (sections.size() > 2) sections.erase(sections.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 2:
        sections.insert(sections.begin() + static_cast<std::ptrdiff_t>(below(sections.size())),
                        testing::RawSection(section));
        break;
      case 3:
        if (!section.blobs.empty()) section.blobs.pop_back();
        break;
      case 4:
        if (!section.blobs.empty())
          std::swap(section.blobs[0], section.blobs[below(section.blobs.size())]);
        break;
      case 5:
      case 6:
        if (!section.blobs.empty()) change(section.blobs[below(section.blobs.size())]);
        break;
      default:
        change(section.content);
    }
  }

  void change(base::Bytes& bytes) {
    if (bytes.empty()) return;
    const std::size_t at = below(bytes.size());
    const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    switch (below(6)) {
      case 0:
        bytes[at] ^= static_cast<std::uint8_t>(1U << below(8));
        break;
      case 1:
        bytes[at] = static_cast<std::uint8_t>(random_());
        break;
      case 2:
        bytes.erase(place);
        break;
      case 3:
        bytes.insert(place, static_cast<std::uint8_t>(random_()));
        break;
      case 4: {  // the largest number, or one near it
        base::ByteWriter writer;
        writer.varint(UINT64_MAX >> below(64));
        bytes.erase(place);
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), writer.view().begin(),
                     writer.view().end());
        break;
      }
      default:
        bytes.resize(at);
    }
  }

  std::mt19937_64 random_;
};

TEST(Damage, nonsense_under_right_checksums_is_refused_or_is_some_recording) {
  const testing::Scratch scratch;
  const testing::AddressSpaceLimit limit;
  const testing::ProcessorTime time;
  const std::uint64_t rounds = testing::kSanitized ? 1500 : 6000;
  std::uint64_t refused = 0;
  std::uint64_t read = 0;
  for (const PackWay& way : testing::all_pack_ways()) {
    SCOPED_TRACE(way.name);
    write_small_spool(scratch.file("good"), way, 7, 120);
    const auto sections = testing::take_apart(testing::read_whole(scratch.file("good")));
    ASSERT_TRUE(sections.has_value());
    ASSERT_EQ(testing::put_together(*sections), testing::read_whole(scratch.file("good")));
    ASSERT_EQ(testing::table_of({sections->begin(), sections->end() - 1}), sections->back());
    for (std::uint64_t round = 0; round < rounds / 6; ++round) {
      SCOPED_TRACE("round " + std::to_string(round));
      testing::write_whole(scratch.file("bad"), Mutator(round).mutated(*sections));
      const testing::ProcessorTime round_time;
      const testing::Answers found = testing::every_operation(scratch.file("bad"));
      ASSERT_LT(round_time.seconds(), 20);
      const bool all_answered =
          std::ranges::all_of(found.answers, [](const auto& answer) { return answer.has_value(); });
      ++(found.answers.empty() || !all_answered ? refused : read);
      // Nothing may be called intact that cannot be read.
      if (found.report && found.report->intact()) {
        const Spool spool = Spool::open(scratch.file("bad"));
        std::uint64_t events = 0;
        for (const testing::RecordedStream& stream : testing::read_spool(spool).streams)
          events += stream.events.size();
        ASSERT_EQ(events, found.report->events);
      }
    }
  }
  EXPECT_GT(refused, rounds / 4);
}

}  // namespace
}  // namespace pathspool
