// Prints the ten functions of a recording that were entered most often.
#include <pathspool/spool.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

void print_most_entered(const char* path) {
  const pathspool::Spool spool = pathspool::Spool::open(path);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> enters(spool.functions().size());
  for (std::uint32_t id = 0; id < enters.size(); ++id) enters[id].second = id;
  for (const pathspool::StreamInfo& stream : spool.streams()) {
    for (pathspool::EventCursor events = spool.events(stream.id); const auto& event : events) {
      if (event.kind == pathspool::EventKind::enter) ++enters[event.id].first;
    }
  }
  std::ranges::sort(enters, std::greater<>());
  for (const auto& [count, id] : enters | std::views::take(10)) {
    const std::string name = spool.functions().display_name(pathspool::FunctionId{id});
    std::printf("%8ju %s\n", std::uintmax_t{count}, name.c_str());
  }
}

int main(int argc, char** argv) try {
  if (argc != 2) throw pathspool::Error("usage: count_calls FILE.spool");
  print_most_entered(argv[1]);
} catch (const std::exception& error) {
  std::fprintf(stderr, "count_calls: %s\n", error.what());
  return 2;
}
