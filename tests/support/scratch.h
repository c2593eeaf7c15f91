// A directory of its own for each test, and whole files as bytes.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <string>

#include "base/bytes.h"

namespace pathspool::testing {

// Gone, with all it holds, at the end of its scope.
class Scratch {
 public:
  Scratch() {
    static std::atomic<unsigned> count = 0;
    // In memory where there is such a place: some tests write a file for every byte of another.
    const std::filesystem::path memory = "/dev/shm";
    const bool usable = access(memory.c_str(), W_OK) == 0;
    directory_ = (usable ? memory : std::filesystem::temp_directory_path()) /
                 ("pathspool-test-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(directory_);
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] std::filesystem::path file(const std::string& name) const {
    return directory_ / name;
  }

 private:
  std::filesystem::path directory_;
};

[[nodiscard]] inline base::Bytes read_whole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void write_whole(const std::filesystem::path& path, base::ByteView bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

}  // namespace pathspool::testing
