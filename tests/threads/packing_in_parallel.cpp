// What runs on several threads, for ThreadSanitizer: chunks are compressed on all cores.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <thread>
#include <vector>

#include "pathspool/pack.h"
#include "support/pack_ways.h"
#include "support/program_model.h"
#include "support/recording.h"
#include "support/scratch.h"

namespace pathspool {
namespace {

using testing::PackWay;
using testing::Recording;

// Several threads whatever the machine has.
const tbb::global_control four_threads(tbb::global_control::max_allowed_parallelism, 4);

Recording some_recording() {
  Recording recording = testing::full_recording(1, 20'000);
  recording.functions = testing::plain_functions(40);
  testing::ProgramModel model({});
  recording.streams[0].events = model.events(60'000);
  return recording;
}

TEST(Threads, many_chunks_of_several_streams_are_compressed_at_once) {
  const testing::Scratch scratch;
  const Recording recording = some_recording();
  for (PackWay way : testing::all_pack_ways()) {
    way.options.chunk_bytes = 2000;
    SCOPED_TRACE(way.name);
    testing::write_spool(scratch.file("a"), recording, way.options, 1000);
    testing::expect_intact(scratch.file("a"));
    EXPECT_TRUE(testing::read_spool(Spool::open(scratch.file("a"))) == recording);
  }
}

TEST(Threads, a_writer_that_is_dropped_half_way_ends_its_tasks) {
  const testing::Scratch scratch;
  const Recording recording = some_recording();
  PackOptions options;
  options.chunk_bytes = 500;
  for (int round = 0; round < 5; ++round) {
    SpoolWriter writer(scratch.file("a"), options);
    for (const Function& function : recording.functions) writer.functions().add(function);
    testing::append_in_turns(writer, recording, 1000);
  }
  EXPECT_FALSE(std::filesystem::exists(scratch.file("a")));
}

TEST(Threads, two_threads_pack_two_files) {
  const testing::Scratch scratch;
  const Recording recording = some_recording();
  PackOptions options;
  options.chunk_bytes = 2000;
  std::vector<std::thread> threads;
  for (const char* name : {"a", "b"}) {
    threads.emplace_back(
        [&, name] { testing::write_spool(scratch.file(name), recording, options); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(testing::read_whole(scratch.file("a")), testing::read_whole(scratch.file("b")));
}

TEST(Threads, several_threads_read_one_file_each_through_its_own_spool) {
  const testing::Scratch scratch;
  const Recording recording = some_recording();
  for (const PackWay& way : testing::main_pack_ways()) {
    testing::write_spool(scratch.file("a"), recording, way.options);
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back(
          [&] { EXPECT_TRUE(testing::read_spool(Spool::open(scratch.file("a"))) == recording); });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

}  // namespace
}  // namespace pathspool
