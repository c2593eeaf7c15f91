#include "recorder/collector/stream_decoder.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace pathspool::collector {
namespace {

using wire::Control;
using wire::Word;

// An enter word with the flag for the exit: enter, block 1, exit.
constexpr std::size_t kMostEventsOfAWord = 3;
constexpr Word kEnterBit = wire::kEnterKind;
constexpr Word kFrameBit = wire::kEnterWithFrameKind & ~wire::kEnterKind;
constexpr Word kControlMask = wire::kKindMask | wire::kCodeMask;
constexpr BlockId kEntryBlock{1};

}  // namespace

StreamDecoder::StreamDecoder(const FunctionNumbers& numbers, EventBuffer& buffer,
                             StreamListener& listener)
    : numbers_(numbers), listener_(listener), frames_(64), events_(buffer) {}

void StreamDecoder::enter_all(std::span<const Frame> frames) {
  for (const Frame& frame : frames) {
    if (frame.kept != 0) emit(Event::enter(frame.function));
    push(frame);
  }
  flush();
}

void StreamDecoder::decode(std::span<const Word> words) {
  const Word* at = words.data();
  const Word* const end = at + words.size();
  while (at < end) {
    if (kEventBufferSize - used_ < kMostEventsOfAWord) flush();
    const std::size_t room = (kEventBufferSize - used_) / kMostEventsOfAWord;
    at = decode_some(at, at + std::min(static_cast<std::size_t>(end - at), room), end);
  }
  flush();
}

// The hot loop, over what is frequent: blocks of the running frame, enters, exits. There is room
// for the events of all words up to `stop`; a record may reach beyond it, up to `end`. An event of
// a function that is not kept is written too, and then written over. Returns early after what is
// rare, since that may give any number of events.
const Word* StreamDecoder::decode_some(const Word* at, const Word* stop, const Word* end) {
  Event* out = events_.data() + used_;
  Frame* top = frames_.data() + open_;
  const Frame* const last = frames_.data() + frames_.size() - 1;
  while (at < stop) {
    const Word word = *at++;
    if ((word & kKeyMask) == top->key) {
      const std::uint32_t id = word & wire::kLargestShortBlock;
      if (id - 1 >= top->blocks) [[unlikely]] {  // 0 is as wrong as one too many
        ++counts_.malformed;
        continue;
      }
      *out = Event::block(BlockId{id});
      out += top->kept;
      if ((word & wire::kExits) != 0) {
        *out = Event::exit();
        out += top->kept;
        --top;
      }
    } else if ((word & kEnterBit) != 0 && ((word & kFrameBit) == 0 || at < end)) {
      const NumberedFunction known = numbers_[word & wire::kFunctionMask];
      const Word token = (word & kFrameBit) != 0 ? *at++ : 0;
      if (known.key == kNoKey || top == last) [[unlikely]] {
        used_ = static_cast<std::size_t>(out - events_.data());
        open_ = static_cast<std::size_t>(top - frames_.data());
        enter(word, token);
        return at;
      }
      *++top = {known.key, known.function, token, known.kept, known.blocks};
      out[0] = Event::enter(top->function);
      out[1] = Event::block(kEntryBlock);
      out += 2 * std::size_t{top->kept};
      if ((word & wire::kExits) != 0) {
        *out = Event::exit();
        out += top->kept;
        --top;
      }
    } else if ((word & kControlMask) == wire::exit_word(0) && key_of(word) == top->key) {
      *out = Event::exit();
      out += top->kept;
      --top;
    } else {
      used_ = static_cast<std::size_t>(out - events_.data());
      open_ = static_cast<std::size_t>(top - frames_.data());
      return decode_rare(word, at, end);
    }
  }
  used_ = static_cast<std::size_t>(out - events_.data());
  open_ = static_cast<std::size_t>(top - frames_.data());
  return at;
}

void StreamDecoder::enter(Word word, Word token) {
  const NumberedFunction found = find(word & wire::kFunctionMask);
  push({found.key, found.function, token, found.kept, found.blocks});
  if (found.kept != 0) {
    emit(Event::enter(found.function));
    emit(Event::block(kEntryBlock));
  }
  if ((word & wire::kExits) != 0) pop_to(open_ - 1);
}

NumberedFunction StreamDecoder::find(Word number) {
  NumberedFunction found = numbers_[number];
  if (found.key != kNoKey) return found;
  listener_.look_for(number);
  found = numbers_[number];
  if (found.key == kNoKey) ++counts_.unnamed;
  return found;
}

const Word* StreamDecoder::decode_rare(Word word, const Word* at, const Word* end) {
  if ((word & wire::kKindMask) == wire::kBlockKind) {
    block(word & kKeyMask, word & wire::kLargestShortBlock);
    if ((word & wire::kExits) != 0) exit(word & kKeyMask);
    return at;
  }
  const auto control = static_cast<Control>((word & wire::kCodeMask) >> wire::kCodeShift);
  const bool has_operand =
      control == Control::wide_block || control == Control::unwound || control == Control::fork;
  const bool is_control = (word & wire::kKindMask) == wire::kControlKind;
  if (!is_control || (has_operand && at == end)) {
    ++counts_.malformed;
    return at;
  }
  switch (control) {
    case Control::exit:
      exit(key_of(word));
      return at;
    case Control::wide_block:
      block(key_of(word), *at);
      return at + 1;
    case Control::unwound:
      unwind(*at);
      return at + 1;
    case Control::fork:
      flush();
      listener_.forked(*at, *this);
      return at + 1;
    case Control::mark:
      return mark(word, at, end);
    case Control::paused:
      flush();
      listener_.paused();
      return at;
  }
  ++counts_.malformed;
  return at;
}

bool StreamDecoder::repair(Word key) {
  // A frame of a function that no module names: this word is the first to tell its key.
  if (open_ > 0 && frames_[open_].key == kNoKey) frames_[open_].key = key;
  std::size_t open = open_;
  while (open > 0 && frames_[open].key != key) --open;
  if (open == 0) {
    ++counts_.late;
    return false;
  }
  counts_.repairs += open_ - open;
  pop_to(open);
  return true;
}

void StreamDecoder::block(Word key, std::uint32_t id) {
  if (id == 0) {
    ++counts_.malformed;
    return;
  }
  if (!repair(key)) return;
  if (id > frames_[open_].blocks) {
    ++counts_.malformed;
    return;
  }
  if (frames_[open_].kept != 0) emit(Event::block(BlockId{id}));
}

void StreamDecoder::exit(Word key) {
  if (repair(key)) pop_to(open_ - 1);
}

const Word* StreamDecoder::mark(Word word, const Word* at, const Word* end) {
  const Word length_bytes = word & wire::kArgumentMask;
  const std::size_t words = (length_bytes + sizeof(Word) - 1) / sizeof(Word);
  if (length_bytes > wire::kLongestMarkBytes || words > static_cast<std::size_t>(end - at)) {
    ++counts_.malformed;
    return at;
  }
  std::string text(length_bytes, '\0');
  std::memcpy(text.data(), at, length_bytes);
  flush();
  listener_.marked(text);
  return at + words;
}

void StreamDecoder::unwind(Word token) {
  if (token == wire::kNoFrameToken) return pop_to(0);
  std::size_t open = open_;
  while (open > 0 && frames_[open].token != token) --open;
  if (open > 0 && token != 0) pop_to(open);
}

void StreamDecoder::push(const Frame& frame) {
  if (open_ == kMostFrames) {
    counts_.repairs += open_;
    pop_to(0);
  }
  if (open_ + 1 == frames_.size()) frames_.resize(std::min(2 * frames_.size(), kMostFrames + 1));
  frames_[++open_] = frame;
}

void StreamDecoder::pop_to(std::size_t open) {
  for (; open_ > open; --open_) {
    if (frames_[open_].kept != 0) emit(Event::exit());
  }
}

void StreamDecoder::emit(const Event& event) {
  if (used_ == kEventBufferSize) flush();
  events_[used_++] = event;
}

void StreamDecoder::flush() {
  if (used_ > 0) listener_.take(std::span(events_).first(used_));
  used_ = 0;
}

}  // namespace pathspool::collector
