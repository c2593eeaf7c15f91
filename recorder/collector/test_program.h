// For tests: what an instrumented program and its runtime do, in a few lines. Writers of rings, and
// the tables of modules.
#pragma once

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "pathspool/function_table.h"
#include "pathspool/wire/arena.h"
#include "pathspool/wire/module.h"
#include "recorder/collector/arena.h"
#include "recorder/collector/futex.h"

namespace pathspool::collector::testing {

using wire::Word;

inline Word enter_word(Word number, bool exits = false) {
  return wire::kEnterKind | (exits ? wire::kExits : 0) | number;
}
inline Word enter_with_frame_word(Word number, bool exits = false) {
  return wire::kEnterWithFrameKind | (exits ? wire::kExits : 0) | number;
}

// A table as the pass writes it.
inline base::Bytes encode_table(Word module_tag, const std::vector<Function>& functions) {
  std::vector<std::string> strings = {""};
  std::map<std::string, std::uint64_t> numbers = {{"", 0}};
  base::ByteWriter body;
  const auto string = [&](const std::string& text) {
    const auto [at, is_new] = numbers.try_emplace(text, strings.size());
    if (is_new) strings.push_back(text);
    body.varint(at->second);
  };
  string("file.c");
  string("/folder");
  body.varint(functions.size());
  for (const Function& function : functions) {
    string(function.name);
    string(function.demangled);
    string(function.file);
    body.varint(function.line);
    body.varint(function.blocks.size());
    std::int64_t line = function.line;
    for (const Block& block : function.blocks) {
      body.varint(static_cast<std::uint64_t>(block.terminator));
      body.varint(block.successors.size());
      for (const BlockId successor : block.successors) {
        body.varint(static_cast<std::uint32_t>(successor));
      }
      body.varint(block.lines.size());
      for (const std::uint32_t block_line : block.lines) {
        body.signed_varint(std::int64_t{block_line} - line);
        line = block_line;
      }
      body.varint(block.calls.size());
      for (const CallSite& call : block.calls) {
        body.varint(static_cast<std::uint64_t>(call.kind));
        if (call.kind != CallKind::indirect) string(call.callee);
      }
    }
  }
  base::ByteWriter table;
  table.varint(module_tag);
  table.varint(strings.size());
  for (const std::string& text : strings) table.string(text);
  table.bytes(body.view());
  return table.take();
}

inline Function function_named(const std::string& name, const std::string& file = "file.c",
                               std::uint32_t line = 1) {
  Function function;
  function.name = name;
  function.file = file;
  function.line = line;
  function.blocks.resize(3);
  function.blocks[0].terminator = Terminator::jump;
  function.blocks[0].successors = {BlockId{2}};
  function.blocks[0].lines = {line, line + 2};
  function.blocks[1].terminator = Terminator::conditional;
  function.blocks[1].successors = {BlockId{2}, BlockId{3}};
  function.blocks[1].lines = {line + 1};
  function.blocks[1].calls = {{CallKind::external, "puts"}, {CallKind::indirect, ""}};
  function.blocks[2].terminator = Terminator::returned;
  return function;
}

// Registers a module and returns the number of its first function.
inline Word register_module(const Arena& arena, base::ByteView table, std::uint32_t functions,
                            wire::Mode mode = wire::Mode::blocks) {
  wire::ArenaHeader& header = arena.header();
  const std::uint64_t offset = header.tables_used.fetch_add(table.size());
  std::memcpy(const_cast<std::uint8_t*>(arena.tables().data()) + offset, table.data(),
              table.size());
  wire::ModuleEntry& entry = arena.module(header.modules_used.fetch_add(1));
  entry.base = header.next_function.fetch_add(functions);
  entry.functions = functions;
  entry.mode = static_cast<std::uint32_t>(mode);
  entry.table_offset = offset;
  entry.table_bytes = table.size();
  entry.state.store(static_cast<std::uint32_t>(wire::ModuleState::ready));
  return entry.base;
}

// Returns the entry's number.
inline std::uint32_t attach_process(const Arena& arena, pid_t pid = ::getpid()) {
  const std::uint32_t number = arena.header().processes_used.fetch_add(1);
  wire::ProcessEntry& entry = arena.process(number);
  entry.pid = pid;
  entry.state.store(static_cast<std::uint32_t>(wire::ProcessState::attached));
  return number;
}

struct RingFacts {
  std::uint32_t process = 0;
  std::string name = "test";
  std::uint32_t parent_serial = wire::kNoRing;
  std::uint32_t fork_token = 0;
  wire::RingKind kind = wire::RingKind::thread;
};

// A thread's end of a ring.
class RingWriter {
 public:
  RingWriter(const Arena& arena, const RingFacts& facts) : arena_(arena) {
    while (!claim(facts)) ::usleep(1000);
    start_chunk();
  }

  [[nodiscard]] std::uint32_t serial() const { return header().serial; }
  [[nodiscard]] wire::RingHeader& header() const { return arena_.ring(number_); }

  void write(Word word) {
    *reinterpret_cast<volatile Word*>(cursor_++) = word;
    look();
  }
  void write(Word first, Word second) {
    typedef std::uint64_t Pair __attribute__((aligned(4), may_alias));
    *reinterpret_cast<volatile Pair*>(cursor_) = first | std::uint64_t{second} << 32;
    cursor_ += 2;
    look();
  }
  void write(std::span<const Word> record) {
    std::memcpy(cursor_, record.data(), record.size_bytes());
    cursor_ += record.size();
    look();
  }
  // False if the collector takes no more.
  bool publish() {
    wire::RingHeader& ring = header();
    const std::uint32_t published = ring.published.load();
    ring.words[published % arena_.shape().chunks_per_ring] =
        static_cast<std::uint32_t>(cursor_ - chunk_);
    ring.published.store(published + 1);
    arena_.header().doorbell.fetch_add(1);
    if (arena_.header().collector_sleeps.load() != 0) futex_wake_all(arena_.header().doorbell);
    while (published + 1 - ring.drained.load() >= arena_.shape().chunks_per_ring) {
      if (arena_.header().state.load() != static_cast<std::uint32_t>(wire::ArenaState::recording)) {
        stopped_ = true;
        cursor_ = chunk_;
        return false;
      }
      ring.writer_waits.store(1);
      const std::uint32_t drained = ring.drained.load();
      if (published + 1 - drained < arena_.shape().chunks_per_ring) break;
      futex_wait(ring.drained, drained, std::chrono::milliseconds(50));
    }
    ring.writer_waits.store(0);
    start_chunk();
    return true;
  }
  void end() { header().state.store(static_cast<std::uint32_t>(wire::RingState::ended)); }
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  bool claim(const RingFacts& facts) {
    for (number_ = 0; number_ < arena_.shape().rings; ++number_) {
      auto expected = static_cast<std::uint32_t>(wire::RingState::free);
      wire::RingHeader& ring = header();
      if (!ring.state.compare_exchange_strong(
              expected, static_cast<std::uint32_t>(wire::RingState::claimed))) {
        continue;
      }
      ring.process = facts.process;
      ring.pid = ::getpid();
      ring.tid = ::gettid();
      ring.kind = facts.kind;
      ring.parent_serial = facts.parent_serial;
      ring.fork_token = facts.fork_token;
      std::strncpy(ring.name, facts.name.c_str(), sizeof ring.name - 1);
      ring.serial = arena_.header().next_serial.fetch_add(1);
      ring.state.store(static_cast<std::uint32_t>(wire::RingState::active));
      return true;
    }
    return false;
  }
  void start_chunk() {
    chunk_ =
        arena_.chunk(number_, header().published.load() % arena_.shape().chunks_per_ring).data();
    cursor_ = chunk_;
  }
  void look() {
    if (cursor_ - chunk_ >= static_cast<std::ptrdiff_t>(wire::kSlackWords)) publish();
  }

  const Arena& arena_;
  std::uint32_t number_ = 0;
  Word* chunk_ = nullptr;
  Word* cursor_ = nullptr;
  bool stopped_ = false;
};

// A forked child that runs `action` and ends at once, without destructors and the like.
template <typename Action>
pid_t fork_and(const Action& action) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    action();
    ::_exit(0);
  }
  return pid;
}

inline int wait_for(pid_t pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return status;
}

}  // namespace pathspool::collector::testing
