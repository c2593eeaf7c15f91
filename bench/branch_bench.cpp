// Sizes and times of the models of decisions on recorded ones.
//
//   branch_bench [--models app,fast,mix] [--limit N] [--segment N] [--check] FILE.dec...
//
// --segment N: the model forgets everything after every N records. --check: decodes, too.
//
// A file holds pairs of 32-bit numbers: site * 8 + kind, value. Kinds: 0 a conditional (0 or 1),
// 1 a choice (count * 65536 + index), 2 a target, 3 a call (site: where from), 4 a return.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "branch/decision_decoder.h"
#include "branch/decision_encoder.h"
#include "stopwatch.h"

namespace {

using namespace pathspool;
using branch::Site;
using branch::Target;

struct Record {
  std::uint32_t key;
  std::uint32_t value;
  [[nodiscard]] unsigned kind() const { return key % 8; }
  [[nodiscard]] Site site() const { return Site{key / 8}; }
};

std::vector<Record> read(const std::string& path, std::size_t limit) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  const auto bytes = static_cast<std::size_t>(in.tellg());
  std::vector<Record> records(std::min(bytes / sizeof(Record), limit));
  in.seekg(0);
  in.read(reinterpret_cast<char*>(records.data()),
          static_cast<std::streamsize>(records.size() * sizeof(Record)));
  return records;
}

void encode(branch::DecisionEncoder& encoder, std::span<const Record> records) {
  for (const Record& record : records) {
    switch (record.kind()) {
      case 0:
        encoder.conditional(record.site(), record.value != 0);
        break;
      case 1:
        encoder.choice(record.site(), record.value >> 16, record.value & 0xffff);
        break;
      case 2:
        encoder.target(record.site(), Target{record.value});
        break;
      case 3:
        encoder.call(record.site());
        break;
      default:
        encoder.ret();
    }
  }
}

std::size_t decisions_of(std::span<const Record> records) {
  return static_cast<std::size_t>(
      std::ranges::count_if(records, [](const Record& record) { return record.kind() < 3; }));
}

// How many came back as they were.
std::size_t decode(branch::DecisionDecoder& decoder, std::span<const Record> records) {
  std::size_t same = 0;
  for (const Record& record : records) {
    switch (record.kind()) {
      case 0:
        same += decoder.conditional(record.site()) == (record.value != 0) ? 1 : 0;
        break;
      case 1:
        same += decoder.choice(record.site(), record.value >> 16) == (record.value & 0xffff);
        break;
      case 2:
        same += decoder.target(record.site()) == Target{record.value} ? 1 : 0;
        break;
      case 3:
        decoder.call(record.site());
        break;
      default:
        decoder.ret();
    }
  }
  return same;
}

const std::map<std::string, branch::ModelKind, std::less<>> kKinds = {
    {"app", branch::ModelKind::app},
    {"fast", branch::ModelKind::fast},
    {"mix", branch::ModelKind::mix}};

}  // namespace

int main(int argument_count, char** arguments) {
  std::string models = "app,fast,mix";
  std::size_t limit = SIZE_MAX;
  std::size_t segment = SIZE_MAX;
  bool check = false;
  branch::ModelOptions options;
  std::vector<std::string> files;
  for (int i = 1; i < argument_count; ++i) {
    const std::string_view argument = arguments[i];
    const auto value = [&] { return i + 1 < argument_count ? arguments[++i] : ""; };
    if (argument == "--models") {
      models = value();
    } else if (argument == "--limit") {
      limit = std::strtoull(value(), nullptr, 10);
    } else if (argument == "--segment") {
      segment = std::strtoull(value(), nullptr, 10);
    } else if (argument == "--memory") {
      options.memory_bytes = std::strtoull(value(), nullptr, 10);
    } else if (argument == "--local") {
      options.local_bits = static_cast<unsigned>(std::strtoul(value(), nullptr, 10));
    } else if (argument == "--global") {
      options.global_bits = static_cast<unsigned>(std::strtoul(value(), nullptr, 10));
    } else if (argument == "--intraprocedural") {
      options.intraprocedural = true;
    } else if (argument == "--check") {
      check = true;
    } else {
      files.emplace_back(argument);
    }
  }

  std::map<std::string, double> log_ratios;
  fmt::print("{:<12}{:<6}{:>11}{:>9}{:>8}{:>9}{:>9}\n", "program", "model", "bytes", "bits/cond",
             "/app", "ns enc", "ns dec");
  for (const std::string& file : files) {
    const std::vector<Record> records = read(file, limit);
    const std::size_t decisions = decisions_of(records);
    const auto conditionals =
        std::ranges::count_if(records, [](const Record& record) { return record.kind() == 0; });
    std::string name = file.substr(file.rfind('/') + 1);
    name = name.substr(0, name.find('.'));
    double app_bytes = 0;
    for (const auto& [model, kind] : kKinds) {
      if (models.find(model) == std::string::npos) continue;
      options.kind = kind;
      double encoding = 0;
      double decoding = 0;
      double size = 0;
      for (std::span<const Record> rest(records); !rest.empty();) {
        const std::span<const Record> piece = rest.first(std::min(segment, rest.size()));
        rest = rest.subspan(piece.size());
        branch::DecisionEncoder encoder(options);
        encoding += bench::nanoseconds_of(bench::cpu_nanoseconds, [&] { encode(encoder, piece); });
        const base::Bytes bytes = encoder.finish();
        size += static_cast<double>(bytes.size());
        if (!check) continue;
        branch::DecisionDecoder decoder(options, bytes);
        std::size_t same = 0;
        decoding +=
            bench::nanoseconds_of(bench::cpu_nanoseconds, [&] { same = decode(decoder, piece); });
        if (same != decisions_of(piece) || decoder.failed()) fmt::print("WRONG\n");
      }
      if (model == "app") app_bytes = size;
      const double ratio = app_bytes == 0 ? 0 : size / app_bytes;
      log_ratios[model] += std::log(ratio);
      fmt::print("{:<12}{:<6}{:>11.0f}{:>9.4f}{:>8.3f}{:>9.1f}{:>9.1f}\n", name, model, size,
                 8 * size / static_cast<double>(conditionals), ratio,
                 encoding / static_cast<double>(decisions),
                 decoding / static_cast<double>(decisions));
    }
  }
  for (const auto& [model, sum] : log_ratios) {
    fmt::print("{:<12}{:<6} geometric mean of size / app: {:.3f}\n", "all", model,
               std::exp(sum / static_cast<double>(files.size())));
  }
  return 0;
}
