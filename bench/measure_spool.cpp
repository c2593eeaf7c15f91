#include "measure_spool.h"

#include <fmt/core.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include <filesystem>
#include <random>

#include "pathspool/error.h"
#include "pathspool/pack.h"
#include "pathspool/spool.h"
#include "stopwatch.h"

namespace pathspool::bench {
namespace {

constexpr StreamId kStream{0};
constexpr std::size_t kAppendEvents = 8192;
constexpr std::uint64_t kSeekEvents = 20;

// A folder of its own under the system's temporary one, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "pathspool-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw Error("cannot make a temporary folder");
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] std::filesystem::path file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

void pack_trace(const Trace& trace, const std::filesystem::path& path, const PackOptions& options) {
  SpoolWriter writer(path, options);
  for (std::uint32_t id = 0; id < trace.function_count; ++id) {
    writer.functions().intern(fmt::format("f{}", id));
  }
  std::span<const Event> left = trace.events;
  while (!left.empty()) {
    const std::size_t size = std::min(left.size(), kAppendEvents);
    writer.append(kStream, left.first(size));
    left = left.subspan(size);
  }
  writer.finish();
}

template <typename Clock>
double pack_ns(const Trace& trace, const std::filesystem::path& path, const PackOptions& pack,
               unsigned repeats, Clock clock) {
  const double time = median_of(
      repeats, [&] { return nanoseconds_of(clock, [&] { pack_trace(trace, path, pack); }); });
  return time / static_cast<double>(trace.events.size());
}

void require_round_trip(const Trace& trace, const std::filesystem::path& path) {
  const Spool spool = Spool::open(path);
  std::span<const Event> left = trace.events;
  EventCursor cursor = spool.events(kStream);
  while (cursor.next()) {
    const std::span<const Event> batch = cursor.batch();
    if (batch.size() > left.size() || !std::ranges::equal(batch, left.first(batch.size()))) {
      throw Error(fmt::format("{} does not give the trace back", path.filename().string()));
    }
    left = left.subspan(batch.size());
  }
  if (!left.empty()) throw Error("a spool lost the end of the trace");
}

// Opening the file and walking all its events, from the page cache.
double read_ns(const Trace& trace, const std::filesystem::path& path, unsigned repeats) {
  const double time = median_of(repeats, [&] {
    return nanoseconds_of(cpu_nanoseconds, [&] {
      const Spool spool = Spool::open(path);
      EventCursor cursor = spool.events(kStream);
      std::uint64_t events = 0;
      while (cursor.next()) events += cursor.batch().size();
      if (events != trace.events.size()) throw Error("a spool lost events");
    });
  });
  return time / static_cast<double>(trace.events.size());
}

// What `cat --from P --to P+20` does, but for the printing.
void look_at(const Spool& spool, std::uint64_t position) {
  static_cast<void>(spool.open_frames({kStream, position}));
  EventCursor cursor = spool.events(kStream, position, position + kSeekEvents);
  while (cursor.next()) {
  }
}

// Medians over random positions: in a file opened for each, as the command does, and in one that
// stays open and has decoded what other looks needed.
void measure_seek(const Trace& trace, const std::filesystem::path& path, const std::string& prefix,
                  unsigned repeats, TraceResult& result) {
  std::mt19937_64 random(20);
  const std::uint64_t last = std::max<std::uint64_t>(trace.events.size(), kSeekEvents + 1);
  const auto position = [&] { return random() % (last - kSeekEvents); };
  const double opening = median_of(5 * repeats, [&] {
    const std::uint64_t at = position();
    return nanoseconds_of(cpu_nanoseconds, [&] { look_at(Spool::open(path), at); });
  });
  const Spool spool = Spool::open(path);
  const double opened = median_of(20 * repeats, [&] {
    const std::uint64_t at = position();
    return nanoseconds_of(cpu_nanoseconds, [&] { look_at(spool, at); });
  });
  result.set(prefix + "open_and_seek_us", opening / 1e3);
  result.set(prefix + "seek_us", opened / 1e3);
}

// The file's size, and its index beside what it may take: 1% of the file or 8 KB.
void measure_sizes(const std::filesystem::path& path, const std::string& prefix,
                   TraceResult& result) {
  const SpoolInfo info = Spool::open(path).info();
  const auto file = static_cast<double>(info.file_bytes);
  const auto index = static_cast<double>(info.index_bytes);
  result.set(prefix + "file_bytes", file);
  if (const auto xz = result.get("xz6_u16_bytes")) {
    result.set(prefix + "file_to_xz_ratio", file / *xz);
  }
  result.set(prefix + "index_bytes", index);
  result.set(prefix + "index_ratio", index / file);
  result.set(prefix + "index_to_allowance_ratio", index / std::max(file / 100, 8192.0));
  result.set(prefix + "segments", static_cast<double>(info.segments.size()));
}

void measure_grammar(const Trace& trace, Symbols symbols, const MeasureOptions& options,
                     const ScratchFolder& folder, TraceResult& result) {
  const std::string prefix = std::string(name_of(symbols)) + "_";
  const std::filesystem::path path = folder.file(prefix + "grammar.spool");
  PackOptions pack;
  pack.form = Form::grammar;
  pack.symbols = symbols;
  result.set(prefix + "pack_ns", pack_ns(trace, path, pack, options.repeats, cpu_nanoseconds));
  require_round_trip(trace, path);
  measure_sizes(path, prefix, result);
  result.set(prefix + "expand_ns", read_ns(trace, path, 2 * options.repeats));
  measure_seek(trace, path, prefix, options.repeats, result);
  std::filesystem::remove(path);
}

PackOptions chunks_under(Codec codec) {
  PackOptions options;
  options.form = Form::chunks;
  options.codec = codec;
  return options;
}

void measure_chunks(const Trace& trace, const MeasureOptions& options, const ScratchFolder& folder,
                    TraceResult& result) {
  const std::filesystem::path path = folder.file("chunks.spool");
  const PackOptions pack = chunks_under(Codec::zstd);
  const unsigned repeats = 2 * options.repeats;
  {
    const tbb::global_control one_core(tbb::global_control::max_allowed_parallelism, 1);
    result.set("chunks_pack_ns", pack_ns(trace, path, pack, repeats, cpu_nanoseconds));
    result.set("chunks_pack_one_core_wall_ns",
               pack_ns(trace, path, pack, repeats, wall_nanoseconds));
  }
  result.set("chunks_pack_all_cores_wall_ns",
             pack_ns(trace, path, pack, repeats, wall_nanoseconds));
  require_round_trip(trace, path);
  measure_sizes(path, "chunks_", result);
  result.set("chunks_unpack_ns", read_ns(trace, path, repeats));
  measure_seek(trace, path, "chunks_", options.repeats, result);
  for (const Codec codec : {Codec::gzip, Codec::bzip2, Codec::xz}) {
    pack_trace(trace, path, chunks_under(codec));
    result.set(fmt::format("chunks_{}_file_bytes", name_of(codec)),
               static_cast<double>(std::filesystem::file_size(path)));
  }
}

}  // namespace

void measure_spools(const Trace& trace, const MeasureOptions& options, TraceResult& result) {
  const ScratchFolder folder;
  for (const Symbols symbols : {Symbols::blocks, Symbols::segments}) {
    measure_grammar(trace, symbols, options, folder, result);
  }
  measure_chunks(trace, options, folder, result);
}

}  // namespace pathspool::bench
