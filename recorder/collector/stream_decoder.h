// The words of one ring to the events of one stream.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "pathspool/event.h"
#include "pathspool/wire/word.h"
#include "recorder/collector/function_numbers.h"

namespace pathspool::collector {

// A frame that is open in a stream.
struct Frame {
  wire::Word key = kNoKey;  // what its block words have under kKeyMask; kNoKey: not known yet
  FunctionId function{};
  wire::Word token = 0;              // 0: has none
  std::uint32_t kept = 0;            // 1: its events are recorded
  std::uint32_t blocks = kAnyBlock;  // that its function has

  friend bool operator==(const Frame&, const Frame&) = default;
};

inline constexpr std::size_t kEventBufferSize = 8192;
using EventBuffer = std::array<Event, kEventBufferSize>;

// What a stream was found to lack. None of it stops the decoder.
struct DecoderCounts {
  std::uint64_t repairs = 0;    // frames that had gone without a word, and were closed
  std::uint64_t late = 0;       // words of frames that were entered before recording began
  std::uint64_t unnamed = 0;    // frames of functions that no module names
  std::uint64_t malformed = 0;  // words that mean nothing

  DecoderCounts& operator+=(const DecoderCounts& other) {
    repairs += other.repairs;
    late += other.late;
    unnamed += other.unnamed;
    malformed += other.malformed;
    return *this;
  }
  friend bool operator==(const DecoderCounts&, const DecoderCounts&) = default;
};

class StreamDecoder;

// Whom the decoder tells what it finds, in the order of the stream.
class StreamListener {
 public:
  virtual ~StreamListener() = default;
  virtual void take(std::span<const Event> events) = 0;
  // The number in an enter word that the decoder does not know, before it looks again: a module
  // may have been registered since.
  virtual void look_for(wire::Word number) = 0;
  // Everything before has been taken.
  virtual void forked(wire::Word token, const StreamDecoder& decoder) = 0;
  virtual void marked(std::string_view text) = 0;
  virtual void paused() = 0;
};

// Follows the frames of the stream, so that every event belongs to the frame it names: block and
// exit words carry a tag of their function. If that is not the running frame's, then frames have
// gone without a word (code that is not instrumented caught an exception, say): they are closed
// down to the nearest one with the tag. If there is none, the word's frame is older than the
// recording, and the word is dropped. So there is never an exit without its enter.
//
// Words may be anything: a program can write over its ring.
class StreamDecoder {
 public:
  // More frames than any stack holds: what goes beyond is no call any more.
  static constexpr std::size_t kMostFrames = std::size_t{1} << 24;

  // The buffer is used during calls only: many decoders share one.
  StreamDecoder(const FunctionNumbers& numbers, EventBuffer& buffer, StreamListener& listener);

  // Starts the stream of a forked child: the frames that its parent had open are entered.
  void enter_all(std::span<const Frame> frames);

  // Records are whole: none is continued in the next call's words. Whatever is decoded has been
  // taken by the listener at the return.
  void decode(std::span<const wire::Word> words);

  // Outermost first.
  [[nodiscard]] std::span<const Frame> frames() const {
    return std::span(frames_).subspan(1, open_);
  }
  [[nodiscard]] const DecoderCounts& counts() const { return counts_; }

 private:
  const wire::Word* decode_some(const wire::Word* at, const wire::Word* stop,
                                const wire::Word* end);
  const wire::Word* decode_rare(wire::Word word, const wire::Word* at, const wire::Word* end);
  void enter(wire::Word word, wire::Word token);
  NumberedFunction find(wire::Word number);
  // Makes the frame of this key the running one; false if there is none.
  bool repair(wire::Word key);
  void block(wire::Word key, std::uint32_t id);
  void exit(wire::Word key);
  const wire::Word* mark(wire::Word word, const wire::Word* at, const wire::Word* end);
  void unwind(wire::Word token);
  void push(const Frame& frame);
  // Closes frames until so many are open.
  void pop_to(std::size_t open);
  void emit(const Event& event);
  void flush();

  const FunctionNumbers& numbers_;
  StreamListener& listener_;
  // frames_[0] is no frame: its key is no word's, so that an empty stack needs no test.
  std::vector<Frame> frames_;
  std::size_t open_ = 0;
  EventBuffer& events_;
  std::size_t used_ = 0;
  DecoderCounts counts_;
};

}  // namespace pathspool::collector
