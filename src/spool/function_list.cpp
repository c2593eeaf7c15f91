#include "spool/function_list.h"

#include <fmt/core.h>

#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/bytes.h"
#include "pathspool/error.h"
#include "spool/packed.h"

namespace pathspool::spool {
namespace {

// About what each thing takes in memory: the *weight* of a list. It bounds what a reader has to
// hold by what the list takes in the file, since strings are used many times and compressed lists
// of nothing are short.
constexpr std::uint64_t kFunctionWeight = 256;
constexpr std::uint64_t kBlockWeight = 96;
constexpr std::uint64_t kCallWeight = 48;
constexpr std::uint64_t kStringWeight = 16;  // of the list
constexpr std::uint64_t kNumberWeight = 4;   // a line or a successor
constexpr std::uint64_t kMostWeightPerByte = 1024;

// A reference to a string: the next one of the list that none has taken so far, none at all, or
// one by its number.
constexpr std::uint64_t kNextString = 0;
constexpr std::uint64_t kEmptyString = 1;
constexpr std::uint64_t kFirstString = 2;

// Beyond this a new section begins.
constexpr std::size_t kManyBytes = std::size_t{32} << 20;

constexpr auto kLastTerminator = static_cast<std::uint8_t>(Terminator::unreachable);
constexpr auto kLastCallKind = static_cast<std::uint8_t>(CallKind::indirect);

class FunctionListWriter {
 public:
  void add(const Function& function) {
    weight_ += kFunctionWeight + kBlockWeight * function.blocks.size();
    string(function.name);
    string(function.demangled);
    string(function.file);
    list_.varint(function.line);
    list_.varint(function.blocks.size());
    std::uint32_t line = function.line;
    for (std::size_t i = 0; i < function.blocks.size(); ++i) add(function, i, line);
  }

  [[nodiscard]] std::size_t size_bytes() const { return list_.size() + strings_.size(); }

  // The strings and the functions, packed.
  void finish(base::ByteWriter& out) const {
    base::ByteWriter raw;
    raw.varint(numbers_.size());
    raw.bytes(strings_.view());
    raw.bytes(list_.view());
    write_packed(out, raw.view(), weight_ / kMostWeightPerByte + 1);
  }

 private:
  void add(const Function& function, std::size_t index, std::uint32_t& last_line) {
    const Block& block = function.blocks[index];
    if (static_cast<std::uint8_t>(block.terminator) > kLastTerminator) {
      throw Error(
          fmt::format("block {} of function {} has no known terminator", index + 1, function.name));
    }
    list_.u8(static_cast<std::uint8_t>(block.terminator));
    list_.varint(block.successors.size());
    for (const BlockId successor : block.successors) {
      if (function.block(successor) == nullptr) {
        throw Error(fmt::format("block {} of function {} has a successor that is not there",
                                index + 1, function.name));
      }
      list_.signed_varint(std::int64_t{static_cast<std::uint32_t>(successor)} -
                          static_cast<std::int64_t>(index + 1));
    }
    list_.varint(block.lines.size());
    for (const std::uint32_t line : block.lines) {
      list_.signed_varint(std::int64_t{line} - last_line);
      last_line = line;
    }
    list_.varint(block.calls.size());
    for (const CallSite& call : block.calls) {
      if (static_cast<std::uint8_t>(call.kind) > kLastCallKind) {
        throw Error(fmt::format("block {} of function {} has a call of no known kind", index + 1,
                                function.name));
      }
      list_.u8(static_cast<std::uint8_t>(call.kind));
      string(call.callee);
    }
    weight_ += kNumberWeight * (block.successors.size() + block.lines.size()) +
               kCallWeight * block.calls.size();
  }

  void string(std::string_view text) {
    weight_ += text.size();
    if (text.empty()) {
      list_.varint(kEmptyString);
      return;
    }
    const auto [at, is_new] = numbers_.try_emplace(text, numbers_.size());
    if (is_new) {
      weight_ += kStringWeight;
      strings_.string(text);
      list_.varint(kNextString);
    } else {
      list_.varint(kFirstString + at->second);
    }
  }

  base::ByteWriter strings_;
  base::ByteWriter list_;
  std::unordered_map<std::string_view, std::uint64_t> numbers_;  // into the table's own strings
  std::uint64_t weight_ = 0;
};

class FunctionListReader {
 public:
  explicit FunctionListReader(const Unpacked& list)
      : reader_(list.raw), weight_left_(kMostWeightPerByte * list.stored_bytes) {
    const std::uint64_t claimed = count(1, kStringWeight);
    strings_.reserve(claimed);
    for (std::uint64_t i = 0; i < claimed; ++i) {
      const base::ByteView bytes = reader_.bytes(reader_.varint());
      strings_.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
  }

  [[nodiscard]] Function function() {
    take(kFunctionWeight);
    Function function;
    function.name = string();
    function.demangled = string();
    function.file = string();
    function.line = reader_.varint32();
    // A count is a claim, which what is left of the bytes and of the weight must allow.
    const std::uint64_t claimed_blocks = count(kLeastBlockBytes, kBlockWeight);
    if (claimed_blocks > UINT32_MAX) reader_.fail();
    if (reader_.failed()) return function;
    function.blocks.resize(claimed_blocks);
    line_ = function.line;
    for (std::size_t i = 0; i < claimed_blocks && !reader_.failed(); ++i) {
      read(function.blocks[i], i + 1, claimed_blocks);
    }
    return function;
  }

  [[nodiscard]] bool failed() const { return reader_.failed(); }
  [[nodiscard]] bool done() const { return reader_.done(); }

 private:
  static constexpr std::size_t kLeastBlockBytes = 4;

  void take(std::uint64_t weight) {
    if (weight > weight_left_) {
      reader_.fail();
      return;
    }
    weight_left_ -= weight;
  }

  std::uint64_t count(std::size_t bytes_each, std::uint64_t weight_each) {
    const std::uint64_t claimed = reader_.count(bytes_each);
    take(claimed * weight_each);  // the bytes are at most 256 MiB, so this does not wrap
    return reader_.failed() ? 0 : claimed;
  }

  std::string string() {
    const std::uint64_t code = reader_.varint();
    if (reader_.failed() || code == kEmptyString) return {};
    const std::uint64_t number = code == kNextString ? next_string_++ : code - kFirstString;
    if (number >= strings_.size()) {
      reader_.fail();
      return {};
    }
    take(strings_[number].size());
    return reader_.failed() ? std::string() : std::string(strings_[number]);
  }

  // `from` and a signed step, if that is within [least, most].
  std::uint32_t stepped(std::int64_t from, std::int64_t least, std::int64_t most) {
    const std::int64_t step = reader_.signed_varint();
    const bool far = step < -std::int64_t{UINT32_MAX} || step > std::int64_t{UINT32_MAX};
    if (far || from + step < least || from + step > most) {
      reader_.fail();
      return 0;
    }
    return static_cast<std::uint32_t>(from + step);
  }

  void read(Block& block, std::size_t id, std::uint64_t block_count) {
    const std::uint8_t terminator = reader_.u8();
    if (terminator > kLastTerminator) reader_.fail();
    block.terminator = Terminator{terminator};
    block.successors.resize(count(1, kNumberWeight));
    for (BlockId& successor : block.successors) {
      successor = BlockId{
          stepped(static_cast<std::int64_t>(id), 1, static_cast<std::int64_t>(block_count))};
    }
    block.lines.resize(count(1, kNumberWeight));
    for (std::uint32_t& line : block.lines) line_ = line = stepped(line_, 0, UINT32_MAX);
    block.calls.resize(count(2, kCallWeight));
    for (CallSite& call : block.calls) {
      const std::uint8_t kind = reader_.u8();
      if (kind > kLastCallKind) reader_.fail();
      call.kind = CallKind{kind};
      call.callee = string();
      if (reader_.failed()) return;
    }
  }

  base::ByteReader reader_;
  std::vector<std::string_view> strings_;
  std::uint64_t next_string_ = 0;
  std::uint64_t weight_left_;
  std::uint32_t line_ = 0;  // the one before
};

}  // namespace

FunctionsDraft draft_functions(const FunctionTable& functions, std::size_t first) {
  FunctionListWriter list;
  std::size_t end = first;
  while (end < functions.size() && (end == first || list.size_bytes() < kManyBytes)) {
    list.add(functions[FunctionId{static_cast<std::uint32_t>(end)}]);
    ++end;
  }
  base::ByteWriter writer;
  writer.varint(first);
  writer.varint(end - first);
  list.finish(writer);
  return {{kFunctionsSection, writer.take(), {}}, end};
}

void read_functions(const Section& section, FunctionTable& functions) {
  base::ByteReader reader(section.content);
  const std::uint64_t first = reader.varint();
  const std::uint64_t claimed = reader.varint();
  const Unpacked list = read_packed(reader);
  const bool goes_on = reader.done() && first == functions.size() && claimed <= UINT32_MAX - first;
  if (!goes_on) throw Error("function table is malformed", section.ref.head_offset_bytes());
  FunctionListReader list_reader(list);
  for (std::uint64_t i = 0; i < claimed && !list_reader.failed(); ++i) {
    Function function = list_reader.function();
    if (!list_reader.failed()) functions.add(std::move(function));
  }
  if (!list_reader.done()) {
    throw Error("function table is malformed", section.ref.head_offset_bytes());
  }
}

}  // namespace pathspool::spool
