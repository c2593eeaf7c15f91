// Traces of made-up programs: loops inside calls, branches with habits, recursion. Same seed, same
// trace.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "pathspool/event.h"

namespace pathspool::testing {

struct ModelOptions {
  std::uint64_t seed = 1;
  std::uint32_t functions = 40;
  std::uint32_t statements = 12;       // per function, about
  double chance = 0.1;                 // how many branches are decided by chance, not by habit
  std::uint32_t most_iterations = 40;  // of a loop
  std::uint32_t deepest_recursion = 12;
};

// Functions are named f0, f1, ... (f0 is where the program starts); calls go to higher numbers or,
// now and then, back to the function itself.
class ProgramModel {
 public:
  explicit ProgramModel(const ModelOptions& options) : options_(options), random_(options.seed) {
    for (std::uint32_t id = 0; id < options.functions; ++id)
      functions_.push_back(make_function(id));
  }

  [[nodiscard]] std::vector<std::string> function_names() const {
    std::vector<std::string> names;
    for (std::size_t id = 0; id < functions_.size(); ++id)
      names.push_back("f" + std::to_string(id));
    return names;
  }

  using Sink = std::function<void(std::span<const Event>)>;

  // Runs f0 again and again until there are `wanted` events, then stops where it is, as a crash
  // does.
  void run(std::uint64_t wanted, const Sink& sink) {
    left_ = wanted;
    sink_ = &sink;
    while (left_ > 0) call(0, 0);
    flush();
    sink_ = nullptr;
  }

  [[nodiscard]] std::vector<Event> events(std::uint64_t wanted) {
    std::vector<Event> all;
    run(wanted, [&all](std::span<const Event> batch) {
      all.insert(all.end(), batch.begin(), batch.end());
    });
    return all;
  }

 private:
  enum class Kind { plain, branch, loop, call };
  struct Statement {
    Kind kind = Kind::plain;
    std::uint32_t block = 0;  // of a loop: the header, met once more than the body
    std::uint32_t callee = 0;
    std::uint32_t period = 1;  // of a branch: taken once every so many times; of a loop: iterations
    bool by_chance = false;
    std::uint32_t visits = 0;
    std::vector<Statement> body;
    std::vector<Statement> otherwise;
  };
  struct FunctionModel {
    std::vector<Statement> body;
    std::uint32_t last_block = 0;
  };

  std::uint32_t below(std::uint32_t limit) {
    return limit == 0 ? 0 : static_cast<std::uint32_t>(random_() % limit);
  }
  bool chance(double probability) {
    return static_cast<double>(random_() % 1'000'000) < probability * 1'000'000;
  }

  FunctionModel make_function(std::uint32_t id) {
    FunctionModel function;
    std::uint32_t next_block = 2;
    function.body = make_body(id, 1 + options_.statements / 3, 0, next_block);
    function.last_block = next_block;
    return function;
  }

  std::vector<Statement> make_body(std::uint32_t id, std::uint32_t length, unsigned nesting,
                                   std::uint32_t& next_block) {
    std::vector<Statement> body;
    for (std::uint32_t i = 0; i < length; ++i) {
      Statement statement;
      statement.block = next_block++;
      const std::uint32_t roll = below(10);
      if (roll < 3 && nesting < 3) {
        statement.kind = Kind::branch;
        statement.period = 2 + below(6);
        statement.by_chance = chance(options_.chance * 4);
        statement.body = make_body(id, 1 + below(3), nesting + 1, next_block);
        statement.otherwise = make_body(id, below(3), nesting + 1, next_block);
      } else if (roll < 5 && nesting < 2) {
        statement.kind = Kind::loop;
        statement.period = 1 + below(options_.most_iterations);
        statement.by_chance = chance(options_.chance);
        statement.body = make_body(id, 1 + below(3), nesting + 1, next_block);
      } else if (roll < 8 && id + 1 < options_.functions) {
        statement.kind = Kind::call;
        // Mostly near, so that the calls form a deep graph and small programs stay finite.
        statement.callee = id + 1 + below(std::min(options_.functions - id - 1, 6U));
        if (chance(0.05)) statement.callee = id;
      }
      body.push_back(std::move(statement));
    }
    return body;
  }

  void emit(const Event& event) {
    if (left_ == 0) return;
    --left_;
    batch_.push_back(event);
    if (batch_.size() == 4096) flush();
  }
  void flush() {
    if (!batch_.empty()) (*sink_)(batch_);
    batch_.clear();
  }

  void call(std::uint32_t id, std::uint32_t depth) {
    emit(Event::enter(FunctionId{id}));
    emit(Event::block(BlockId{1}));
    execute(functions_[id].body, id, depth);
    emit(Event::block(BlockId{functions_[id].last_block}));
    emit(Event::exit());
  }

  void execute(std::vector<Statement>& body, std::uint32_t id, std::uint32_t depth) {
    for (Statement& statement : body) {
      if (left_ == 0) return;
      emit(Event::block(BlockId{statement.block}));
      if (statement.kind == Kind::call) {
        const bool recursive = statement.callee == id;
        if (depth < options_.deepest_recursion && (!recursive || chance(0.5))) {
          call(statement.callee, depth + 1);
        }
      } else if (statement.kind == Kind::branch) {
        const bool taken = statement.by_chance ? chance(1.0 / statement.period)
                                               : ++statement.visits % statement.period == 0;
        execute(taken ? statement.body : statement.otherwise, id, depth);
      } else if (statement.kind == Kind::loop) {
        const std::uint32_t rounds =
            statement.by_chance ? below(statement.period) + 1 : statement.period;
        for (std::uint32_t i = 0; i < rounds && left_ > 0; ++i) {
          execute(statement.body, id, depth);
          emit(Event::block(BlockId{statement.block}));
        }
      }
    }
  }

  ModelOptions options_;
  std::mt19937_64 random_;
  std::vector<FunctionModel> functions_;
  std::vector<Event> batch_;
  std::uint64_t left_ = 0;
  const Sink* sink_ = nullptr;
};

}  // namespace pathspool::testing
