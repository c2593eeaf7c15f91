// Writes tests/golden/accepted and tests/golden/refused.
//
//   make_golden_files tests/golden
//
// Spools of a released format must decode for ever: once there is a release, files are added, never
// written anew.
#include <filesystem>
#include <string>

#include "support/container.h"
#include "support/pack_ways.h"
#include "support/portrait.h"
#include "support/recording.h"
#include "support/scratch.h"
#include "support/segmented.h"

namespace pathspool {
namespace {

void write_with_portrait(const std::filesystem::path& path) {
  const std::string text = testing::portrait(Spool::open(path));
  testing::write_whole(std::filesystem::path(path).replace_extension(".txt"),
                       {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

Block block(std::vector<std::uint32_t> lines, Terminator terminator,
            const std::vector<std::uint32_t>& successors, std::vector<CallSite> calls = {}) {
  Block made{std::move(lines), terminator, {}, std::move(calls)};
  for (const std::uint32_t id : successors) made.successors.push_back(BlockId{id});
  return made;
}

// What a recorder would write of a small program with a thread.
testing::Recording recorded() {
  testing::Recording recording;
  recording.metadata.program = "/bin/small";
  recording.metadata.mode = "blocks";
  recording.functions = {
      {"main",
       "",
       "small.cpp",
       12,
       {block({12, 13}, Terminator::jump, {2}, {{CallKind::external, "pthread_create"}}),
        block({14}, Terminator::conditional, {3, 4}),
        block({15, 15, 16}, Terminator::jump, {2}, {{CallKind::direct, "_Z4workIiEvT_"}}),
        block({18, 20}, Terminator::returned, {})}},
      {"_Z4workIiEvT_",
       "void work<int>(int)",
       "work.h",
       3,
       {block({3, 4, 5}, Terminator::switched, {2, 3, 3}), block({}, Terminator::returned, {}),
        block({9, 7}, Terminator::returned, {}, {{CallKind::indirect, ""}})}},
      {"never", "", "small.cpp", 30, {block({30}, Terminator::unreachable, {})}}};
  const auto in = [](std::uint32_t id) { return Event::enter(FunctionId{id}); };
  const auto b = [](std::uint32_t id) { return Event::block(BlockId{id}); };
  const Event e = Event::exit();
  recording.streams = {{StreamId{0},
                        "10/10 small",
                        std::nullopt,
                        {in(0), b(1), b(2), b(3), in(1), b(1), b(3), e, b(2), b(4), e}},
                       {StreamId{1}, "10/11 small", StreamId{0}, {in(1), b(1), b(2), e}}};
  recording.notes = {{{StreamId{0}, 4}, NoteKind::mark, "before work"},
                     {{StreamId{1}, 4}, NoteKind::warning, "nothing more was recorded"}};
  return recording;
}

void write_accepted(const std::filesystem::path& directory) {
  std::filesystem::create_directories(directory);
  for (testing::PackWay way : testing::all_pack_ways()) {
    way.name.replace(way.name.find(", "), 2, "_");
    way.options.chunk_bytes = 40;
    testing::write_segmented(directory / (way.name + ".spool"), testing::full_recording(11, 150),
                             way.options, 60);
    write_with_portrait(directory / (way.name + ".spool"));
  }
  testing::write_spool(directory / "recorded.spool", recorded());
  write_with_portrait(directory / "recorded.spool");
  const auto whole = testing::read_whole(directory / "grammar_segments.spool");
  testing::write_whole(directory / "cut_short.spool",
                       base::ByteView(whole).first(whole.size() / 2));
  write_with_portrait(directory / "cut_short.spool");
  testing::write_spool(directory / "empty.spool", testing::Recording{});
  write_with_portrait(directory / "empty.spool");
  auto sections = *testing::take_apart(whole);
  sections.pop_back();
  sections.insert(sections.begin() + 1, {spool::section_type("LATE"), {1, 2, 3}, {{4, 5, 6}}});
  testing::write_whole(directory / "unknown_section.spool",
                       testing::put_together_with_table(sections));
  write_with_portrait(directory / "unknown_section.spool");
}

void write_refused(const std::filesystem::path& directory, base::Bytes good) {
  std::filesystem::create_directories(directory);
  const auto write = [&](const char* name, const base::Bytes& bytes) {
    testing::write_whole(directory / (std::string(name) + ".spool"), bytes);
  };
  const auto sections = *testing::take_apart(good);
  write("nothing", {});
  write("text", {'M', 'a', 'i', 'n', ' ', 'B', '1', '\n'});
  base::Bytes changed = good;
  changed[8] = 2;
  write("version_2_with_a_wrong_checksum", changed);
  base::ByteWriter header;
  header.bytes(base::ByteView(changed).first(16));
  header.u64(base::checksum(header.view()));
  std::copy(header.view().begin(), header.view().end(), changed.begin());
  write("version_2", changed);
  changed = good;
  changed[24] ^= 1;
  write("section_header", changed);
  changed = good;
  changed.back() ^= 1;
  write("footer", changed);
  changed = good;
  changed.push_back('\n');
  write("a_byte_too_many", changed);
  auto other = sections;
  other.erase(other.begin() + 4);
  other.pop_back();
  write("missing_segment", testing::put_together_with_table(other));
  other = sections;
  other.erase(other.begin() + 2);
  other.pop_back();
  write("missing_streams", testing::put_together_with_table(other));
  other = sections;
  other.back().content.pop_back();
  write("short_table_of_contents", testing::put_together(other));
}

}  // namespace
}  // namespace pathspool

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::filesystem::path golden = arguments[1];
  pathspool::write_accepted(golden / "accepted");
  pathspool::write_refused(golden / "refused", pathspool::testing::read_whole(
                                                   golden / "accepted" / "grammar_segments.spool"));
  return 0;
}
