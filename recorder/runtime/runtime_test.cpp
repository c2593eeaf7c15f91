// The runtime as the collector sees it: victims write words, a fake collector reads them.
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "testing/fake_collector.h"

namespace pathspool::testing {
namespace {

using wire::Control;
using wire::RingKind;

template <class Condition>
bool comes_true(Condition condition) {
  for (int i = 0; i < 10'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

TEST(Runtime, words_of_a_thread_are_there_after_it_exits) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("some_words"), 0);
  const Stream& stream = collector.only(RingKind::thread);
  EXPECT_EQ(stream.words, numbers(1, 101));
  EXPECT_EQ(stream.parent_serial, wire::kNoRing);
  EXPECT_EQ(stream.fork_token, 0U);
  EXPECT_EQ(stream.pid, stream.tid);
  EXPECT_FALSE(stream.name.empty());
  EXPECT_EQ(collector.header().processes_used, 1U);
  EXPECT_EQ(collector.process(0).state, static_cast<std::uint32_t>(wire::ProcessState::attached));
  EXPECT_EQ(collector.process(0).pid, stream.pid);
  EXPECT_EQ(collector.process(0).parent_pid, getpid());
  EXPECT_EQ(collector.process(0).name, std::filesystem::path(PATHSPOOL_VICTIM).filename().string());
}

TEST(Runtime, a_function_may_use_the_slack_between_two_looks) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("slack"), 0);
  std::vector<Word> expected;
  for (Word round = 0; round < 20; ++round) {
    for (Word i = 0; i < wire::kSlackWords - 1; ++i)
      expected.push_back(number(round * 10000 + i + 1));
  }
  EXPECT_EQ(collector.only(RingKind::thread).words, expected);
}

TEST(Runtime, a_full_ring_makes_the_program_wait_and_nothing_is_lost) {
  FakeCollector collector;
  const pid_t victim = collector.start("many_chunks");
  EXPECT_TRUE(comes_true([&] { return collector.ring(0).writer_waits.load() == 1; }));
  EXPECT_EQ(collector.ring(0).published.load(), 4U);
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  EXPECT_EQ(collector.ring(0).published.load(), 4U);
  EXPECT_EQ(waitpid(victim, nullptr, WNOHANG), 0);
  EXPECT_EQ(collector.drain_until_end_of(victim), 0);
  collector.read_the_dead();
  EXPECT_EQ(collector.only(RingKind::thread).words, numbers(1, 200'001));
}

TEST(Runtime, the_collectors_death_ends_the_wait) {
  FakeCollector collector;
  const pid_t victim = collector.start("many_chunks");
  EXPECT_TRUE(comes_true([&] { return collector.ring(0).writer_waits.load() == 1; }));
  collector.header().collector.store(FUTEX_OWNER_DIED);
  int status = -1;
  EXPECT_EQ(waitpid(victim, &status, 0), victim);
  EXPECT_EQ(status, 0);
}

TEST(Runtime, a_stop_ends_the_wait_and_the_program_goes_on_unrecorded) {
  FakeCollector collector;
  const pid_t victim = collector.start("many_chunks");
  EXPECT_TRUE(comes_true([&] { return collector.ring(0).writer_waits.load() == 1; }));
  collector.header().state.store(static_cast<std::uint32_t>(wire::ArenaState::stopped));
  int status = -1;
  EXPECT_EQ(waitpid(victim, &status, 0), victim);
  EXPECT_EQ(status, 0);
  collector.read_the_dead();
  const std::vector<Word>& words = collector.only(RingKind::thread).words;
  EXPECT_EQ(words, numbers(1, static_cast<Word>(words.size()) + 1));
  EXPECT_EQ(words.size(), 4U * wire::kSlackWords);
}

TEST(Runtime, whatever_was_written_before_SIGKILL_is_there) {
  for (int round = 0; round < 20; ++round) {
    FakeCollector collector;
    const int file = memfd_create("written", 0);
    ASSERT_EQ(ftruncate(file, 4096), 0);
    auto* const written =
        static_cast<volatile Word*>(mmap(nullptr, 4096, PROT_READ, MAP_SHARED, file, 0));
    const pid_t victim = collector.start("until_killed", {"VICTIM_FILE=" + std::to_string(file)});
    EXPECT_TRUE(comes_true([&] { return *written > 100U + static_cast<Word>(round) * 1000U; }));
    for (int i = 0; i < round; ++i) collector.drain();
    kill(victim, SIGKILL);
    EXPECT_EQ(WTERMSIG(collector.drain_until_end_of(victim)), SIGKILL);
    collector.read_the_dead();
    const std::vector<Word>& words = collector.only(RingKind::thread).words;
    // It may die between writing the word and counting it.
    EXPECT_LE(words.size() - *written, 1U);
    std::size_t wrong = 0;
    for (Word i = 0; i < words.size(); ++i) wrong += words[i] != number((i + 1) % 10'000'000 + 1);
    EXPECT_EQ(wrong, 0U);
    munmap(const_cast<Word*>(written), 4096);
    close(file);
  }
}

TEST(Runtime, a_forked_child_gets_a_process_and_a_ring_that_name_the_fork) {
#ifdef PATHSPOOL_VICTIM_IS_static
  const std::vector<std::string> scenarios = {"fork_and_leave"};
#else
  const std::vector<std::string> scenarios = {"fork_and_leave", "fork_without_handlers"};
#endif
  for (const std::string& scenario : scenarios) {
    FakeCollector collector;
    EXPECT_EQ(collector.run(scenario), 0);
    ASSERT_EQ(collector.streams.size(), 2U);
    const Stream& parent = collector.streams[0];
    const Stream& child = collector.streams[1];
    const bool goes_on = scenario == "fork_and_leave";
    EXPECT_EQ(parent.words,
              joined({numbers(1, 11), fork_record(1), goes_on ? numbers(11, 21) : numbers(1, 1)}));
    EXPECT_EQ(child.words, numbers(101, 111));
    EXPECT_EQ(child.fork_token, 1U);
    EXPECT_EQ(child.parent_serial, 0U);
    EXPECT_NE(child.pid, parent.pid);
    EXPECT_EQ(child.process, 1U);
    EXPECT_EQ(collector.process(1).pid, child.pid);
    EXPECT_EQ(collector.process(1).parent_pid, parent.pid);
  }
}

TEST(Runtime, a_fork_is_published_before_the_child_has_a_ring) {
  FakeCollector collector;
  const pid_t parent = collector.start("fork_and_wait");
  const auto active = static_cast<std::uint32_t>(wire::RingState::active);
  EXPECT_TRUE(comes_true([&] { return collector.ring(1).state.load() == active; }));
  EXPECT_EQ(collector.ring(0).published.load(), 1U);
  EXPECT_EQ(collector.ring(0).words[0], 12U);
  kill(collector.ring(1).pid, SIGKILL);
  kill(parent, SIGKILL);
  collector.drain_until_end_of(parent);
  EXPECT_EQ(collector.streams[0].words, joined({numbers(1, 11), fork_record(1)}));
}

TEST(Runtime, a_thread_that_forks_takes_only_itself_along) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("fork_in_thread"), 0);
  ASSERT_EQ(collector.streams.size(), 3U);
  EXPECT_EQ(collector.streams[0].words, numbers(1, 3));
  EXPECT_EQ(collector.streams[1].words, joined({numbers(1001, 1003), numbers(1, 11), fork_record(1),
                                                numbers(11, 21), end_of_frames()}));
  EXPECT_EQ(collector.streams[1].parent_serial, 0U);
  EXPECT_TRUE(collector.streams[1].ended);
  EXPECT_EQ(collector.streams[2].words, numbers(101, 111));
  EXPECT_EQ(collector.streams[2].parent_serial, 1U);
}

TEST(Runtime, a_fork_before_the_first_word_leaves_the_parent_without_a_stream) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("fork_unregistered"), 0);
  const Stream& child = collector.only(RingKind::thread);
  EXPECT_EQ(child.words, numbers(101, 111));
  EXPECT_EQ(child.fork_token, 0U);
}

TEST(Runtime, a_vfork_child_writes_to_its_parents_ring_until_it_becomes_another_program) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("vfork_and_exec"), 0);
  ASSERT_EQ(collector.streams.size(), 2U);
  EXPECT_EQ(collector.streams[0].words, numbers(1, 31));
  EXPECT_EQ(collector.streams[1].words, numbers(1, 101));
}

TEST(Runtime, threads_beyond_the_number_of_rings_take_turns) {
  FakeCollector collector({.rings = 20});
  EXPECT_EQ(collector.run("many_threads"), 0);
  EXPECT_EQ(collector.header().streams_lost, 0U);
  std::set<Word> seen;
  for (const auto& [serial, stream] : collector.streams) {
    ASSERT_FALSE(stream.words.empty());
    const Word first = stream.words[0] & ~wire::kKindMask;
    EXPECT_EQ(stream.words,
              joined({numbers(first, first + 1 + first / 1000 % 700), end_of_frames()}));
    EXPECT_TRUE(stream.ended);
    seen.insert(first);
  }
  EXPECT_EQ(seen.size(), 8U * 64U);
  EXPECT_EQ(collector.streams.size(), 8U * 64U);
}

TEST(Runtime, a_thread_that_finds_no_ring_is_counted_and_goes_on_unrecorded) {
  FakeCollector collector({.rings = 4});
  EXPECT_EQ(collector.run("waiting_threads"), 0);
  EXPECT_EQ(collector.header().streams_lost, 2U);
  EXPECT_EQ(collector.streams.size(), 4U);
}

TEST(Runtime, words_of_a_threads_destructors_belong_to_its_stream) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("words_in_destructors"), 0);
  const Stream& stream = collector.only(RingKind::thread);
  EXPECT_EQ(stream.words, joined({numbers(1, 11), end_of_frames(), numbers(501, 511),
                                  numbers(501, 511), numbers(501, 511)}));
  EXPECT_TRUE(stream.ended);
}

TEST(Runtime, a_program_that_closes_everything_is_still_recorded) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("closed_descriptors"), 0);
  ASSERT_EQ(collector.streams.size(), 2U);
  EXPECT_EQ(collector.streams[0].words, numbers(1, 30'001));
  EXPECT_EQ(collector.streams[1].words, joined({numbers(1, 11), end_of_frames()}));
}

TEST(Runtime, stop_ends_a_stream_and_start_begins_another) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("start_and_stop"), 0);
  ASSERT_EQ(collector.streams.size(), 2U);
  EXPECT_EQ(collector.streams[0].words,
            joined({numbers(1, 11), {wire::control_word(Control::paused)}}));
  EXPECT_TRUE(collector.streams[0].ended);
  const Word hell = 'h' | 'e' << 8 | 'l' << 16 | 'l' << 24;
  EXPECT_EQ(collector.streams[1].words,
            joined({numbers(21, 31),
                    {wire::control_word(Control::mark, 5), hell, 0xffffff00U | 'o',
                     wire::control_word(Control::mark, 0)},
                    numbers(31, 32)}));
}

TEST(Runtime, a_recording_may_start_paused) {
  FakeCollector collector({.starts_paused = true});
  EXPECT_EQ(collector.run("start_late"), 0);
  EXPECT_EQ(collector.only(RingKind::thread).words, numbers(101, 111));
}

TEST(Runtime, a_long_mark_is_cut_between_letters) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("long_mark"), 0);
  const std::vector<Word>& words = collector.only(RingKind::thread).words;
  ASSERT_EQ(words.size(), 1 + wire::kLongestMarkBytes / 4 + 1);
  EXPECT_EQ(words[0], wire::control_word(Control::mark, wire::kLongestMarkBytes - 1));
  EXPECT_EQ(words.back(), number(1));
}

TEST(Runtime, a_module_gets_the_same_numbers_in_every_process) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("modules"), 0);
  EXPECT_EQ(collector.run("modules"), 0);
  EXPECT_EQ(collector.header().modules_used, 2U);
  ASSERT_EQ(collector.streams.size(), 2U);
  EXPECT_EQ(collector.streams[0].words, collector.streams[1].words);
  EXPECT_EQ(collector.module(0).base, wire::kFirstModuleBase);
  EXPECT_EQ(collector.module(1).base, wire::kFirstModuleBase + 10);
  EXPECT_EQ(collector.header().next_function, wire::kFirstModuleBase + 15);
  EXPECT_EQ(collector.module(1).functions, 5U);
  EXPECT_EQ(collector.process(1).has_mode, 1U);
  EXPECT_EQ(collector.process(1).mode, 0U);
  const std::string table = "a table of functions";
  EXPECT_EQ(std::memcmp(collector.tables() + collector.module(0).table_offset, table.c_str(),
                        table.size() + 1),
            0);
}

TEST(Runtime, processes_that_register_a_module_at_once_agree) {
  FakeCollector collector;
  std::vector<pid_t> victims;
  for (int i = 0; i < 8; ++i) victims.push_back(collector.start("modules"));
  for (const pid_t victim : victims) EXPECT_EQ(collector.drain_until_end_of(victim), 0);
  EXPECT_EQ(collector.header().modules_used, 2U);
}

TEST(Runtime, tables_without_room_leave_functions_nameless) {
  FakeCollector collector;
  const Outcome outcome = run_alone("too_large_a_table", {"PATHSPOOL_ARENA=" + collector.path()});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors,
            "pathspool: the recording has no room for the names of more functions: they stay "
            "nameless\n");
  EXPECT_EQ(collector.header().modules_used, 1U);
}

TEST(Runtime, a_module_of_another_version_is_refused) {
  FakeCollector collector;
  const Outcome outcome = run_alone("wrong_version", {"PATHSPOOL_ARENA=" + collector.path()});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors,
            "pathspool: this program runs unrecorded: a part of it was built by another version of "
            "pathspool\n");
}

TEST(Runtime, chunk_full_keeps_the_registers_of_preserve_most) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("registers"), 0);
  EXPECT_EQ(run_alone("registers").status, 0);
}

TEST(Runtime, a_program_runs_unrecorded_without_a_recording) {
  const Outcome outcome = run_alone("unrecorded");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors, "");
  EXPECT_EQ(run_alone("what_sigaction_says").status, 0);
}

TEST(Runtime, a_recording_that_is_over_is_no_reason_to_complain) {
  const Outcome outcome = run_alone("unrecorded", {"PATHSPOOL_ARENA=/proc/1/fd/99999"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors, "");
  FakeCollector collector;
  collector.header().state.store(static_cast<std::uint32_t>(wire::ArenaState::stopped));
  EXPECT_EQ(run_alone("unrecorded", {"PATHSPOOL_ARENA=" + collector.path()}).errors, "");
}

TEST(Runtime, an_arena_of_another_version_is_refused) {
  FakeCollector collector;
  collector.header().ring_header_bytes += 64;
  const Outcome outcome = run_alone("unrecorded", {"PATHSPOOL_ARENA=" + collector.path()});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors,
            "pathspool: this program runs unrecorded: it was built by another version of pathspool "
            "than the one that records\n");
}

TEST(Runtime, a_program_without_address_space_runs_unrecorded) {
  FakeCollector collector({.tables_bytes = std::uint64_t{2} << 30});
  const Outcome outcome =
      run_alone("little_address_space", {"PATHSPOOL_ARENA=" + collector.path()});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(
      outcome.errors,
      "pathspool: this program runs unrecorded: no address space for the recording's memory\n");
}

TEST(Runtime, many_processes_share_few_entries) {
  FakeCollector collector({.processes = 8});
  const pid_t victim = collector.start("many_forks");
  std::atomic<bool> done{false};
  // Gives back the entries and rings of the dead, as the collector does.
  std::thread undertaker([&] {
    while (!done) {
      for (std::uint32_t i = 0; i < 8; ++i) {
        wire::ProcessEntry& entry = collector.process(i);
        if (entry.state.load() == static_cast<std::uint32_t>(wire::ProcessState::attached) &&
            entry.pid != victim && kill(entry.pid, 0) != 0) {
          entry.state.store(static_cast<std::uint32_t>(wire::ProcessState::free));
        }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  int status = 0;
  while (waitpid(victim, &status, WNOHANG) == 0) {
    collector.drain();
    for (std::uint32_t i = 0; i < 16; ++i) {
      wire::RingHeader& ring = collector.ring(i);
      if (ring.state.load() == static_cast<std::uint32_t>(wire::RingState::active) &&
          ring.pid != victim && kill(ring.pid, 0) != 0) {
        ring.state.store(static_cast<std::uint32_t>(wire::RingState::ended));
      }
    }
  }
  done = true;
  undertaker.join();
  collector.read_the_dead();
  EXPECT_EQ(status, 0);
  EXPECT_EQ(collector.header().streams_lost, 0U);
  EXPECT_EQ(collector.streams.size(), 61U);
  EXPECT_LE(collector.header().processes_used, 8U);
}

TEST(Runtime, options_start_the_program_anew_under_record) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("pathspool_options." + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const std::filesystem::path program = folder / "pathspool";
  std::ofstream(program) << "#!/bin/sh\necho \"$#:$*:$PATHSPOOL_OPTIONS\"\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const std::string options =
      "PATHSPOOL_OPTIONS= output=a.spool  form=grammar include=f* exclude=g start=off";
  const std::string expected =
      std::string("15:record -o a.spool --form grammar -F f* -N g --start-paused --argv0 ") +
      PATHSPOOL_VICTIM + " -- " + std::filesystem::canonical(PATHSPOOL_VICTIM).string() +
      " unrecorded:\n";
  EXPECT_EQ(run_alone("unrecorded", {options + " pathspool=" + program.string()}).output, expected);
  EXPECT_EQ(run_alone("unrecorded", {options, "PATH=" + folder.string() + ":/usr/bin:/bin"}).output,
            expected);
  std::filesystem::remove_all(folder);
}

TEST(Runtime, an_option_that_means_nothing_leaves_the_program_unrecorded) {
  const Outcome outcome = run_alone("unrecorded", {"PATHSPOOL_OPTIONS=output=x colour=red"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors,
            "pathspool: this program runs unrecorded: unknown option in PATHSPOOL_OPTIONS: "
            "colour=red\n");
}

}  // namespace
}  // namespace pathspool::testing
