#include "recorder/collector/program_file.h"

#include <elf.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "base/bytes.h"
#include "base/file.h"
#include "pathspool/error.h"
#include "pathspool/wire/module.h"

namespace pathspool::collector {
namespace {

// Tables and notes of true programs are far smaller.
constexpr std::uint64_t kMostBytes = 16U << 20;

template <typename T>
T read_at(const base::InputFile& file, std::uint64_t offset) {
  T value{};
  file.read(offset, {reinterpret_cast<std::uint8_t*>(&value), sizeof value});
  return value;
}

base::Bytes contents(const base::InputFile& file, const Elf64_Shdr& section) {
  if (section.sh_type == SHT_NOBITS || section.sh_size > kMostBytes) return {};
  return file.read(section.sh_offset, section.sh_size);
}

std::string_view name_at(const base::Bytes& names, std::uint64_t offset) {
  if (offset >= names.size()) return {};
  const auto start = names.begin() + static_cast<std::ptrdiff_t>(offset);
  const auto end = std::find(start, names.end(), std::uint8_t{0});
  return {reinterpret_cast<const char*>(&*start), static_cast<std::size_t>(end - start)};
}

// The notes of a section: a header, a name and a description, each padded to four bytes.
std::string build_id_of(base::ByteView notes) {
  constexpr std::string_view kOwner{"GNU\0", 4};
  const auto padded = [](std::uint32_t bytes) { return (std::uint64_t{bytes} + 3) / 4 * 4; };
  base::ByteReader reader(notes);
  while (reader.left() > 0) {
    const std::uint32_t name_bytes = reader.u32();
    const std::uint32_t id_bytes = reader.u32();
    const std::uint32_t type = reader.u32();
    const base::ByteView name = reader.bytes(padded(name_bytes));
    const base::ByteView id = reader.bytes(padded(id_bytes));
    if (reader.failed()) return {};
    if (type != NT_GNU_BUILD_ID || name_bytes != kOwner.size() ||
        !std::equal(kOwner.begin(), kOwner.end(), name.begin())) {
      continue;
    }
    std::string text;
    for (const std::uint8_t byte : id.first(id_bytes)) text += fmt::format("{:02x}", byte);
    return text;
  }
  return {};
}

ProgramFacts read_sections(const base::InputFile& file) {
  ProgramFacts facts;
  const auto header = read_at<Elf64_Ehdr>(file, 0);
  const bool readable =
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
      header.e_ident[EI_DATA] == ELFDATA2LSB && header.e_shentsize == sizeof(Elf64_Shdr);
  if (!readable || header.e_shstrndx >= header.e_shnum) return facts;
  const auto section_at = [&](std::uint64_t number) {
    return read_at<Elf64_Shdr>(file, header.e_shoff + number * sizeof(Elf64_Shdr));
  };
  const base::Bytes names = contents(file, section_at(header.e_shstrndx));
  for (std::uint64_t number = 0; number < header.e_shnum; ++number) {
    const Elf64_Shdr section = section_at(number);
    const std::string_view name = name_at(names, section.sh_name);
    if (name == PATHSPOOL_MODULE_SECTION && section.sh_size >= sizeof(wire::Module)) {
      facts.mode = read_at<std::uint32_t>(file, section.sh_offset + offsetof(wire::Module, mode));
    } else if (section.sh_type == SHT_NOTE && facts.build_id.empty()) {
      facts.build_id = build_id_of(contents(file, section));
    }
  }
  return facts;
}

}  // namespace

ProgramFacts read_program_facts(const std::filesystem::path& path) {
  try {
    return read_sections(base::InputFile(path));
  } catch (const Error&) {
    return {};
  }
}

}  // namespace pathspool::collector
