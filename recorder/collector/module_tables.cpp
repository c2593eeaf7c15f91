#include "recorder/collector/module_tables.h"

#include <algorithm>
#include <string_view>

#include "pathspool/error.h"
#include "pathspool/wire/module.h"

namespace pathspool::collector {
namespace {

static_assert(static_cast<int>(Terminator::unreachable) ==
              static_cast<int>(wire::Terminator::unreachable));
static_assert(static_cast<int>(CallKind::indirect) == static_cast<int>(wire::CallKind::indirect));

// A string is stored once and named often, with a byte or two: what comes out can be many times
// larger than the table. True tables stay far below this.
constexpr std::uint64_t kMostExpansion = 512;
constexpr std::uint64_t kFreeBytes = 1U << 20;

class TableParser {
 public:
  explicit TableParser(base::ByteView bytes)
      : reader_(bytes), bytes_left_(bytes.size() * kMostExpansion + kFreeBytes) {}

  ModuleTable parse() {
    ModuleTable table;
    table.tag = reader_.varint32() & wire::kTagMask;
    strings_.resize(reader_.count());
    for (std::string& string : strings_) string = reader_.string();
    if (strings_.empty() || !strings_.front().empty()) reader_.fail();
    table.file = string();
    table.folder = string();
    table.functions.resize(claim(reader_.count(kLeastFunctionBytes), sizeof(Function)));
    for (Function& function : table.functions) {
      if (reader_.failed()) break;
      parse(function);
    }
    if (!reader_.done()) throw Error("is malformed", reader_.at());
    return table;
  }

 private:
  static constexpr std::size_t kLeastFunctionBytes = 5;
  static constexpr std::size_t kLeastBlockBytes = 4;
  static constexpr std::size_t kLeastCallBytes = 1;

  // Counts what the table makes us allocate; 0 and failure once that is too much.
  std::uint64_t claim(std::uint64_t count, std::size_t bytes_each) {
    if (count > bytes_left_ / bytes_each) {
      reader_.fail();
      return 0;
    }
    bytes_left_ -= count * bytes_each;
    return count;
  }

  std::string string() {
    const std::uint64_t number = reader_.varint();
    if (number >= strings_.size()) {
      reader_.fail();
      return {};
    }
    const std::string& found = strings_[number];
    return found.substr(0, claim(found.size(), 1));
  }

  void parse(Function& function) {
    function.name = string();
    function.demangled = string();
    if (function.demangled == function.name) function.demangled.clear();
    function.file = string();
    function.line = reader_.varint32();
    line_ = function.line;
    function.blocks.resize(claim(reader_.count(kLeastBlockBytes), sizeof(Block)));
    for (Block& block : function.blocks) {
      if (reader_.failed()) return;
      parse(block, function.blocks.size());
    }
  }

  void parse(Block& block, std::size_t block_count) {
    const std::uint64_t terminator = reader_.varint();
    if (terminator > static_cast<std::uint64_t>(Terminator::unreachable)) reader_.fail();
    block.terminator = static_cast<Terminator>(terminator);
    block.successors.resize(claim(reader_.count(), sizeof(BlockId)));
    for (BlockId& successor : block.successors) {
      const std::uint64_t id = reader_.varint();
      if (id == 0 || id > block_count) reader_.fail();
      successor = BlockId{static_cast<std::uint32_t>(id)};
    }
    block.lines.resize(claim(reader_.count(), sizeof(std::uint32_t)));
    for (std::uint32_t& line : block.lines) line = next_line();
    block.calls.resize(claim(reader_.count(kLeastCallBytes), sizeof(CallSite)));
    for (CallSite& call : block.calls) parse(call);
  }

  void parse(CallSite& call) {
    const std::uint64_t kind = reader_.varint();
    if (kind > static_cast<std::uint64_t>(CallKind::indirect)) reader_.fail();
    call.kind = static_cast<CallKind>(kind);
    if (call.kind != CallKind::indirect) call.callee = string();
  }

  std::uint32_t next_line() {
    const std::int64_t step = reader_.signed_varint();
    constexpr std::int64_t kFarthest = UINT32_MAX;
    if (step < -kFarthest || step > kFarthest || line_ + step < 0 || line_ + step > kFarthest) {
      reader_.fail();
      return 0;
    }
    line_ += step;
    return static_cast<std::uint32_t>(line_);
  }

  base::ByteReader reader_;
  std::uint64_t bytes_left_;
  std::vector<std::string> strings_;
  std::int64_t line_ = 0;
};

}  // namespace

ModuleTable parse_module_table(base::ByteView bytes) { return TableParser(bytes).parse(); }

void ModuleTables::add(wire::Word base, std::uint32_t claimed_functions, base::ByteView bytes) {
  ModuleTable table = parse_module_table(bytes);
  if (table.functions.size() != claimed_functions) throw Error("has another count of functions");
  if (!FunctionNumbers::has_room_for(base, claimed_functions)) {
    throw Error("has function numbers that are out of range");
  }
  wire::Word index = 0;
  for (Function& function : table.functions) {
    NumberedFunction numbered;
    numbered.key = key_of(wire::tag_of(table.tag, index)) & 0x7fffffffU;
    numbered.kept = filter_.keeps(function) ? 1 : 0;
    if (!function.blocks.empty()) {
      numbered.blocks = static_cast<std::uint32_t>(function.blocks.size());
    }
    numbered.function = shared_id(std::move(function));
    numbers_.assign(base + index, numbered);
    ++index;
  }
}

FunctionId ModuleTables::shared_id(Function function) {
  const std::hash<std::string_view> hash;
  const std::size_t key =
      (hash(function.name) * 31 + hash(function.file)) * 31 + std::size_t{function.line};
  const auto [first, last] = known_.equal_range(key);
  for (auto at = first; at != last; ++at) {
    if (functions_[at->second] == function) return at->second;
  }
  const FunctionId id = functions_.add(std::move(function));
  known_.emplace(key, id);
  return id;
}

}  // namespace pathspool::collector
