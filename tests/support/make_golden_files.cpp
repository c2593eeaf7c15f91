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

void write_accepted(const std::filesystem::path& directory) {
  std::filesystem::create_directories(directory);
  for (testing::PackWay way : testing::all_pack_ways()) {
    way.name.replace(way.name.find(", "), 2, "_");
    way.options.chunk_bytes = 40;
    testing::write_segmented(directory / (way.name + ".spool"), testing::full_recording(11, 150),
                             way.options, 60);
    write_with_portrait(directory / (way.name + ".spool"));
  }
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
  other.erase(other.begin() + 3);
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
