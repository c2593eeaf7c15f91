#include "branch/decision_encoder.h"

namespace pathspool::branch {

void DecisionEncoder::conditional(Site site, bool taken) {
  model_.conditional(coder_, site, taken);
}

void DecisionEncoder::choice(Site site, std::uint32_t count, std::uint32_t index) {
  PATHSPOOL_CHECK(index < count);
  model_.choice(coder_, site, count, index);
}

void DecisionEncoder::target(Site site, Target id) { model_.target(coder_, site, id); }

void DecisionEncoder::call(Site from) { model_.call(from); }

void DecisionEncoder::ret() { model_.ret(); }

void DecisionEncoder::flag(unsigned kind, bool set) {
  PATHSPOOL_CHECK(kind < kFlagKinds);
  model_.flag(coder_, kind, set);
}

void DecisionEncoder::number(unsigned kind, std::uint64_t value) {
  PATHSPOOL_CHECK(kind < kNumberKinds);
  model_.number(coder_, kind, value);
}

base::Bytes DecisionEncoder::finish() { return coder_.finish(); }

}  // namespace pathspool::branch
