// Says whether the events of a recording are walks through its control-flow graphs.
//
//   graph_walk FILE.spool [--late]
//
// Prints `ok N events` and exits with 0, or the first event that leaves its graph, `S:N: what`, and
// exits with 1; 2 if the file cannot be read. --late: the recording began inside frames.
#include "support/graph_walk.h"

#include <cstdio>
#include <cstring>

int main(int count, char** arguments) {
  const bool late = count == 3 && std::strcmp(arguments[2], "--late") == 0;
  if (count != 2 && !late) {
    std::fputs("usage: graph_walk FILE.spool [--late]\n", stderr);
    return 2;
  }
  try {
    const pathspool::Spool spool = pathspool::Spool::open(arguments[1]);
    if (const auto wrong = pathspool::testing::off_the_graph(spool, late)) {
      std::printf("%u:%llu: %s\n", static_cast<unsigned>(wrong->position.stream),
                  static_cast<unsigned long long>(wrong->position.index), wrong->what.c_str());
      return 1;
    }
    unsigned long long events = 0;
    for (const pathspool::StreamInfo& stream : spool.streams()) events += stream.events;
    std::printf("ok %llu events\n", events);
    return 0;
  } catch (const pathspool::Error& error) {
    std::fprintf(stderr, "graph_walk: %s: %s\n", arguments[1], error.what());
    return 2;
  }
}
