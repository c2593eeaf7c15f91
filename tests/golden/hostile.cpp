// Files made by hand to do harm, all with right checksums: refused with an Error, soon and in
// little memory.
#include <gtest/gtest.h>

#include <functional>

#include "codec/codec.h"
#include "grammar/grammar_encoder.h"
#include "spool/grammar_form.h"
#include "spool/packed.h"
#include "spool/phrase_encoder.h"
#include "support/container.h"
#include "support/every_operation.h"
#include "support/pack_ways.h"
#include "support/recording.h"
#include "support/resource_limits.h"
#include "support/scratch.h"
#include "support/segmented.h"

namespace pathspool {
namespace {

using testing::RawSection;

// Every operation within bounds of time and memory.
testing::Answers ask(const std::filesystem::path& path) {
  const testing::AddressSpaceLimit limit;
  const testing::ProcessorTime time;
  testing::Answers answers = testing::every_operation(path, 1000);
  EXPECT_LT(time.seconds(), 10);
  return answers;
}

void expect_refused(const std::filesystem::path& path) {
  const testing::Answers found = ask(path);
  for (const auto& answer : found.answers) EXPECT_FALSE(answer.has_value()) << *answer;
  if (found.report) {
    EXPECT_FALSE(found.report->problems.empty());
  }
}

class Hostile : public ::testing::Test {
 protected:
  // META, FUNC, STRM, segments, CONT.
  static constexpr std::size_t kFunctions = 1;
  static constexpr std::size_t kStreams = 2;
  static constexpr std::size_t kSegment = 3;

  std::vector<RawSection> good(Form form) {
    PackOptions options;
    options.form = form;
    options.chunk_bytes = 10;
    testing::Recording recording = testing::one_stream(testing::random_trace(8, 60));
    testing::write_segmented(scratch_.file("good"), recording, options, 30);
    return *testing::take_apart(testing::read_whole(scratch_.file("good")));
  }
  std::filesystem::path with_table(std::vector<RawSection> sections) {
    sections.pop_back();
    testing::write_whole(scratch_.file("bad"),
                         testing::put_together_with_table(std::move(sections)));
    return scratch_.file("bad");
  }
  std::filesystem::path without_table(std::vector<RawSection> sections) {
    sections.pop_back();
    base::Bytes bytes = testing::put_together(sections);
    bytes.resize(bytes.size() - spool::kFooterBytes);
    testing::write_whole(scratch_.file("bad"), bytes);
    return scratch_.file("bad");
  }

  testing::Scratch scratch_;
};

base::Bytes bytes_of(const std::function<void(base::ByteWriter&)>& write) {
  base::ByteWriter writer;
  write(writer);
  return writer.take();
}

// As small as compression makes it, whatever that unpacks to.
void write_bomb(base::ByteWriter& writer, const base::Bytes& raw) {
  const base::Bytes stored = codec::Compressor(Codec::zstd, raw.size()).compress(raw);
  writer.varint(raw.size());
  writer.varint(stored.size());
  writer.bytes(stored);
}

TEST_F(Hostile, counts_larger_than_the_file_are_refused) {
  const std::vector<RawSection> sections = good(Form::chunks);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    for (const std::uint64_t count : {~0ULL, ~0ULL >> 1, 1ULL << 40, 1ULL << 32, 1ULL << 28}) {
      std::vector<RawSection> changed = sections;
      // Each section of ours begins with a number: a count, an id or a stream.
      base::ByteReader reader(changed[i].content);
      reader.varint();
      const base::Bytes rest(changed[i].content.begin() + static_cast<std::ptrdiff_t>(reader.at()),
                             changed[i].content.end());
      changed[i].content = bytes_of([&](base::ByteWriter& writer) {
        writer.varint(count);
        writer.bytes(rest);
      });
      testing::write_whole(scratch_.file("bad"), testing::put_together(changed));
      expect_refused(scratch_.file("bad"));
    }
  }
}

TEST_F(Hostile, a_packed_part_that_claims_more_than_it_has_is_refused) {
  std::vector<RawSection> sections = good(Form::chunks);
  for (const std::uint64_t raw_bytes : {1ULL << 20, 256ULL << 20, 1ULL << 40, ~0ULL}) {
    sections[kFunctions].content = bytes_of([&](base::ByteWriter& writer) {
      writer.varint(0);
      writer.varint(4);
      writer.varint(raw_bytes);
      writer.varint(3);
      writer.bytes(base::Bytes{1, 2, 3});
    });
    expect_refused(with_table(sections));
  }
}

// A list of functions that is small in the file and large in memory: as it is, and padded as a
// writer would.
TEST_F(Hostile, a_few_kilobytes_that_list_millions_of_functions_are_refused) {
  const std::vector<RawSection> sections = good(Form::chunks);
  for (const bool padded : {false, true}) {
    const std::uint32_t functions = padded ? 10'000'000 : 40'000'000;
    std::vector<RawSection> changed = sections;
    changed[kFunctions].content = bytes_of([&](base::ByteWriter& writer) {
      writer.varint(0);
      writer.varint(functions);
      // No strings, and then functions without name, demangled name, file, line and blocks.
      base::Bytes raw(1 + 5 * std::size_t{functions});
      for (std::size_t i = 1; i < raw.size(); i += 5) raw[i] = raw[i + 1] = raw[i + 2] = 1;
      if (padded) {
        spool::write_packed(writer, raw);
      } else {
        write_bomb(writer, raw);
      }
    });
    ASSERT_LT(changed[kFunctions].content.size(), padded ? 1'000'000U : 100'000U);
    expect_refused(with_table(changed));
  }
}

// A list of one function with one block, as a writer would write it but for what `block` writes.
base::Bytes one_function(const std::vector<std::string>& strings,
                         const std::function<void(base::ByteWriter&)>& block) {
  base::ByteWriter list;
  list.varint(strings.size());
  for (const std::string& string : strings) list.string(string);
  list.bytes(base::Bytes{1, 1, 1, 0, 1});  // no name, no demangled name, no file, no line, a block
  block(list);
  base::ByteWriter writer;
  writer.varint(0);
  writer.varint(1);
  spool::write_packed(writer, list.view());
  return writer.take();
}

TEST_F(Hostile, a_control_flow_graph_that_contradicts_itself_is_refused) {
  const auto bytes = [](base::Bytes of_block) {
    return [of_block](base::ByteWriter& writer) { writer.bytes(of_block); };
  };
  struct Case {
    base::Bytes block;  // terminator, successors, lines, calls
    bool good;
  };
  // One event, of function 0.
  std::vector<RawSection> sections = [this] {
    testing::write_spool(scratch_.file("good"),
                         testing::one_stream({Event::enter(FunctionId{0})}, 1));
    return *testing::take_apart(testing::read_whole(scratch_.file("good")));
  }();
  for (const Case& test : {
           Case{{1, 1, 0, 0, 0}, true},            // itself
           Case{{1, 1, 2, 0, 0}, false},           // the block after the last
           Case{{1, 1, 1, 0, 0}, false},           // the one before the first
           Case{{8, 0, 0, 0}, true},               //
           Case{{9, 0, 0, 0}, false},              // no such terminator
           Case{{6, 0, 0, 1, 0, 1}, true},         //
           Case{{6, 0, 0, 1, 0, 0}, true},         // the list's first string
           Case{{6, 0, 0, 1, 0, 2}, true},         // again
           Case{{6, 0, 0, 1, 0, 3}, false},        // its second, which is not there
           Case{{6, 0, 0, 2, 0, 0, 0, 0}, false},  // likewise
           Case{{6, 0, 0, 1, 3, 1}, false},        // no such kind of call
           Case{{6, 0, 1, 1, 0}, false},           // line -1
           Case{{6, 0, 1, 2, 0}, true},            //
           Case{{6, 0, 0, 0, 0}, false},           // a byte too many
           Case{{6, 0, 0}, false},                 // a byte too few
           Case{{6, 0, 0xff, 0xff, 0xff, 0x7f, 0}, false},
       }) {
    sections[kFunctions].content = one_function({"f"}, bytes(test.block));
    if (test.good) {
      testing::expect_intact(with_table(sections));
      EXPECT_EQ(Spool::open(scratch_.file("bad")).functions()[FunctionId{0}].blocks.size(), 1U);
    } else {
      expect_refused(with_table(sections));
    }
  }
}

TEST_F(Hostile, a_short_list_that_uses_a_long_string_a_million_times_is_refused) {
  std::vector<RawSection> sections = good(Form::chunks);
  sections[kFunctions].content =
      one_function({std::string(100'000, 'x')}, [](base::ByteWriter& writer) {
        writer.bytes(base::Bytes{6, 0, 0});
        writer.varint(1'000'000);
        for (int i = 0; i < 1'000'000; ++i) writer.bytes(base::Bytes{0, 2});
      });
  ASSERT_LT(sections[kFunctions].content.size(), 100'000U);
  expect_refused(with_table(sections));
}

TEST_F(Hostile, a_block_that_its_function_does_not_have_is_a_problem) {
  for (const testing::PackWay& way : testing::all_pack_ways()) {
    testing::Recording recording =
        testing::one_stream({Event::enter(FunctionId{0}), Event::block(BlockId{2}),
                             Event::enter(FunctionId{1}), Event::block(BlockId{9}), Event::exit(),
                             Event::block(BlockId{2}), Event::exit(), Event::block(BlockId{9})},
                            2);
    recording.functions[0].blocks.resize(2);
    testing::write_spool(scratch_.file("a"), recording, way.options);
    testing::expect_intact(scratch_.file("a"));
    recording.streams[0].events[5] = Event::block(BlockId{3});
    testing::write_spool(scratch_.file("a"), recording, way.options);
    const CheckReport report = check(scratch_.file("a"));
    ASSERT_EQ(report.problems.size(), 1U);
    EXPECT_EQ(report.problems[0].what, "event 0:5 is block 3 of a function that has 2: f0");
    EXPECT_EQ(report.damaged_segments, 0U);
    EXPECT_EQ(report.segments, 1U);
  }
}

TEST_F(Hostile, facts_that_list_millions_of_chunks_are_refused) {
  std::vector<RawSection> sections = good(Form::chunks);
  base::ByteWriter facts;
  for (int i = 0; i < 4; ++i) facts.varint(0);
  const std::uint64_t chunks = 80U << 20;
  facts.varint(chunks);
  base::Bytes raw = facts.take();
  const std::size_t begin = raw.size();
  raw.resize(begin + 3 * chunks);
  for (std::uint64_t i = 0; i < chunks; ++i) raw[begin + 3 * i] = 1;
  base::ByteWriter writer;
  for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{0}, chunks})
    writer.varint(value);
  writer.bytes(base::Bytes{1, 0, 2, 3, 0});  // form, flags, the form part: zstd, no chunks
  write_bomb(writer, raw);
  sections.erase(sections.begin() + kSegment + 1);
  sections[kSegment].content = writer.take();
  ASSERT_LT(sections[kSegment].content.size(), 100'000U);
  expect_refused(with_table(sections));
}

TEST_F(Hostile, many_streams_in_falling_order_are_read_soon_or_refused_soon) {
  std::vector<RawSection> sections = good(Form::chunks);
  const std::uint32_t count = 100'000;
  sections[kStreams].content = bytes_of([&](base::ByteWriter& writer) {
    writer.varint(count);
    for (std::uint32_t i = count; i-- > 0;) {
      writer.varint(i);
      writer.varint(0);
      writer.varint(0);
    }
  });
  static_cast<void>(ask(with_table(sections)));
}

TEST_F(Hostile, a_stream_named_twice_is_refused) {
  std::vector<RawSection> sections = good(Form::grammar);
  sections.insert(sections.begin() + kStreams, RawSection(sections[kStreams]));
  expect_refused(with_table(sections));
}

TEST_F(Hostile, a_segment_of_no_known_stream_is_refused) {
  std::vector<RawSection> sections = good(Form::grammar);
  sections.erase(sections.begin() + kStreams);
  expect_refused(with_table(sections));
}

TEST_F(Hostile, a_gap_between_segments_is_refused) {
  std::vector<RawSection> sections = good(Form::grammar);
  sections.erase(sections.begin() + kSegment);
  expect_refused(with_table(sections));
  expect_refused(without_table(sections));
}

TEST_F(Hostile, segments_in_the_wrong_order_are_refused) {
  std::vector<RawSection> sections = good(Form::chunks);
  std::swap(sections[kSegment], sections[kSegment + 1]);
  expect_refused(with_table(sections));
}

TEST_F(Hostile, a_function_table_with_a_gap_is_refused) {
  std::vector<RawSection> sections = good(Form::chunks);
  sections[kFunctions].content[0] = 1;
  expect_refused(with_table(sections));
}

TEST_F(Hostile, a_table_of_contents_that_lies_is_noticed) {
  const std::vector<RawSection> sections = good(Form::chunks);
  // Other counts of events, other lengths, other types, other streams.
  for (std::size_t at = 1; at < sections.back().content.size(); ++at) {
    for (const unsigned bit : {0U, 5U, 7U}) {
      std::vector<RawSection> changed = sections;
      changed.back().content[at] ^= static_cast<std::uint8_t>(1U << bit);
      testing::write_whole(scratch_.file("bad"), testing::put_together(changed));
      const testing::Answers found = ask(scratch_.file("bad"));
      ASSERT_TRUE(found.report.has_value());
      EXPECT_FALSE(found.report->intact()) << "byte " << at;
    }
  }
}

TEST_F(Hostile, a_footer_that_points_elsewhere_is_refused) {
  const std::vector<RawSection> sections = good(Form::chunks);
  base::Bytes bytes = testing::put_together(sections);
  for (const std::uint64_t offset_bytes :
       {std::uint64_t{0}, spool::kFileHeaderBytes, std::uint64_t{bytes.size()}, UINT64_MAX,
        UINT64_MAX - spool::kSectionHeaderBytes, bytes.size() - spool::kFooterBytes}) {
    bytes.resize(bytes.size() - spool::kFooterBytes);
    const base::Bytes footer = spool::encode_footer(offset_bytes);
    bytes.insert(bytes.end(), footer.begin(), footer.end());
    testing::write_whole(scratch_.file("bad"), bytes);
    EXPECT_THROW(static_cast<void>(Spool::open(scratch_.file("bad"))), Error);
    EXPECT_FALSE(check(scratch_.file("bad")).problems.empty());
  }
}

TEST_F(Hostile, unknown_sections_are_skipped_by_table_and_by_walking) {
  for (const Form form : {Form::chunks, Form::grammar}) {
    std::vector<RawSection> sections = good(form);
    const testing::Recording expected = testing::read_spool(Spool::open(scratch_.file("good")));
    for (const std::size_t at : {std::size_t{0}, kStreams, kSegment + 1, sections.size() - 1}) {
      sections.insert(sections.begin() + static_cast<std::ptrdiff_t>(at),
                      RawSection{spool::section_type("WHAT"), {1, 2, 3}, {{4, 5}, {}, {6}}});
    }
    testing::expect_intact(with_table(sections));
    EXPECT_EQ(testing::read_spool(Spool::open(scratch_.file("bad"))), expected);
    const Spool walked = Spool::open(without_table(sections));
    EXPECT_TRUE(walked.truncation().has_value());
    EXPECT_EQ(testing::read_spool(walked), expected);
    // Their bytes are covered by checksums all the same.
    base::Bytes bytes = testing::read_whole(with_table(sections));
    bytes[24 + 40 + 1 + 9 + 9 + 9 + 3 + 2] ^= 1;
    testing::write_whole(scratch_.file("bad"), bytes);
    EXPECT_EQ(testing::read_spool(Spool::open(scratch_.file("bad"))), expected);
    EXPECT_FALSE(check(scratch_.file("bad")).intact());
  }
}

TEST_F(Hostile, a_chunk_that_claims_other_raw_bytes_than_it_has_is_refused) {
  const std::vector<RawSection> sections = good(Form::chunks);
  // The form part lies after stream, first event, events, form, flags and its length, a byte each
  // here.
  constexpr std::size_t kFormPart = 6;
  ASSERT_EQ(sections[kSegment].content[kFormPart], static_cast<std::uint8_t>(Codec::zstd));
  for (const int change : {-1, 1, 100}) {
    std::vector<RawSection> changed = sections;
    changed[kSegment].content[kFormPart + 2] =
        static_cast<std::uint8_t>(changed[kSegment].content[kFormPart + 2] + change);
    const auto path = with_table(changed);
    const Spool spool = Spool::open(path);
    EXPECT_THROW(static_cast<void>(testing::read_events(spool, StreamId{0})), Error);
    EXPECT_EQ(check(path).damaged_segments, 1U);
  }
}

TEST_F(Hostile, a_form_or_codec_of_the_future_is_refused_and_the_rest_is_read) {
  const std::vector<RawSection> sections = good(Form::chunks);
  for (const auto& [at, value] :
       {std::pair{3, 3}, {3, 4}, {3, 9}, {3, 0}, {6, 0}, {6, 5}, {6, 255}}) {
    std::vector<RawSection> changed = sections;
    changed[kSegment].content[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(value);
    const auto path = with_table(changed);
    const Spool spool = Spool::open(path);
    EXPECT_THROW(static_cast<void>(spool.info()), Error);
    EXPECT_THROW(static_cast<void>(testing::read_events(spool, StreamId{0})), Error);
    EXPECT_EQ(testing::read_events(spool, StreamId{0}, 30).size(), 30U);
    EXPECT_EQ(check(path).damaged_segments, 1U);
  }
}

// More events than anyone expands, in chunks of zeros: 256 MiB of exits take a few kilobytes.
TEST_F(Hostile, damage_in_a_segment_too_long_to_expand_is_still_found) {
  if (testing::kSanitized) GTEST_SKIP() << "takes long under a sanitizer";
  constexpr std::uint64_t kChunk = 256U << 20;
  const base::Bytes zeros(kChunk);
  const base::Bytes stored = codec::Compressor(Codec::zstd, kChunk).compress(zeros);
  spool::EncodedSegment segment;
  spool::ChunksForm form;
  form.codec = Codec::zstd;
  std::int64_t depth = 0;
  for (int i = 0; i < 9; ++i) {
    const std::int64_t after = depth - static_cast<std::int64_t>(kChunk);
    segment.facts.chunks.push_back({kChunk, depth, after, after, {}});
    depth = after;
    form.raw_bytes.push_back(kChunk);
    segment.blobs.push_back(stored);
  }
  segment.form_part = form.encode();
  PackOptions options;
  options.index = false;
  {
    testing::SegmentedFile file(scratch_.file("long"));
    file.add_tables(testing::one_stream({}));
    file.add_segment(StreamId{0}, 0, options, std::move(segment));
    file.finish();
  }
  base::Bytes bytes = testing::read_whole(scratch_.file("long"));
  bytes[bytes.size() - 300] ^= 1;  // in the last chunk, before the table of contents
  testing::write_whole(scratch_.file("bad"), bytes);
  const CheckReport report = check(scratch_.file("bad"));
  EXPECT_FALSE(report.intact());
}

}  // namespace
}  // namespace pathspool
