#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "spool/event_decoder.h"
#include "spool/event_encoder.h"

namespace pathspool::spool {
namespace {

base::Bytes coded(std::span<const Event> events) {
  base::Bytes bytes(events.size() * kLongestEventBytes);
  std::uint8_t* out = bytes.data();
  for (const Event& event : events) out = encode_event(event, out);
  bytes.resize(static_cast<std::size_t>(out - bytes.data()));
  return bytes;
}

RC_GTEST_PROP(EventCoding, events_come_back_in_batches_of_any_size, ()) {
  std::vector<Event> events;
  for (const auto& [kind, id] : *rc::gen::arbitrary<std::vector<std::pair<int, std::uint32_t>>>()) {
    if (kind % 3 == 0) events.push_back(Event::exit());
    if (kind % 3 == 1) events.push_back(Event::enter(FunctionId{id / 2}));
    if (kind % 3 == 2) events.push_back(Event::block(BlockId{id == 0 ? 1 : id}));
  }
  const base::Bytes bytes = coded(events);
  EventDecoder decoder(bytes, UINT32_MAX);
  std::vector<Event> found;
  std::vector<Event> batch(*rc::gen::inRange<std::size_t>(1, 10));
  while (const std::size_t filled = decoder.next(batch)) {
    found.insert(found.end(), batch.begin(), batch.begin() + static_cast<std::ptrdiff_t>(filled));
  }
  RC_ASSERT(!decoder.failed());
  RC_ASSERT(decoder.at_end());
  RC_ASSERT(found == events);
}

TEST(EventCoding, the_edges_of_the_short_codes_come_back) {
  std::vector<Event> events;
  for (const std::uint32_t id : {1U, 127U, 128U, 239U, 240U, 241U, 367U, 368U, UINT32_MAX}) {
    events.push_back(Event::block(BlockId{id}));
  }
  const base::Bytes bytes = coded(events);
  EventDecoder decoder(bytes, 0);
  std::vector<Event> found(events.size());
  EXPECT_EQ(decoder.next(found), events.size());
  EXPECT_EQ(found, events);
}

void expect_refused(const base::Bytes& bytes) {
  EventDecoder decoder(bytes, 10);
  std::vector<Event> batch(100);
  decoder.next(batch);
  EXPECT_TRUE(decoder.failed());
}

TEST(EventCoding, malformed_bytes_are_refused) {
  expect_refused({0xf2});                                // no such code
  expect_refused({0xff});                                // nor this
  expect_refused({0xf1});                                // an enter without its function
  expect_refused({0xf1, 0x0a});                          // a function that is not in the table
  expect_refused({0xf1, 0x80});                          // a number that does not end
  expect_refused({0xf0, 0xff, 0xff, 0xff, 0xff, 0x0f});  // a block above 2^32 - 1
  expect_refused({0xf0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00});  // a number that is too long
}

}  // namespace
}  // namespace pathspool::spool
