#include "recorder/collector/drain.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "pathspool/error.h"
#include "recorder/collector/drain_stream.h"
#include "recorder/collector/futex.h"
#include "recorder/collector/wrong_mode.h"

namespace pathspool::collector {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kSleep{10};
constexpr milliseconds kBetweenLooks{20};  // at who lives
// Chunks of one ring before the next ring's turn.
constexpr int kMostChunksATurn = 8;
// A busy collector looks for new rings after so many passes, an idle one after each.
constexpr unsigned kPassesBetweenScans = 8;
// Closing a segment takes a while, and programs wait meanwhile.
constexpr int kMostCutsAPass = 4;

template <std::size_t kSize>
std::string text_of(const char (&bytes)[kSize]) {
  const char* const end = std::find(bytes, bytes + kSize, '\0');
  return {bytes, end};
}

std::string title_of(const wire::RingHeader& header) {
  const char* const kind = header.kind == wire::RingKind::signals ? " (signals)" : "";
  return fmt::format("{}/{} {}{}", header.pid, header.tid, text_of(header.name), kind);
}

bool is_in(const std::atomic<std::uint32_t>& state, wire::RingState wanted) {
  return state.load(std::memory_order_acquire) == static_cast<std::uint32_t>(wanted);
}

}  // namespace

Drain::Drain(const Arena& arena, SpoolWriter& writer, DrainOptions options)
    : arena_(arena),
      writer_(writer),
      options_(std::move(options)),
      processes_(arena),
      tables_(writer.functions(), numbers_, options_.filter),
      by_ring_(arena.shape().rings),
      held_back_(arena.shape().rings),
      next_cuts_(Clock::now()),
      next_look_(Clock::now()) {
  if (options_.cuts.time) next_cuts_ += *options_.cuts.time;
}

Drain::~Drain() = default;

bool Drain::pass() {
  const Clock::time_point now = Clock::now();
  if (idle_ || ++passes_ % kPassesBetweenScans == 0) admit_rings();
  bool any = false;
  // By index: a stream that is over leaves the list.
  for (std::size_t i = 0; i < active_.size();) {
    Stream* const stream = active_[i];
    any |= drain(*stream);
    if (i < active_.size() && active_[i] == stream) ++i;
  }
  if (now >= next_look_) {
    next_look_ = now + kBetweenLooks;
    look_around();
  }
  cut_some(now);
  idle_ = !any;
  return any;
}

void Drain::pass_or_sleep() {
  if (pass()) return;
  // A program that publishes after this looks at collector_sleeps, and rings if it is set; what it
  // published before, this pass finds.
  wire::ArenaHeader& header = arena_.header();
  header.collector_sleeps.store(1, std::memory_order_seq_cst);
  const std::uint32_t rings = header.doorbell.load(std::memory_order_seq_cst);
  if (!pass()) futex_wait(header.doorbell, rings, due_.empty() ? kSleep : milliseconds(0));
  header.collector_sleeps.store(0, std::memory_order_seq_cst);
}

void Drain::look_around() {
  processes_.look();
  load_modules();
  if (!processes_.ask()) return;
  admit_rings();
  release_processes();
}

// ---- Rings

void Drain::admit_rings() {
  std::vector<std::uint32_t> fresh;
  for (std::uint32_t number = 0; number < by_ring_.size(); ++number) {
    if (by_ring_[number]) continue;
    wire::RingHeader& header = arena_.ring(number);
    if (is_in(header.state, wire::RingState::active) ||
        is_in(header.state, wire::RingState::ended)) {
      fresh.push_back(number);
    } else if (is_in(header.state, wire::RingState::claimed) &&
               processes_.is_dead(header.process)) {
      reset_ring(header);  // its writer died before it wrote anything
    }
  }
  if (fresh.empty()) return;
  processes_.look();
  // Streams are numbered by serial. Where one is missing, it may be that of a ring which we passed
  // before it was ready: the next look tells.
  std::ranges::sort(fresh, {}, [this](std::uint32_t number) { return arena_.ring(number).serial; });
  for (const std::uint32_t number : fresh) {
    const std::uint32_t serial = arena_.ring(number).serial;
    if (serial <= next_serial_ || held_back_[number]) {
      next_serial_ = std::max(next_serial_, serial + 1);
      admit(number);
    } else {
      held_back_[number] = true;
    }
  }
}

void Drain::admit(std::uint32_t number) {
  const wire::RingHeader& header = arena_.ring(number);
  held_back_[number] = false;
  const StreamId id{next_stream_++};
  const std::optional<StreamId> parent = parent_of(header);
  by_ring_[number] = std::make_unique<Stream>(*this, number, id);
  Stream& stream = *by_ring_[number];
  const auto parent_stream = std::ranges::find_if(
      active_, [&](const Stream* other) { return parent && other->id() == *parent; });
  stream.wait_for(parent_stream == active_.end() ? nullptr : *parent_stream);
  by_serial_.insert_or_assign(stream.serial(), id);
  if (header.pid == header.tid && header.kind == wire::RingKind::thread) {
    by_pid_.insert_or_assign(header.pid, id);
  }
  active_.push_back(&stream);
  writer_.open_stream(id, title_of(header), parent);
}

// The ring that its own names; otherwise, as the first of a program that was executed, what ran in
// its process before, or in the process that started it.
std::optional<StreamId> Drain::parent_of(const wire::RingHeader& header) {
  if (const std::uint32_t serial = header.parent_serial; serial != wire::kNoRing) {
    const auto found = by_serial_.find(serial);
    return found == by_serial_.end() ? std::nullopt : std::optional(found->second);
  }
  for (const int pid : {header.pid, processes_.parent_pid(header.process)}) {
    if (const auto found = by_pid_.find(pid); found != by_pid_.end()) return found->second;
  }
  return {};
}

bool Drain::is_over(const Stream& stream) const {
  return is_in(stream.reader().header().state, wire::RingState::ended) ||
         processes_.is_dead(stream.process());
}

bool Drain::drain(Stream& stream) {
  if (!stream.begin()) return false;
  // Asked first: whatever an ended ring's writer wrote is there to be seen after this.
  const bool over = is_over(stream);
  for (int i = 0; i < kMostChunksATurn; ++i) {
    const auto words = stream.reader().next(*copy_);
    if (!words) {
      if (over) read_rest(stream);
      return i > 0 || over;
    }
    stream.decoder().decode(*words);
  }
  return true;
}

void Drain::read_rest(Stream& stream) {
  stream.decoder().decode(stream.reader().rest(*copy_));
  note_counts(stream);
  uncut_.erase(stream.id());
  writer_.end(stream.id());
  for (Stream* other : active_) other->forget_parent(&stream);
  std::erase(active_, &stream);
  stream.reader().free();
  by_ring_[stream.ring()].reset();
}

void Drain::release_processes() {
  std::vector<bool> in_use(processes_.entries());
  for (std::uint32_t number = 0; number < by_ring_.size(); ++number) {
    const wire::RingHeader& header = arena_.ring(number);
    if (is_in(header.state, wire::RingState::free)) continue;
    const std::uint32_t process =
        by_ring_[number] ? by_ring_[number]->process() : std::uint32_t{header.process};
    if (process < in_use.size()) in_use[process] = true;
  }
  processes_.release_dead(in_use);
}

// ---- Modules

void Drain::load_modules() {
  const std::uint32_t used = std::min(arena_.header().modules_used.load(std::memory_order_acquire),
                                      arena_.shape().modules);
  if (used > modules_loaded_.size()) modules_loaded_.resize(used);
  for (std::uint32_t number = first_missing_module_; number < used; ++number) {
    if (modules_loaded_[number]) continue;
    const std::uint32_t state = arena_.module(number).state.load(std::memory_order_acquire);
    if (state != static_cast<std::uint32_t>(wire::ModuleState::ready)) continue;
    modules_loaded_[number] = true;
    load(number);
  }
  while (first_missing_module_ < used && modules_loaded_[first_missing_module_]) {
    ++first_missing_module_;
  }
}

void Drain::load(std::uint32_t number) {
  const wire::ModuleEntry& entry = arena_.module(number);
  const std::uint64_t offset = entry.table_offset;
  const std::uint64_t bytes = entry.table_bytes;
  const std::uint32_t mode = entry.mode;
  if (mode != static_cast<std::uint32_t>(options_.mode)) throw WrongMode(mode);
  try {
    const auto tables = arena_.tables();
    if (offset > tables.size() || bytes > tables.size() - offset) throw Error("is out of bounds");
    const auto table = tables.subspan(offset, bytes);
    const base::Bytes copy(table.begin(), table.end());
    tables_.add(entry.base, entry.functions, copy);
  } catch (const Error& error) {
    warn(StreamId{0}, 0,
         fmt::format("the function table of module {} {}: its functions are not recorded", number,
                     error.what()));
  }
}

// ---- Cuts

void Drain::count_for_cut(StreamId stream, std::uint64_t events) {
  std::uint64_t& count = uncut_[stream];
  count += events;
  if (count < options_.cuts.events) return;
  count = 0;
  writer_.cut(stream);
}

void Drain::cut_some(Clock::time_point now) {
  if (options_.cuts.time && now >= next_cuts_) {
    next_cuts_ = now + *options_.cuts.time;
    for (const auto& [stream, events] : uncut_) {
      if (events > 0) due_.push_back(stream);
    }
    uncut_.clear();
  }
  for (int i = 0; i < kMostCutsAPass && !due_.empty(); ++i) {
    writer_.cut(due_.front());
    due_.pop_front();
  }
}

// ---- The end

void Drain::finish(bool all_dead) {
  processes_.look();
  if (all_dead) processes_.everyone_is_dead();
  admit_rings();
  admit_rings();  // those that were held back
  // Those who live may go on for a while.
  constexpr int kMostPasses = 1000;
  for (int i = 0; (all_dead || i < kMostPasses) && !active_.empty() && pass(); ++i) {
  }
  // Writers that live: what they wrote so far.
  for (Stream* stream : active_) {
    stream->wait_for(nullptr);
    if (stream->begin()) stream->decoder().decode(stream->reader().peek_rest(*copy_));
    note_counts(*stream);
  }
  load_modules();
  if (const std::uint32_t lost = arena_.header().streams_lost.load(); lost > 0) {
    warn(StreamId{0}, 0, fmt::format("{} threads found no free ring and are not recorded", lost));
  }
}

void Drain::note_stop(const std::string& why) {
  for (const Stream* stream : active_) {
    warn(stream->id(), stream->events_taken(), "recording stopped: " + why);
  }
  if (active_.empty()) warn(StreamId{0}, 0, "recording stopped: " + why);
}

void Drain::warn(StreamId stream, std::uint64_t index, const std::string& text) {
  writer_.note({{stream, index}, NoteKind::warning, text});
}

void Drain::note_counts(const Stream& stream) {
  const DecoderCounts& counts = stream.decoder().counts();
  const auto note = [&](std::uint64_t count, std::string_view what) {
    if (count == 0) return;
    warn(stream.id(), stream.events_taken(), fmt::format("{} {}", count, what));
  };
  note(counts.repairs, "frames ended without a word and were closed where that showed");
  note(counts.unnamed, "calls of functions that no module names are not recorded");
  note(counts.malformed, "words of the ring made no sense and were skipped");
  if (stream.reader().broken()) note(1, "ring was written over, and not read from there on");
}

}  // namespace pathspool::collector
