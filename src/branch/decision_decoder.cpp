#include "branch/decision_decoder.h"

namespace pathspool::branch {

bool DecisionDecoder::conditional(Site site) { return model_.conditional(coder_, site, false); }

std::uint32_t DecisionDecoder::choice(Site site, std::uint32_t count) {
  return model_.choice(coder_, site, count, 0);
}

Target DecisionDecoder::target(Site site) { return model_.target(coder_, site, Target{}); }

void DecisionDecoder::call(Site from) { model_.call(from); }

void DecisionDecoder::ret() { model_.ret(); }

bool DecisionDecoder::flag(unsigned kind) {
  PATHSPOOL_CHECK(kind < kFlagKinds);
  return model_.flag(coder_, kind, false);
}

std::uint64_t DecisionDecoder::number(unsigned kind) {
  PATHSPOOL_CHECK(kind < kNumberKinds);
  return model_.number(coder_, kind, 0);
}

}  // namespace pathspool::branch
