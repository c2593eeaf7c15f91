// What a recording says of each stream, for tests that know what it should say.
//
//   spool_counts FILE         a line for each stream: its title, then its counts, as JSON
//   spool_counts PART WHOLE   whether each stream of PART begins its namesake of WHOLE, by number
//
// Faster than reading the text form: the fault tests look at hundreds of millions of events.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pathspool/spool.h"

namespace {

using pathspool::Event;
using pathspool::EventCursor;
using pathspool::EventKind;
using pathspool::Spool;
using pathspool::StreamId;
using pathspool::StreamInfo;

struct Counts {
  std::uint64_t enters = 0;
  std::uint64_t exits = 0;
};

nlohmann::json counts_of(const Spool& spool, const StreamInfo& stream) {
  std::vector<Counts> counts(spool.functions().size());
  std::vector<std::uint32_t> open;
  std::uint64_t events = 0;
  std::uint64_t homeless = 0;  // exits and blocks with no open frame
  EventCursor cursor = spool.events(stream.id);
  while (cursor.next()) {
    events += cursor.batch().size();
    for (const Event& event : cursor.batch()) {
      if (event.kind == EventKind::enter) {
        ++counts[event.id].enters;
        open.push_back(event.id);
      } else if (open.empty()) {
        ++homeless;
      } else if (event.kind == EventKind::exit) {
        ++counts[open.back()].exits;
        open.pop_back();
      }
    }
  }
  nlohmann::json functions = nlohmann::json::object();
  for (std::uint32_t id = 0; id < counts.size(); ++id) {
    if (counts[id].enters == 0) continue;
    const std::string name = spool.functions().display_name(pathspool::FunctionId{id});
    functions[name] = {{"enters", counts[id].enters}, {"exits", counts[id].exits}};
  }
  return {{"id", static_cast<std::uint32_t>(stream.id)},
          {"title", stream.title},
          {"events", events},
          {"homeless", homeless},
          {"open", open.size()},
          {"functions", functions}};
}

// The index of the first event that differs, or that the whole does not have; the part's length if
// there is none.
std::uint64_t common_length(EventCursor part, EventCursor whole) {
  std::uint64_t length = 0;
  std::size_t at = 0;
  bool more = whole.next();
  while (part.next()) {
    for (const Event& event : part.batch()) {
      if (more && at == whole.batch().size()) {
        more = whole.next();
        at = 0;
      }
      if (!more || whole.batch()[at] != event) return length;
      ++at;
      ++length;
    }
  }
  return length;
}

nlohmann::json compare(const Spool& part, const Spool& whole) {
  nlohmann::json result = nlohmann::json::array();
  for (const StreamInfo& stream : part.streams()) {
    result.push_back({{"id", static_cast<std::uint32_t>(stream.id)},
                      {"events", stream.events},
                      {"common", common_length(part.events(stream.id), whole.events(stream.id))}});
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 2 || argc > 3) return 2;
    const Spool spool = Spool::open(argv[1]);
    nlohmann::json result;
    if (argc == 2) {
      result["streams"] = nlohmann::json::array();
      for (const StreamInfo& stream : spool.streams()) {
        result["streams"].push_back(counts_of(spool, stream));
      }
      result["notes"] = nlohmann::json::array();
      for (const pathspool::Note& note : spool.notes()) {
        if (note.kind == pathspool::NoteKind::warning) result["notes"].push_back(note.text);
      }
    } else {
      const Spool whole = Spool::open(argv[2]);
      result["streams"] = compare(spool, whole);
    }
    const std::string text =
        result.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[1], error.what());
    return 2;
  }
}
