#include "recorder/collector/drain.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <functional>
#include <random>
#include <thread>

#include "pathspool/error.h"
#include "pathspool/spool.h"
#include "recorder/collector/test_program.h"

namespace pathspool::collector {
namespace {

namespace fs = std::filesystem;
using testing::attach_process;
using testing::enter_word;
using testing::fork_and;
using testing::RingFacts;
using testing::RingWriter;
using testing::wait_for;
using wire::Control;
using wire::control_word;
using wire::Word;

constexpr Word kTag = 100;

// An arena with one module of three functions (f, g, h), a drain, and the spool it writes.
class DrainTest : public ::testing::Test {
 protected:
  explicit DrainTest(const ArenaShape& shape = small(), DrainOptions options = {})
      : path_(fs::temp_directory_path() /
              fmt::format("pathspool-drain-{}-{}.spool", ::getpid(), next_number_++)),
        arena_(shape) {
    PackOptions pack;
    pack.in_place = true;
    writer_.emplace(path_, pack);
    drain_.emplace(arena_, *writer_, std::move(options));
    const base::Bytes table = testing::encode_table(
        kTag,
        {testing::function_named("f"), testing::function_named("g"), testing::function_named("h")});
    base_ = testing::register_module(arena_, table, 3);
  }
  ~DrainTest() override {
    drain_.reset();
    writer_.reset();
    fs::remove(path_);
  }

  static ArenaShape small() {
    ArenaShape shape;
    shape.rings = 80;
    shape.chunks_per_ring = 4;
    shape.processes = 64;
    shape.table_bytes = 1 << 20;
    return shape;
  }

  [[nodiscard]] Word enter(Word index, bool exits = false) const {
    return enter_word(base_ + index, exits);
  }
  [[nodiscard]] static Word block(Word index, Word id) {
    return wire::block_word(kTag + index, id);
  }
  [[nodiscard]] static Word exit(Word index) { return wire::exit_word(kTag + index); }

  void drain_until(const std::function<bool()>& done) {
    while (!done()) drain_->pass_or_sleep();
  }
  void drain_until_dead(pid_t pid) {
    drain_until([pid] { return ::waitpid(pid, nullptr, WNOHANG) != 0; });
  }
  const Spool& finish(bool all_dead = true) {
    drain_->finish(all_dead);
    writer_->finish();
    EXPECT_TRUE(check(path_).intact());
    spool_.emplace(Spool::open(path_));
    return *spool_;
  }
  [[nodiscard]] std::vector<Event> events(std::uint32_t stream) const {
    std::vector<Event> all;
    EventCursor cursor = spool_->events(StreamId{stream});
    while (cursor.next()) all.insert(all.end(), cursor.batch().begin(), cursor.batch().end());
    return all;
  }
  [[nodiscard]] std::string text(std::uint32_t stream) const {
    std::string line;
    for (const Event& event : events(stream)) {
      if (!line.empty()) line += ' ';
      if (event.kind == EventKind::enter) line += spool_->functions()[event.function()].name;
      if (event.kind == EventKind::block) line += fmt::format("B{}", event.id);
      if (event.kind == EventKind::exit) line += 'E';
    }
    return line;
  }

  static inline int next_number_ = 0;
  fs::path path_;
  Arena arena_;
  std::optional<SpoolWriter> writer_;
  std::optional<Drain> drain_;
  Word base_ = 0;
  std::optional<Spool> spool_;
};

TEST_F(DrainTest, a_ring_becomes_a_stream_up_to_its_first_zero) {
  RingWriter writer(arena_, {attach_process(arena_), "worker"});
  writer.write(enter(0));
  writer.publish();
  writer.write(block(0, 2));
  writer.write(enter(1, true));
  const Spool& spool = finish();
  EXPECT_EQ(text(0), "f B1 B2 g B1 E");
  EXPECT_EQ(spool.streams()[0].title, fmt::format("{}/{} worker", ::getpid(), ::gettid()));
  EXPECT_EQ(spool.functions().size(), 3U) << "functions that never ran are listed";
  EXPECT_TRUE(spool.notes().empty());
}

TEST_F(DrainTest, nothing_is_lost_when_rings_run_full) {
  constexpr Word kCalls = 300'000;
  const std::uint32_t process = attach_process(arena_);
  std::thread program([&] {
    RingWriter writer(arena_, {process});
    for (Word i = 0; i < kCalls; ++i) {
      writer.write(enter(0));
      writer.write(block(0, i % 3 + 1));
      writer.write(exit(0));
    }
    writer.end();
  });
  while (arena_.ring(0).state.load() != static_cast<std::uint32_t>(wire::RingState::free) ||
         arena_.header().next_serial.load() == 0) {
    drain_->pass_or_sleep();
  }
  program.join();
  finish();
  const std::vector<Event> all = events(0);
  ASSERT_EQ(all.size(), 4 * std::size_t{kCalls});
  for (Word i = 0; i < kCalls; ++i) ASSERT_EQ(all[4 * i + 2], Event::block(BlockId{i % 3 + 1}));
}

TEST_F(DrainTest, an_ended_ring_is_zeroed_and_given_to_the_next_thread) {
  const std::uint32_t process = attach_process(arena_);
  for (Word round = 0; round < 5; ++round) {
    RingWriter writer(arena_, {process});
    for (Word i = 0; i < round * 20'000; ++i) {
      writer.write(enter(round % 3, true));
      if (i % 1000 == 0) drain_->pass();
    }
    writer.end();
    while (writer.header().state.load() != 0) drain_->pass_or_sleep();
    for (std::uint32_t chunk = 0; chunk < small().chunks_per_ring; ++chunk) {
      for (const Word word : arena_.chunk(0, chunk)) ASSERT_EQ(word, 0U);
    }
  }
  const Spool& spool = finish();
  ASSERT_EQ(spool.streams().size(), 5U);
  for (std::uint32_t stream = 0; stream < 5; ++stream) {
    EXPECT_EQ(events(stream).size(), stream * 60'000U);
  }
}

struct SharedCount {
  std::atomic<std::uint64_t>* value =
      new (::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
          std::atomic<std::uint64_t>(0);
  SharedCount() = default;
  ~SharedCount() { ::munmap(value, 4096); }
  SharedCount(const SharedCount&) = delete;
  SharedCount& operator=(const SharedCount&) = delete;
};

TEST_F(DrainTest, whatever_a_killed_program_wrote_is_there) {
  std::mt19937 random(1);
  constexpr std::uint32_t kRounds = 40;
  std::vector<std::uint64_t> counts;
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    const SharedCount count;
    const pid_t child = fork_and([&] {
      RingWriter writer(arena_, {attach_process(arena_)});
      while (true) {
        writer.write(enter(0, true));
        count.value->store(count.value->load(std::memory_order_relaxed) + 1,
                           std::memory_order_relaxed);
      }
    });
    const auto when =
        std::chrono::steady_clock::now() + std::chrono::microseconds(1000 + random() % 20'000);
    drain_until([when] { return std::chrono::steady_clock::now() > when; });
    ::kill(child, SIGKILL);
    drain_until_dead(child);
    counts.push_back(count.value->load());
  }
  const Spool& spool = finish();
  // A child that was killed before it had a ring has no stream.
  std::erase(counts, 0U);
  std::size_t at = 0;
  for (const StreamInfo& stream : spool.streams()) {
    if (stream.events == 0) continue;
    const std::uint64_t calls = stream.events / 3;
    if (calls == 1 && (at == counts.size() || counts[at] > 2)) continue;  // written, not counted
    ASSERT_LT(at, counts.size());
    // It may have been killed after it wrote and before it counted.
    EXPECT_GE(calls, counts[at]);
    EXPECT_LE(calls, counts[at] + 1);
    ++at;
  }
  EXPECT_EQ(at, counts.size());
  EXPECT_LE(arena_.header().processes_used.load(), small().processes);
}

TEST_F(DrainTest, a_forked_childs_stream_begins_with_its_parents_frames) {
  const std::uint32_t process = attach_process(arena_);
  RingWriter parent(arena_, {process, "parent"});
  parent.write(enter(0));
  parent.write(enter(1));
  parent.write(control_word(Control::fork), 5);
  parent.publish();
  parent.write(exit(1));
  const pid_t child = fork_and([&] {
    RingFacts facts{attach_process(arena_), "child", parent.serial(), 5};
    RingWriter writer(arena_, facts);
    writer.write(block(1, 2));
    writer.write(exit(1));
    writer.write(enter(2));
  });
  wait_for(child);
  parent.write(exit(0));
  const Spool& spool = finish();
  EXPECT_EQ(text(0), "f B1 g B1 E E");
  EXPECT_EQ(text(1), "f g B2 E h B1");
  EXPECT_EQ(spool.streams()[1].parent, StreamId{0});
}

TEST_F(DrainTest, a_child_whose_fork_nobody_noted_begins_with_nothing) {
  const std::uint32_t process = attach_process(arena_);
  RingWriter parent(arena_, {process, "parent"});
  RingWriter child(arena_, {process, "child", parent.serial(), 77});
  parent.write(enter(0));
  child.write(enter(1));
  child.end();
  drain_until([&] { return child.header().state.load() == 0; });
  RingWriter orphan(arena_, {process, "orphan", 12345, 78});
  orphan.write(enter(2));
  finish();
  EXPECT_EQ(text(0), "f B1");
  EXPECT_EQ(text(1), "g B1");
  EXPECT_EQ(text(2), "h B1");
}

TEST_F(DrainTest, a_childs_full_ring_does_not_wait_for_a_parent_that_waits_for_it) {
  const pid_t parent = fork_and([&] {
    RingWriter writer(arena_, {attach_process(arena_), "parent"});
    writer.write(enter(0));
    writer.write(control_word(Control::fork), 1);
    writer.publish();
    const pid_t child = fork_and([&] {
      RingWriter more(arena_, {attach_process(arena_), "child", writer.serial(), 1});
      for (int i = 0; i < 200'000; ++i) more.write(enter(1, true));
    });
    wait_for(child);
    writer.write(exit(0));
  });
  drain_until_dead(parent);
  finish();
  EXPECT_EQ(text(0), "f B1 E");
  EXPECT_EQ(events(1).size(), 600'001U);
}

TEST_F(DrainTest, sixty_four_threads_come_and_go) {
  const std::uint32_t process = attach_process(arena_);
  std::atomic<int> running = 64;
  constexpr int kLives = 8;
  std::vector<std::thread> threads;
  for (int number = 0; number < 64; ++number) {
    threads.emplace_back([&, number] {
      for (int life = 0; life < kLives; ++life) {
        RingWriter writer(arena_, {process});
        for (int i = 0; i < 100 * number; ++i) writer.write(enter(0, true));
        writer.end();
      }
      --running;
    });
  }
  drain_until([&] { return running.load() == 0; });
  for (std::thread& thread : threads) thread.join();
  const Spool& spool = finish();
  EXPECT_EQ(spool.streams().size(), 64U * kLives);
  std::uint64_t total = 0;
  for (const StreamInfo& stream : spool.streams()) total += stream.events;
  EXPECT_EQ(total, std::uint64_t{3} * kLives * 100 * 63 * 32);
}

TEST_F(DrainTest, a_program_that_executes_another_ends_its_first_streams) {
  const pid_t child = fork_and([&] {
    RingWriter before(arena_, {attach_process(arena_), "before"});
    before.write(enter(0));
    // As after exec: a new entry and ring of the same process; the old ring is nobody's.
    RingWriter after(arena_, {attach_process(arena_), "after"});
    after.write(enter(1));
    ::pause();
  });
  // The first ring is freed while the process lives.
  drain_until([&] {
    return arena_.header().next_serial.load() == 2 &&
           arena_.ring(0).state.load() == static_cast<std::uint32_t>(wire::RingState::free);
  });
  EXPECT_EQ(::waitpid(child, nullptr, WNOHANG), 0);
  ::kill(child, SIGKILL);
  wait_for(child);
  finish();
  const Spool& spool = *spool_;
  EXPECT_EQ(text(0), "f B1");
  EXPECT_EQ(text(1), "g B1");
  EXPECT_FALSE(spool.streams()[0].parent);
  EXPECT_EQ(spool.streams()[1].parent, StreamId{0});
}

TEST_F(DrainTest, a_program_that_another_process_started_has_that_ones_stream_as_parent) {
  RingWriter starter(arena_, {attach_process(arena_), "starter"});
  starter.write(enter(0));
  const std::uint32_t entry = attach_process(arena_, 1);
  arena_.process(entry).parent_pid = ::getpid();
  RingWriter started(arena_, {entry, "started"});
  started.header().pid = 1;
  started.write(enter(1));
  const Spool& spool = finish();
  EXPECT_EQ(spool.streams()[1].parent, StreamId{0});
}

TEST_F(DrainTest, what_went_wrong_is_noted) {
  const std::uint32_t process = attach_process(arena_);
  RingWriter writer(arena_, {process});
  writer.write(enter(0));
  writer.write(enter(1));
  writer.write(block(0, 2));
  writer.write(control_word(static_cast<Control>(50)));
  Word text[2] = {};
  std::memcpy(text, "hi\xff\xff", 4);
  writer.write(control_word(Control::mark, 2), text[0]);
  writer.write(exit(0));
  const base::Bytes bad = {1, 2, 3};
  testing::register_module(arena_, bad, 1);
  arena_.header().streams_lost.store(2);
  const Spool& spool = finish();
  EXPECT_EQ(this->text(0), "f B1 g B1 E B2 E");
  std::vector<std::string> notes;
  for (const Note& note : spool.notes()) {
    notes.push_back(fmt::format("{} {}: {}", note.kind == NoteKind::mark ? "mark" : "warning",
                                note.position.index, note.text));
  }
  std::ranges::sort(notes);
  ASSERT_EQ(notes.size(), 5U);
  EXPECT_EQ(notes[0], "mark 6: hi");
  EXPECT_TRUE(notes[1].starts_with("warning 0: 2 threads found no free ring")) << notes[1];
  EXPECT_TRUE(notes[2].starts_with("warning 0: the function table of module 1 ")) << notes[2];
  EXPECT_TRUE(notes[3].starts_with("warning 7: 1 frames ended without a word")) << notes[3];
  EXPECT_TRUE(notes[4].starts_with("warning 7: 1 words of the ring made no sense")) << notes[4];
}

TEST_F(DrainTest, a_living_program_keeps_its_ring_when_recording_ends) {
  RingWriter writer(arena_, {attach_process(arena_)});
  writer.write(enter(0));
  arena_.stop();
  finish(false);
  EXPECT_EQ(text(0), "f B1");
  EXPECT_NE(arena_.chunk(0, 0)[0], 0U);
}

TEST_F(DrainTest, a_ring_that_is_scribbled_over_harms_nobody) {
  std::mt19937 random(7);
  for (int round = 0; round < 30; ++round) {
    const std::uint32_t process = attach_process(arena_, 0);
    RingWriter good(arena_, {process, "good"});
    RingWriter bad(arena_, {process, "bad"});
    for (int i = 0; i < 50; ++i) {
      bad.write(static_cast<Word>(random()));
      good.write(enter(0, true));
    }
    if (round % 2 == 0) bad.publish();
    wire::RingHeader& header = bad.header();
    for (int i = 0; i < 3; ++i) {
      const std::size_t at = 4 + random() % (sizeof header - 4);
      reinterpret_cast<std::uint8_t*>(&header)[at] = static_cast<std::uint8_t>(random());
    }
    drain_->pass();
    good.end();
    bad.end();
    drain_until([&] { return header.state.load() == 0 && good.header().state.load() == 0; });
  }
  const Spool& spool = finish();
  std::uint64_t whole = 0;
  for (const StreamInfo& stream : spool.streams())
    whole += stream.title.ends_with("good") ? stream.events : 0;
  EXPECT_EQ(whole, 30U * 150);
}

TEST_F(DrainTest, a_program_of_another_mode_is_refused) {
  testing::register_module(arena_, testing::encode_table(1, {}), 0, wire::Mode::bits);
  RingWriter writer(arena_, {attach_process(arena_)});
  writer.write(enter(0));
  EXPECT_THROW(drain_->finish(true), Error);
}

class FrequentCuts : public DrainTest {
 protected:
  static DrainOptions options() {
    DrainOptions options;
    options.cuts = {10'000, std::chrono::milliseconds(5)};
    options.filter = FunctionFilter({}, {"g"});
    return options;
  }
  FrequentCuts() : DrainTest(small(), options()) {}
};

TEST_F(FrequentCuts, what_was_cut_is_in_the_file_while_the_program_runs) {
  RingWriter writer(arena_, {attach_process(arena_)});
  for (int i = 0; i < 60'000; ++i) {
    writer.write(enter(0));
    writer.write(enter(1, true));
    writer.write(exit(0));
    if (i % 1000 == 0) drain_->pass();
  }
  {
    const Spool early = Spool::open(path_);
    EXPECT_TRUE(early.truncation());
    ASSERT_EQ(early.streams().size(), 1U);
    EXPECT_GE(early.streams()[0].events, 100'000U);
  }
  const Spool& spool = finish();
  EXPECT_EQ(spool.streams()[0].events, 180'000U);
  EXPECT_GE(spool.info().segments.size(), 10U);
  EXPECT_EQ(spool.functions().size(), 3U);
}

}  // namespace
}  // namespace pathspool::collector
