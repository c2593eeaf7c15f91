// Turns the events of a recording into decisions and plays them back.
//
//   play_back FILE.spool
//
// Prints how many decisions of each kind there are and exits with 0, or the first event that came
// back otherwise and exits with 1; 2 if the file cannot be read. With PLAY_BACK_ESCAPES set it also
// lists the escapes.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "pathspool/spool.h"
#include "playback/decision_maker.h"
#include "playback/player.h"
#include "support/decision_record.h"

namespace pathspool::testing {
namespace {

using playback::DecisionMaker;
using playback::NodeTable;
using playback::Player;

struct Counts {
  std::uint64_t events = 0;
  std::uint64_t conditionals = 0;
  std::uint64_t choices = 0;
  std::uint64_t jumps = 0;
  std::uint64_t targets = 0;
  std::uint64_t escapes = 0;
};

std::string shown(const Event& event) {
  const char* kind = event.kind == EventKind::enter   ? "enter "
                     : event.kind == EventKind::block ? "block "
                                                      : "exit ";
  return kind + std::to_string(event.id);
}

DecisionRecord decisions_of(const NodeTable& table, const Spool& spool, StreamId stream) {
  DecisionRecord record;
  DecisionMaker<DecisionRecord> maker(table, record);
  EventCursor cursor = spool.events(stream);
  while (cursor.next()) maker.take(cursor.batch());
  return record;
}

// Whether the decisions give the stream's events.
bool comes_back(const NodeTable& table, const Spool& spool, const StreamInfo& stream,
                const DecisionRecord& record) {
  DecisionRecord::Source source(record);
  Player<DecisionRecord::Source> player(table, source, stream.events);
  std::vector<Event> played;
  EventCursor cursor = spool.events(stream.id);
  while (cursor.next()) {
    const std::span<const Event> expected = cursor.batch();
    played.resize(expected.size());
    const std::size_t count = player.play(played);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (i < count && played[i] == expected[i]) continue;
      std::printf("stream %u event %llu: %s came back as %s\n", static_cast<unsigned>(stream.id),
                  static_cast<unsigned long long>(cursor.index() + i), shown(expected[i]).c_str(),
                  i < count ? shown(played[i]).c_str() : "nothing");
      return false;
    }
  }
  Event more;
  if (player.play({&more, 1}) == 0 && source.at_end()) return true;
  std::printf("stream %u: something is left\n", static_cast<unsigned>(stream.id));
  return false;
}

int run(const char* file) {
  const Spool spool = Spool::open(file);
  const NodeTable table(spool.functions(), spool.functions().size());
  Counts counts;
  for (const StreamInfo& stream : spool.streams()) {
    const DecisionRecord record = decisions_of(table, spool, stream.id);
    if (!comes_back(table, spool, stream, record)) return 1;
    counts.events += stream.events;
    counts.conditionals += record.conditionals();
    counts.choices += record.choices();
    counts.jumps += record.jumps();
    counts.targets += record.targets();
    counts.escapes += record.escapes().size();
    if (std::getenv("PLAY_BACK_ESCAPES") == nullptr) continue;
    std::uint64_t at = 0;
    for (const playback::Escape& escape : record.escapes()) {
      at += escape.distance;
      std::printf("escape at %u:%llu: %s\n", static_cast<unsigned>(stream.id),
                  static_cast<unsigned long long>(at++), shown(escape.event).c_str());
    }
  }
  std::printf(
      "ok %llu events: %llu conditionals, %llu choices, %llu jumps, %llu targets, %llu escapes\n",
      static_cast<unsigned long long>(counts.events),
      static_cast<unsigned long long>(counts.conditionals),
      static_cast<unsigned long long>(counts.choices),
      static_cast<unsigned long long>(counts.jumps),
      static_cast<unsigned long long>(counts.targets),
      static_cast<unsigned long long>(counts.escapes));
  return 0;
}

}  // namespace
}  // namespace pathspool::testing

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: play_back FILE.spool\n", stderr);
    return 2;
  }
  try {
    return pathspool::testing::run(arguments[1]);
  } catch (const pathspool::Error& error) {
    std::fprintf(stderr, "play_back: %s: %s\n", arguments[1], error.what());
    return 2;
  }
}
