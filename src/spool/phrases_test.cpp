#include "spool/phrases.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pathspool/error.h"
#include "spool/phrase_decoder.h"
#include "spool/phrase_encoder.h"
#include "spool/phrase_trie.h"
#include "support/random_trace.h"

namespace pathspool::spool {
namespace {

constexpr std::uint64_t kFunctions = 4;

std::vector<Event> joined(const PhraseTable& table, std::span<const std::uint32_t> phrases) {
  std::vector<Event> events;
  for (const std::uint32_t phrase : phrases) {
    events.insert(events.end(), table[phrase].begin(), table[phrase].end());
  }
  return events;
}

RC_GTEST_PROP(Phrases, joined_they_are_the_trace_and_the_dictionary_comes_back, (bool blocks)) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto length = *rc::gen::inRange<std::size_t>(0, 500);
  const std::vector<Event> events = testing::random_trace(seed, length);
  PhraseTrie trie(blocks ? Symbols::blocks : Symbols::segments);
  std::vector<std::uint32_t> phrases;
  trie.append(std::span(events).first(length / 3), phrases);
  trie.append(std::span(events).subspan(length / 3), phrases);
  trie.flush(phrases);
  const PhraseTable table = trie.table();
  RC_ASSERT(joined(table, phrases) == events);

  const PhraseTable again = decode_phrases(encode_phrases(table), table.size(), kFunctions);
  RC_ASSERT(again.events == table.events);
  RC_ASSERT(again.begin == table.begin);
  RC_ASSERT(again.contexts == table.contexts);
}

TEST(Phrases, the_papers_alphabet_has_one_event_a_phrase) {
  PhraseTrie trie(Symbols::blocks);
  std::vector<std::uint32_t> phrases;
  const std::vector<Event> events = testing::random_trace(1, 1000);
  trie.append(events, phrases);
  EXPECT_EQ(phrases.size(), events.size());
}

TEST(Phrases, the_blocks_before_the_first_enter_of_a_phrase_belong_to_its_context) {
  const std::vector<Event> events = testing::random_trace(7, 2000);
  PhraseTrie trie(Symbols::segments);
  std::vector<std::uint32_t> phrases;
  trie.append(events, phrases);
  trie.flush(phrases);
  const PhraseTable table = trie.table();
  trace::FrameStack frames;
  for (const std::uint32_t phrase : phrases) {
    ASSERT_EQ(table.contexts[phrase], frames.running());
    for (const Event& event : table[phrase]) frames.apply(event);
  }
}

TEST(Phrases, a_run_of_new_blocks_is_cut_at_the_longest_phrase) {
  std::vector<Event> events;
  for (std::uint32_t id = 1; id <= 100; ++id) events.push_back(Event::block(BlockId{id}));
  PhraseTrie trie(Symbols::segments);
  std::vector<std::uint32_t> phrases;
  trie.append(events, phrases);
  trie.flush(phrases);
  EXPECT_EQ(phrases.size(), 4U);
}

RC_GTEST_PROP(Phrases, damaged_bytes_are_refused_or_give_a_dictionary, ()) {
  PhraseTrie trie(Symbols::segments);
  std::vector<std::uint32_t> phrases;
  trie.append(testing::random_trace(*rc::gen::arbitrary<std::uint64_t>(), 200), phrases);
  trie.flush(phrases);
  const PhraseTable table = trie.table();
  base::Bytes bytes = encode_phrases(table);
  const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
  bytes[at] ^= *rc::gen::inRange<std::uint8_t>(1, 255);
  try {
    const PhraseTable found = decode_phrases(bytes, table.size(), kFunctions);
    RC_ASSERT(found.size() == table.size());
  } catch (const Error&) {
  }
}

TEST(Phrases, a_claim_of_more_phrases_than_the_bytes_can_hold_is_refused_soon) {
  EXPECT_THROW(static_cast<void>(decode_phrases(base::Bytes(10), UINT64_MAX, kFunctions)), Error);
}

}  // namespace
}  // namespace pathspool::spool
