// Every operation on a file of arbitrary bytes. The mutator takes the file apart and puts it
// together again with the right checksums, so that what is behind them is reached.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "base/check.h"
#include "support/container.h"
#include "support/every_operation.h"
#include "support/scratch.h"

namespace {

using namespace pathspool;

constexpr std::uint64_t kMostEvents = 5000;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const testing::Scratch scratch;
  const std::filesystem::path path = scratch.file("input.spool");
  testing::write_whole(path, {data, size});
  const testing::Answers found = testing::every_operation(path, kMostEvents);
  // What is called intact answers every question (but for the rules of segments that have none).
  if (found.report && found.report->intact()) {
    PATHSPOOL_CHECK(!found.answers.empty() && found.answers.front().has_value());
  }
  return 0;
}

#ifdef PATHSPOOL_LIBFUZZER
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

// Declared here since libFuzzer has no header for it.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed);

namespace {

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  // None if the bytes are no spool: then libFuzzer mutates them as it likes.
  std::optional<base::Bytes> mutated(base::ByteView file) {
    auto sections = testing::take_apart(file);
    if (!sections || sections->empty()) return std::nullopt;
    const bool fix_table = below(8) != 0;
    if (fix_table) sections->pop_back();
    change(*sections);
    if (fix_table) sections->push_back(testing::table_of(*sections));
    return testing::put_together(*sections);
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

  void change(std::vector<testing::RawSection>& sections) {
    if (sections.empty()) return;
    const std::size_t at = below(sections.size());
    testing::RawSection& section = sections[at];
    switch (below(12)) {
      case 0:
        sections.erase(sections.begin() + static_cast<std::ptrdiff_t>(at));
        return;
      case 1:
        sections.insert(sections.begin() + static_cast<std::ptrdiff_t>(at),
                        testing::RawSection(section));
        return;
      case 2:
        std::swap(section, sections[below(sections.size())]);
        return;
      case 3:
        section.blobs.emplace_back(1 + below(8), static_cast<std::uint8_t>(random_()));
        return;
      default:
        break;
    }
    if (!section.blobs.empty() && below(2) == 0) {
      change(section.blobs[below(section.blobs.size())]);
    } else {
      change(section.content);
    }
  }

  static void change(base::Bytes& bytes) {
    const std::size_t old_size = bytes.size();
    bytes.resize(old_size + 64);
    bytes.resize(LLVMFuzzerMutate(bytes.data(), old_size, bytes.size()));
  }

  std::mt19937_64 random_;
};

}  // namespace

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                    unsigned seed) {
  if (seed % 16 != 0) {
    const auto file = Mutator(seed).mutated({data, size});
    if (file && file->size() <= most) {
      std::memcpy(data, file->data(), file->size());
      return file->size();
    }
  }
  return LLVMFuzzerMutate(data, size, most);
}
#endif
