#include "spool/phrase_encoder.h"

#include <algorithm>

#include "base/range_encoder.h"
#include "spool/phrase_model.h"

namespace pathspool::spool {
namespace {

class PhraseEncoder {
 public:
  void phrase(std::optional<FunctionId> context, std::span<const Event> events) {
    encode_context(context ? std::uint64_t{static_cast<std::uint32_t>(*context)} + 1 : 0);
    for (std::size_t i = 0; i < events.size(); ++i) {
      encode_event(events[i]);
      model_.passed(events[i]);
      if (i + 1 < kLongestPhrase) {
        coder_.bit(model_.end[model_.previous_kind()], i + 1 == events.size());
      }
    }
  }

  base::Bytes finish() { return coder_.finish(); }

 private:
  void encode_context(std::uint64_t context) {
    const bool same = context == model_.last_context;
    coder_.bit(model_.same_context, same);
    if (!same) {
      const bool next = context == model_.highest_context + 1;
      coder_.bit(model_.next_context, next);
      if (!next) model_.other_context.encode(coder_, context);
    }
    model_.begin_phrase(context);
  }

  void encode_event(const Event& event) {
    const std::size_t kind = model_.previous_kind();
    const PhraseModel::Successors& known = model_.successors();
    coder_.bit(model_.first_hit[kind][known.first ? 1 : 0], known.first == event);
    if (known.first == event) return;
    coder_.bit(model_.second_hit[kind][known.second ? 1 : 0], known.second == event);
    if (known.second == event) return;

    coder_.tree(model_.kind[kind], static_cast<std::uint32_t>(event.kind));
    if (event.kind == EventKind::enter) {
      const bool next = event.id == model_.highest_function;
      coder_.bit(model_.next_function, next);
      if (!next) model_.function_id.encode(coder_, event.id);
    } else if (event.kind == EventKind::block) {
      if (model_.previous().kind == EventKind::block) {
        model_.block_step.encode(
            coder_, base::zigzag(std::int64_t{event.id} - std::int64_t{model_.previous().id}));
      } else {
        model_.block_id.encode(coder_, event.id);
      }
    }
  }

  PhraseModel model_;
  base::RangeEncoder coder_;
};

}  // namespace

base::Bytes encode_phrases(const PhraseTable& phrases) {
  PhraseEncoder encoder;
  for (std::size_t i = 0; i < phrases.size(); ++i) encoder.phrase(phrases.contexts[i], phrases[i]);
  base::Bytes bytes = encoder.finish();
  bytes.resize(std::max(bytes.size(), phrases.events.size() / kPhraseEventsPerByte + 1));
  return bytes;
}

}  // namespace pathspool::spool
