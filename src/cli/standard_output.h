// Standard output whose every failure is noticed.
#pragma once

#include <string_view>

namespace pathspool::cli {

// Throws FileError if the bytes cannot be written, for instance because the disk is full.
void write_output(std::string_view bytes);

// To be called once, after the last write: what was buffered may fail only now.
void flush_output();

}  // namespace pathspool::cli
