#include "grammar/sequitur.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "differential/sequitur_reference.h"

namespace pathspool::grammar {

// Starts from the bare text with every digram unchecked, and checks them in random order. From
// there the repairs meet each other in ways that appending one terminal at a time hardly allows:
// equal rules, runs of four, rules that lose uses at both ends.
class SequiturProbe {
 public:
  static Grammar settle_in_random_order(const std::vector<std::uint32_t>& text,
                                        std::mt19937& random) {
    Sequitur sequitur;
    for (const std::uint32_t terminal : text) sequitur.push_back(terminal);
    sequitur.table_.reserve(sequitur.digram_bound());
    for (std::uint32_t node = 1; node < sequitur.used_nodes_; ++node) sequitur.mark(node);
    std::shuffle(sequitur.pending_.begin(), sequitur.pending_.end(), random);
    sequitur.settle();
    return sequitur.finish();
  }
};

namespace {

using Text = std::vector<std::uint32_t>;
using Rules = std::vector<std::vector<Symbol>>;

constexpr Symbol R(std::uint32_t index) { return rule_symbol(index); }

Grammar grammar_of(const Text& text) {
  Sequitur sequitur;
  for (const std::uint32_t terminal : text) sequitur.append(terminal);
  return sequitur.finish();
}

Rules rules_of(const Grammar& grammar) {
  Rules rules;
  for (std::uint32_t i = 0; i < grammar.rule_count(); ++i) {
    rules.emplace_back(grammar.rule(i).begin(), grammar.rule(i).end());
  }
  return rules;
}

Text letters(const std::string& text) { return Text(text.begin(), text.end()); }

// Empty if all is well after every append.
std::string first_flaw(const Text& text) {
  Sequitur sequitur;
  for (std::size_t i = 0; i < text.size(); ++i) {
    sequitur.append(text[i]);
    const Grammar grammar = sequitur.snapshot();
    const std::string at = " after " + std::to_string(i + 1);
    if (std::string flaw = reference::broken_invariant(grammar); !flaw.empty()) return flaw + at;
    if (sequitur.symbol_count() != grammar.symbols.size()) return "symbol_count is wrong" + at;
    const Text expansion = reference::expand(grammar);
    if (expansion.size() != i + 1 ||
        !std::equal(expansion.begin(), expansion.end(), text.begin())) {
      return "expansion is wrong" + at;
    }
  }
  return "";
}

void expect_sound_at_the_end(const Text& text) {
  const Grammar grammar = grammar_of(text);
  EXPECT_EQ(reference::broken_invariant(grammar), "");
  EXPECT_TRUE(reference::expand(grammar) == text);
}

Text random_text(std::size_t length, std::uint32_t alphabet, std::uint32_t seed) {
  std::mt19937 random(seed);
  Text text(length);
  for (std::uint32_t& terminal : text) terminal = static_cast<std::uint32_t>(random() % alphabet);
  return text;
}

// Repeats random pieces of itself, which makes and breaks rules at every depth.
Text self_copying_text(std::size_t length, std::uint32_t alphabet, std::uint32_t seed) {
  std::mt19937 random(seed);
  Text text = random_text(4, alphabet, seed);
  while (text.size() < length) {
    if (random() % 4 == 0) {
      text.push_back(static_cast<std::uint32_t>(random() % alphabet));
      continue;
    }
    const std::size_t begin = random() % text.size();
    const std::size_t count = 1 + random() % std::min<std::size_t>(text.size() - begin, 40);
    for (std::size_t i = 0; i < count; ++i) text.push_back(text[begin + i]);
  }
  text.resize(length);
  return text;
}

Text fibonacci_word(std::size_t length) {
  Text shorter = {1};
  Text word = {0};
  while (word.size() < length) {
    Text longer = word;
    longer.insert(longer.end(), shorter.begin(), shorter.end());
    shorter = std::exchange(word, longer);
  }
  word.resize(length);
  return word;
}

// x1 x2 .. xn, then its suffixes from the shortest on: rules that nest to the right, which a last
// full repetition folds up one inside the other.
Text right_nested_text(std::uint32_t depth) {
  Text text;
  std::uint32_t separator = depth;
  for (std::uint32_t length = 2; length <= depth; ++length) {
    for (std::uint32_t i = depth - length; i < depth; ++i) text.push_back(i);
    text.push_back(separator++);
  }
  for (std::uint32_t i = 0; i < depth; ++i) text.push_back(i);
  for (std::uint32_t i = 0; i < depth; ++i) text.push_back(i);
  return text;
}

Text left_nested_text(std::uint32_t depth) {
  Text text = right_nested_text(depth);
  std::reverse(text.begin(), text.end());
  return text;
}

TEST(Sequitur, nothing_appended_gives_an_empty_start_rule) {
  EXPECT_EQ(rules_of(grammar_of({})), Rules{{}});
}

TEST(Sequitur, figure_1_of_the_path_matching_paper_gives_its_grammar_with_utility_kept) {
  // The paper prints R1 -> R3,F1 and R3 -> B1,B2, though R3 is used once: here it is inlined.
  enum : std::uint32_t { kMain, kB1, kB2, kB3, kB4, kF1, kE };
  const Grammar grammar = grammar_of({kMain, kB1, kB2, kF1, kB1, kB2, kF1, kB1, kB2, kF1, kB1,
                                      kB4,   kB3, kE,  kB3, kE,  kB3, kE,  kB2, kB3, kE});
  EXPECT_EQ(rules_of(grammar),
            (Rules{{kMain, R(1), R(1), R(1), kB1, kB4, R(2), R(2), R(2), kB2, R(2)},
                   {kB1, kB2, kF1},
                   {kB3, kE}}));
}

TEST(Sequitur, section_3_1s_rule_used_once_is_inlined) {
  EXPECT_EQ(rules_of(grammar_of(letters("aabaa"))), (Rules{{R(1), 'b', R(1)}, {'a', 'a'}}));
  EXPECT_EQ(rules_of(grammar_of(letters("aabaab"))), (Rules{{R(1), R(1)}, {'a', 'a', 'b'}}));
}

TEST(Sequitur, three_equal_symbols_overlap_and_make_no_rule_but_four_do) {
  EXPECT_EQ(rules_of(grammar_of(letters("aaa"))), (Rules{{'a', 'a', 'a'}}));
  EXPECT_EQ(rules_of(grammar_of(letters("aaaa"))), (Rules{{R(1), R(1)}, {'a', 'a'}}));
}

TEST(Sequitur, the_overlapping_survivor_of_a_run_is_still_matched) {
  // The owner of aa in aaab goes when baa.. is folded; the other aa must then be known.
  for (const char* text :
       {"aaabaabaa", "baaabaaabaa", "aaabaaacaa", "abaaabaaaa", "caaacaaaacaa"}) {
    EXPECT_EQ(first_flaw(letters(text)), "") << text;
  }
}

TEST(Sequitur, every_short_text_over_two_and_three_letters_keeps_the_invariants) {
  for (const std::uint32_t alphabet : {2U, 3U}) {
    const int length = alphabet == 2 ? 12 : 7;
    const auto all = static_cast<std::uint32_t>(std::pow(alphabet, length));
    for (std::uint32_t code = 0; code < all; ++code) {
      Text text;
      for (std::uint32_t rest = code; text.size() < static_cast<std::size_t>(length);
           rest /= alphabet) {
        text.push_back(rest % alphabet);
      }
      const Grammar grammar = grammar_of(text);
      ASSERT_EQ(reference::broken_invariant(grammar), "") << testing::PrintToString(text);
      ASSERT_EQ(reference::expand(grammar), text);
    }
  }
}

TEST(Sequitur, random_texts_keep_the_invariants_after_every_append) {
  for (const std::uint32_t alphabet : {1U, 2U, 3U, 4U, 20U}) {
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
      ASSERT_EQ(first_flaw(random_text(300, alphabet, seed)), "") << alphabet << " " << seed;
    }
  }
}

TEST(Sequitur, self_copying_texts_keep_the_invariants_after_every_append) {
  for (const std::uint32_t alphabet : {2U, 3U, 4U, 20U}) {
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
      ASSERT_EQ(first_flaw(self_copying_text(300, alphabet, seed)), "") << alphabet << " " << seed;
    }
  }
}

TEST(Sequitur, periodic_texts_keep_the_invariants_after_every_append) {
  for (std::uint32_t period = 1; period <= 9; ++period) {
    const Text unit = random_text(period, 3, period);
    Text text;
    while (text.size() < 250) text.insert(text.end(), unit.begin(), unit.end());
    ASSERT_EQ(first_flaw(text), "") << period;
  }
}

TEST(Sequitur, fibonacci_words_keep_the_invariants_after_every_append) {
  EXPECT_EQ(first_flaw(fibonacci_word(300)), "");
}

TEST(Sequitur, nested_rules_keep_the_invariants_after_every_append) {
  EXPECT_EQ(first_flaw(right_nested_text(18)), "");
  EXPECT_EQ(first_flaw(left_nested_text(18)), "");
}

RC_GTEST_PROP(Sequitur, any_text_over_few_letters_keeps_the_invariants, ()) {
  const auto alphabet = *rc::gen::inRange<std::uint32_t>(1, 5);
  const auto text = *rc::gen::container<Text>(rc::gen::inRange<std::uint32_t>(0, alphabet));
  RC_ASSERT(first_flaw(text) == "");
}

TEST(Sequitur, digrams_checked_in_any_order_lead_to_the_invariants) {
  std::mt19937 random(9);
  for (std::uint32_t seed = 0; seed < 2'000; ++seed) {
    const std::uint32_t alphabet = 1 + seed % 5;
    const Text text = seed % 2 == 0 ? random_text(20 + seed % 100, alphabet, seed)
                                    : self_copying_text(20 + seed % 100, alphabet, seed);
    const Grammar grammar = SequiturProbe::settle_in_random_order(text, random);
    ASSERT_EQ(reference::broken_invariant(grammar), "") << seed;
    ASSERT_EQ(reference::expand(grammar), text) << seed;
  }
}

TEST(Sequitur, long_texts_of_all_kinds_are_sound_at_the_end) {
  expect_sound_at_the_end(random_text(100'000, 2, 1));
  expect_sound_at_the_end(random_text(100'000, 20, 2));
  expect_sound_at_the_end(self_copying_text(200'000, 3, 3));
  expect_sound_at_the_end(self_copying_text(200'000, 20, 4));
  expect_sound_at_the_end(fibonacci_word(200'000));
  expect_sound_at_the_end(Text(1'000'000, 7));
}

TEST(Sequitur, a_long_repeat_is_one_rule) {
  const Text once = random_text(2'000, 1'000'000, 5);
  Text text = once;
  for (int i = 0; i < 49; ++i) text.insert(text.end(), once.begin(), once.end());
  const Grammar grammar = grammar_of(text);
  EXPECT_EQ(reference::broken_invariant(grammar), "");
  EXPECT_TRUE(reference::expand(grammar) == text);
  EXPECT_LT(grammar.symbols.size(), once.size() + 40);
}

TEST(Sequitur, a_run_takes_logarithmic_space) {
  EXPECT_LT(grammar_of(Text(1 << 20, 0)).symbols.size(), 64U);
}

TEST(Sequitur, deeply_nested_cascades_need_no_machine_stack) {
  expect_sound_at_the_end(right_nested_text(600));
  expect_sound_at_the_end(left_nested_text(600));
}

TEST(Sequitur, finish_leaves_it_empty_and_ready_for_another_text) {
  const Text first = self_copying_text(5'000, 4, 6);
  const Text second = self_copying_text(5'000, 3, 7);
  Sequitur sequitur;
  for (const std::uint32_t terminal : first) sequitur.append(terminal);
  EXPECT_EQ(sequitur.appended(), first.size());
  const std::uint64_t memory = sequitur.memory_bytes();
  EXPECT_EQ(reference::expand(sequitur.finish()), first);
  EXPECT_EQ(sequitur.appended(), 0U);
  EXPECT_EQ(sequitur.symbol_count(), 0U);
  EXPECT_EQ(sequitur.memory_bytes(), memory);
  for (const std::uint32_t terminal : second) sequitur.append(terminal);
  EXPECT_EQ(rules_of(sequitur.finish()), rules_of(grammar_of(second)));
}

TEST(Sequitur, the_largest_terminal_comes_back) {
  const Text text = {(1U << 30) - 1, 0, (1U << 30) - 1, 0};
  EXPECT_EQ(reference::expand(grammar_of(text)), text);
}

TEST(Sequitur, memory_growth_is_foretold_and_stays_within_the_budget) {
  Sequitur sequitur;
  std::uint64_t foretold = sequitur.memory_bytes_after_growth();
  for (const std::uint32_t terminal : random_text(200'000, 1'000, 8)) {
    sequitur.append(terminal);
    ASSERT_LE(sequitur.memory_bytes(), foretold);
    foretold = sequitur.memory_bytes_after_growth();
    ASSERT_LE(sequitur.memory_bytes(), foretold);
  }
  // Nodes take at most 40 bytes a symbol, the table at most 32.
  EXPECT_LE(sequitur.memory_bytes(), sequitur.symbol_count() * 72);
}

}  // namespace
}  // namespace pathspool::grammar
