#include "spool/phrase_decoder.h"

#include <algorithm>

#include "base/range_decoder.h"
#include "pathspool/error.h"
#include "spool/phrase_model.h"

namespace pathspool::spool {
namespace {

class PhraseDecoder {
 public:
  PhraseDecoder(base::ByteView bytes, std::uint64_t function_count)
      : coder_(bytes), function_count_(function_count) {}

  void phrase(PhraseTable& table) {
    const std::uint64_t context = decode_context();
    Event events[kLongestPhrase];
    std::size_t length = 0;
    bool end = false;
    while (!end) {
      const Event event = decode_event();
      model_.passed(event);
      events[length++] = event;
      end = length == kLongestPhrase || coder_.bit(model_.end[model_.previous_kind()]);
    }
    table.add(context == 0 ? std::nullopt
                           : std::optional(FunctionId{static_cast<std::uint32_t>(context - 1)}),
              std::span(events).first(length));
  }

  [[nodiscard]] bool failed() const { return failed_ || coder_.failed(); }

 private:
  // The number if it is below the limit; otherwise 0, and the dictionary is refused.
  std::uint64_t below(std::uint64_t number, std::uint64_t limit) {
    if (number < limit) return number;
    failed_ = true;
    return 0;
  }

  std::uint64_t decode_context() {
    std::uint64_t context = model_.last_context;
    if (!coder_.bit(model_.same_context)) {
      context = coder_.bit(model_.next_context) ? model_.highest_context + 1
                                                : model_.other_context.decode(coder_);
    }
    context = below(context, function_count_ + 1);
    model_.begin_phrase(context);
    return context;
  }

  Event decode_event() {
    const std::size_t kind = model_.previous_kind();
    const PhraseModel::Successors known = model_.successors();
    if (coder_.bit(model_.first_hit[kind][known.first ? 1 : 0])) return checked(known.first);
    if (coder_.bit(model_.second_hit[kind][known.second ? 1 : 0])) return checked(known.second);
    switch (coder_.tree(model_.kind[kind])) {
      case static_cast<std::uint32_t>(EventKind::exit):
        return Event::exit();
      case static_cast<std::uint32_t>(EventKind::enter):
        return decode_enter();
      case static_cast<std::uint32_t>(EventKind::block):
        return decode_block();
      default:
        failed_ = true;
        return Event::exit();
    }
  }

  Event checked(const std::optional<Event>& event) {
    if (!event) failed_ = true;
    return event.value_or(Event::exit());
  }

  Event decode_enter() {
    const std::uint64_t id = coder_.bit(model_.next_function) ? model_.highest_function
                                                              : model_.function_id.decode(coder_);
    return Event::enter(FunctionId{static_cast<std::uint32_t>(below(id, function_count_))});
  }

  Event decode_block() {
    std::uint64_t id = 0;
    if (model_.previous().kind == EventKind::block) {
      const std::uint64_t step = model_.block_step.decode(coder_);
      id = model_.previous().id + static_cast<std::uint64_t>(base::unzigzag(step));
    } else {
      id = model_.block_id.decode(coder_);
    }
    if (id == 0) failed_ = true;
    return Event::block(BlockId{static_cast<std::uint32_t>(below(id, std::uint64_t{1} << 32))});
  }

  PhraseModel model_;
  base::RangeDecoder coder_;
  std::uint64_t function_count_;
  bool failed_ = false;
};

}  // namespace

PhraseTable decode_phrases(base::ByteView bytes, std::uint64_t claimed_phrases,
                           std::uint64_t function_count) {
  PhraseTable table;
  PhraseDecoder decoder(bytes, function_count);
  const std::uint64_t most_events =
      std::min<std::uint64_t>(bytes.size() * kPhraseEventsPerByte, UINT32_MAX);
  for (std::uint64_t i = 0; i < claimed_phrases; ++i) {
    decoder.phrase(table);
    if (decoder.failed() || table.events.size() > most_events) {
      throw Error("dictionary of phrases is malformed");
    }
  }
  return table;
}

}  // namespace pathspool::spool
