// What an executable file says of itself, before it runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace pathspool::collector {

struct ProgramFacts {
  std::string build_id;               // in hexadecimal; empty if there is none
  std::optional<std::uint32_t> mode;  // wire::Mode of its first instrumented module, if it has one
};

// Never fails: what is no 64-bit ELF file of this machine's byte order, or a malformed one, says
// nothing.
[[nodiscard]] ProgramFacts read_program_facts(const std::filesystem::path& path);

}  // namespace pathspool::collector
