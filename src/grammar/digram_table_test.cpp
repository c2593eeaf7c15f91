#include "grammar/digram_table.h"

#include <gtest/gtest.h>

#include <random>
#include <unordered_map>
#include <vector>

namespace pathspool::grammar {
namespace {

// Hashes come from a few bits, so that groups overflow, wrap around the end and share hashes.
void behave_like_a_map(std::uint32_t hash_mask, std::uint32_t operations, std::uint32_t seed) {
  std::mt19937 random(seed);
  DigramTable table;
  std::unordered_map<std::uint32_t, std::uint32_t> hash_of;  // node -> hash
  std::vector<std::uint32_t> nodes;
  const auto holds = [&](std::uint32_t node) {
    return table.find(hash_of[node], [&](std::uint32_t other) { return other == node; }) == node;
  };
  for (std::uint32_t node = 1; node <= operations; ++node) {
    const std::uint32_t hash = static_cast<std::uint32_t>(random()) & hash_mask;
    table.reserve(nodes.size() + 1);
    ASSERT_EQ(table.find(hash, [&](std::uint32_t other) { return other == node; }), 0U);
    table.insert(hash, node);
    hash_of[node] = hash;
    nodes.push_back(node);
    if (random() % 5 < 2) {
      std::swap(nodes[random() % nodes.size()], nodes.back());
      table.erase(hash_of[nodes.back()], nodes.back());
      nodes.pop_back();
    }
    if (node % 256 == 0) {
      for (const std::uint32_t present : nodes) ASSERT_TRUE(holds(present)) << present;
    }
  }
  while (!nodes.empty()) {
    ASSERT_TRUE(holds(nodes.back()));
    table.erase(hash_of[nodes.back()], nodes.back());
    ASSERT_FALSE(holds(nodes.back()));
    nodes.pop_back();
  }
}

TEST(DigramTable, well_spread_hashes_are_kept_through_growth_and_deletion) {
  behave_like_a_map(0xffff'ffff, 20'000, 1);
}

TEST(DigramTable, hashes_crowded_into_few_groups_are_kept_through_growth_and_deletion) {
  behave_like_a_map(0xf000'0000, 1'500, 2);
}

TEST(DigramTable, hashes_that_wrap_around_the_end_are_kept_through_growth_and_deletion) {
  std::mt19937 random(3);
  DigramTable table;
  std::vector<std::uint32_t> hashes = {0};
  for (std::uint32_t node = 1; node <= 1'500; ++node) {
    hashes.push_back(0xffff'0000 + static_cast<std::uint32_t>(random() % 0x2'0000));
    table.reserve(node);
    table.insert(hashes[node], node);
    if (node % 100 != 0) continue;
    for (std::uint32_t present = 1; present <= node; ++present) {
      ASSERT_EQ(table.find(hashes[present], [&](std::uint32_t other) { return other == present; }),
                present);
    }
  }
  for (std::uint32_t node = 1; node <= 1'500; ++node) {
    table.erase(hashes[node], node);
    for (std::uint32_t present = node + 1; present <= 1'500; present += 37) {
      ASSERT_EQ(table.find(hashes[present], [&](std::uint32_t other) { return other == present; }),
                present);
    }
  }
}

TEST(DigramTable, growth_is_foretold) {
  DigramTable table;
  const std::uint64_t foretold = table.bytes_for(100'000);
  table.reserve(100'000);
  EXPECT_EQ(table.bytes(), foretold);
}

}  // namespace
}  // namespace pathspool::grammar
