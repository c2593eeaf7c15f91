// Prints a long trace in the text form: of a made-up program, or random (which no form can make
// small).
//
//   generate_trace model|random EVENTS [SEED]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

#include "pathspool/text.h"
#include "support/program_model.h"

namespace {

using namespace pathspool;

void print(std::string_view bytes) { std::fwrite(bytes.data(), 1, bytes.size(), stdout); }

void print_model(std::uint64_t wanted, std::uint64_t seed) {
  testing::ModelOptions options;
  options.seed = seed;
  options.functions = 400;
  options.chance = 0.5;
  testing::ProgramModel model(options);
  FunctionTable functions;
  for (const std::string& name : model.function_names()) functions.intern(name);
  TextWriter writer(print, functions);
  model.run(wanted, [&writer](std::span<const Event> events) { writer.events(events); });
  writer.finish();
}

void print_random(std::uint64_t wanted, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  FunctionTable functions;
  for (int id = 0; id < 1000; ++id) functions.intern("function_" + std::to_string(id));
  TextWriter writer(print, functions);
  std::vector<Event> batch;
  std::uint64_t depth = 0;
  for (std::uint64_t i = 0; i < wanted; ++i) {
    const std::uint64_t roll = random();
    if (roll % 16 == 0 && depth < 1000) {
      batch.push_back(Event::enter(FunctionId{static_cast<std::uint32_t>(roll >> 8) % 1000}));
      ++depth;
    } else if (roll % 16 == 1 && depth > 0) {
      batch.push_back(Event::exit());
      --depth;
    } else {
      batch.push_back(Event::block(BlockId{1 + static_cast<std::uint32_t>(roll >> 8) % 5000}));
    }
    if (batch.size() == 4096 || i + 1 == wanted) {
      writer.events(batch);
      batch.clear();
    }
  }
  writer.finish();
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const std::uint64_t wanted = std::strtoull(arguments[2], nullptr, 10);
  const std::uint64_t seed = count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 1;
  if (std::string_view(arguments[1]) == "random") {
    print_random(wanted, seed);
  } else {
    print_model(wanted, seed);
  }
  return 0;
}
