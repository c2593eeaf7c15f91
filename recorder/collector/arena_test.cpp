#include "recorder/collector/arena.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <csignal>
#include <new>

#include "recorder/collector/test_program.h"

namespace pathspool::collector {
namespace {

TEST(Arena, opens_by_its_path_and_is_laid_out_as_its_header_says) {
  const Arena arena;
  const int descriptor = ::open(arena.path().c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(descriptor, 0);
  struct stat status {};
  ASSERT_EQ(::fstat(descriptor, &status), 0);
  const wire::ArenaHeader& header = arena.header();
  EXPECT_EQ(static_cast<std::uint64_t>(status.st_size), header.arena_bytes);
  EXPECT_LT(status.st_blocks * 512, 1 << 20) << "it is sparse";
  EXPECT_NE(::ftruncate(descriptor, 4096), 0) << "nobody can cut it";
  ::close(descriptor);

  EXPECT_EQ(header.magic, wire::kArenaMagic);
  EXPECT_EQ(header.rings, 1024U);
  EXPECT_EQ(header.chunks_per_ring, 32U);
  EXPECT_EQ(header.rings_offset % wire::kChunkBytes, 0U);
  EXPECT_EQ(header.tables_offset,
            header.rings_offset + wire::kChunkBytes * header.rings * header.chunks_per_ring);
  const auto* const start = reinterpret_cast<const std::uint8_t*>(&header);
  EXPECT_EQ(reinterpret_cast<const std::uint8_t*>(arena.chunk(1, 2).data()),
            start + header.rings_offset + (header.chunks_per_ring + 2) * wire::kChunkBytes);
  EXPECT_EQ(reinterpret_cast<const std::uint8_t*>(&arena.ring(3)),
            start + header.ring_headers_offset + 3 * sizeof(wire::RingHeader));
}

TEST(Arena, forgotten_chunks_read_as_zeros_and_take_no_memory) {
  const Arena arena;
  arena.chunk(5, 1)[7] = 1;
  arena.chunk(5, 2)[7] = 2;
  arena.forget_chunks(5, 2);
  EXPECT_EQ(arena.chunk(5, 1)[7], 1U);
  EXPECT_EQ(arena.chunk(5, 2)[7], 0U);
}

class SharedWord {
 public:
  SharedWord()
      : word_(new (::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
                  std::atomic<std::uint32_t>(0)) {}
  ~SharedWord() { ::munmap(word_, 4096); }
  std::atomic<std::uint32_t>& operator*() const { return *word_; }

 private:
  std::atomic<std::uint32_t>* word_;
};

TEST(LifeSign, is_a_living_threads_number_and_then_nothing) {
  const SharedWord word;
  {
    const LifeSign sign(*word);
    EXPECT_NE(*word, 0U);
    EXPECT_EQ((*word).load() & (FUTEX_OWNER_DIED | FUTEX_WAITERS), 0U);
  }
  EXPECT_EQ(*word, 0U);
}

TEST(LifeSign, shows_the_death_of_a_killed_process) {
  const SharedWord word;
  const pid_t child = testing::fork_and([&word] {
    const LifeSign sign(*word);
    ::pause();
  });
  while (*word == 0) ::usleep(1000);
  EXPECT_EQ((*word).load() & FUTEX_OWNER_DIED, 0U);
  ::kill(child, SIGKILL);
  testing::wait_for(child);
  EXPECT_NE((*word).load() & FUTEX_OWNER_DIED, 0U);
}

TEST(LifeSign, shows_the_death_of_a_process_that_ends_by_itself) {
  const SharedWord word;
  const pid_t child = testing::fork_and([&word] {
    new LifeSign(*word);
    ::_exit(0);
  });
  testing::wait_for(child);
  EXPECT_NE((*word).load() & FUTEX_OWNER_DIED, 0U);
}

}  // namespace
}  // namespace pathspool::collector
