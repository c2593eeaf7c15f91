#include "cli/standard_output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/command_error.h"

namespace pathspool::cli {

namespace {

[[noreturn]] void fail() {
  throw FileError("standard output", std::string("cannot write: ") + std::strerror(errno));
}

}  // namespace

void write_output(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) fail();
}

void flush_output() {
  if (std::fflush(stdout) != 0) fail();
}

}  // namespace pathspool::cli
