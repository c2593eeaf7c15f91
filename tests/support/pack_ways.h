// All ways to pack: what a law has to hold for.
#pragma once

#include <string>
#include <vector>

#include "pathspool/pack.h"

namespace pathspool::testing {

struct PackWay {
  std::string name;
  PackOptions options;
};

[[nodiscard]] inline std::vector<PackWay> all_pack_ways() {
  std::vector<PackWay> ways;
  for (const Codec codec : {Codec::gzip, Codec::bzip2, Codec::zstd, Codec::xz}) {
    PackOptions options;
    options.form = Form::chunks;
    options.codec = codec;
    ways.push_back({"chunks, " + std::string(name_of(codec)), options});
  }
  for (const Symbols symbols : {Symbols::blocks, Symbols::segments}) {
    PackOptions options;
    options.form = Form::grammar;
    options.symbols = symbols;
    ways.push_back({"grammar, " + std::string(name_of(symbols)), options});
  }
  return ways;
}

// One of each form and alphabet: where the codec does not matter.
[[nodiscard]] inline std::vector<PackWay> main_pack_ways() {
  std::vector<PackWay> ways;
  for (const PackWay& way : all_pack_ways()) {
    if (way.options.form == Form::grammar || way.options.codec == Codec::zstd) ways.push_back(way);
  }
  return ways;
}

}  // namespace pathspool::testing
