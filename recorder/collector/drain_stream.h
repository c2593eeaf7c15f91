// A ring and what becomes of it: a stream of the recording.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "recorder/collector/drain.h"

namespace pathspool::collector {

class Drain::Stream final : public StreamListener {
 public:
  Stream(Drain& drain, std::uint32_t ring, StreamId id)
      : drain_(drain),
        reader_(drain.arena_, ring),
        ring_(ring),
        id_(id),
        serial_(reader_.header().serial),
        process_(reader_.header().process),
        fork_token_(reader_.header().fork_token),
        decoder_(drain.numbers_, *drain.events_, *this) {}

  void take(std::span<const Event> events) override {
    drain_.writer_.append(id_, events);
    events_taken_ += events.size();
    drain_.count_for_cut(id_, events.size());
  }
  void look_for(wire::Word /*number*/) override { drain_.load_modules(); }
  void forked(wire::Word token, const StreamDecoder& decoder) override {
    drain_.snapshots_.put(token, decoder.frames());
  }
  void marked(std::string_view text) override {
    drain_.writer_.note({{id_, events_taken_}, NoteKind::mark, std::string(text)});
  }
  void paused() override { marked("paused"); }

  [[nodiscard]] RingReader& reader() { return reader_; }
  [[nodiscard]] const RingReader& reader() const { return reader_; }
  [[nodiscard]] StreamDecoder& decoder() { return decoder_; }
  [[nodiscard]] const StreamDecoder& decoder() const { return decoder_; }
  [[nodiscard]] std::uint32_t ring() const { return ring_; }
  [[nodiscard]] StreamId id() const { return id_; }
  [[nodiscard]] std::uint32_t serial() const { return serial_; }
  [[nodiscard]] std::uint32_t process() const { return process_; }
  [[nodiscard]] std::uint64_t events_taken() const { return events_taken_; }

  // A forked child's stream begins where its parent's met the fork. The parent published that
  // before it forked, so it lies within the chunks that are published when the child's ring is
  // first seen.
  void wait_for(const Stream* parent) {
    parent_ = parent;
    parent_published_ = parent == nullptr ? 0 : parent->reader().published();
  }
  void forget_parent(const Stream* parent) {
    if (parent_ == parent) parent_ = nullptr;
  }
  // Whether it may be decoded.
  bool begin() {
    if (fork_token_ == 0) return true;
    const bool may_come =
        parent_ != nullptr && !parent_->reader().broken() &&
        static_cast<std::int32_t>(parent_published_ - parent_->reader().drained()) > 0;
    if (may_come && !drain_.snapshots_.has(fork_token_)) return false;
    decoder_.enter_all(drain_.snapshots_.take(std::exchange(fork_token_, 0)));
    return true;
  }

 private:
  Drain& drain_;
  RingReader reader_;
  std::uint32_t ring_;
  StreamId id_;
  std::uint32_t serial_;
  std::uint32_t process_;
  wire::Word fork_token_;
  const Stream* parent_ = nullptr;
  std::uint32_t parent_published_ = 0;
  StreamDecoder decoder_;
  std::uint64_t events_taken_ = 0;
};

}  // namespace pathspool::collector
