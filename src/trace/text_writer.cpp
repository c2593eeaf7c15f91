// Every event is written with the blank or newline that follows it; the end of an unfinished line
// turns its last blank into a newline. So the buffer keeps its last byte back while a line is
// unfinished.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include "pathspool/error.h"
#include "pathspool/text.h"

namespace pathspool {
namespace {

constexpr std::size_t kLineEvents = 20;
constexpr std::size_t kBufferBytes = 64 * 1024;
constexpr std::size_t kMaxNumberDigits = 10;
constexpr std::size_t kMaxBlockBytes = 1 + kMaxNumberDigits + 1;  // B4294967295 and a blank

constexpr std::size_t kShortNameBytes = 32;
constexpr std::size_t kLineBytes = kLineEvents * std::max(kMaxBlockBytes, kShortNameBytes);

// Small blocks and the exit, ready to be copied in one move of fixed size.
struct ShortEvent {
  std::array<char, 7> bytes{};
  std::uint8_t size = 0;
};
static_assert(sizeof(ShortEvent) == 8 && sizeof(ShortEvent) <= kMaxBlockBytes);

constexpr std::uint32_t kShortEvents = 1000;

// The exit is at 0, which is no block's id.
constexpr std::array<ShortEvent, kShortEvents> kShortEventTexts = [] {
  std::array<ShortEvent, kShortEvents> texts{};
  const auto add = [](ShortEvent& text, char byte) { text.bytes[text.size++] = byte; };
  add(texts[0], 'E');
  add(texts[0], ' ');
  for (std::uint32_t id = 1; id < kShortEvents; ++id) {
    add(texts[id], 'B');
    if (id >= 100) add(texts[id], static_cast<char>('0' + id / 100));
    if (id >= 10) add(texts[id], static_cast<char>('0' + id / 10 % 10));
    add(texts[id], static_cast<char>('0' + id % 10));
    add(texts[id], ' ');
  }
  return texts;
}();

}  // namespace

class TextWriter::Impl {
 public:
  Impl(ByteSink sink, const FunctionTable& functions)
      : sink_(std::move(sink)), functions_(functions), buffer_(kBufferBytes) {}

  void begin_stream(StreamId stream, std::string_view title) {
    end_line();
    append(fmt::format("@stream {} {}\n", static_cast<std::uint32_t>(stream), quoted(title)));
  }

  // A newline in the text would end the comment: what follows it becomes a comment line too.
  void comment(std::string_view text) {
    end_line();
    for (;;) {
      const std::size_t newline = text.find('\n');
      append("# ");
      append(text.substr(0, newline));
      append("\n");
      if (newline == std::string_view::npos) return;
      text.remove_prefix(newline + 1);
    }
  }

  void events(std::span<const Event> events) {
    follow_table();
    while (!events.empty()) {
      const std::size_t count = std::min(events.size(), kLineEvents - line_events_);
      write_part_of_line(events.first(count));
      events = events.subspan(count);
    }
  }

  void finish() {
    end_line();
    hand_over();
  }

 private:
  // As many events as the line still takes. Room for all of them is made once: only long names ask
  // again.
  void write_part_of_line(std::span<const Event> events) {
    make_room(kLineBytes);
    for (const Event event : events) {
      if (event.kind == EventKind::enter) {
        write_name(name_of(event.function()));
        ++line_events_;
        continue;
      }
      const bool is_block = event.kind == EventKind::block;
      const std::uint32_t index = is_block ? event.id : 0;
      if (index >= kShortEvents || (is_block && index == 0)) [[unlikely]] {
        write_long_block(event.block_id());
      } else {
        const ShortEvent& text = kShortEventTexts[index];
        std::memcpy(buffer_.data() + size_, &text, sizeof text);
        size_ += text.size;
      }
      ++line_events_;
    }
    if (line_events_ == kLineEvents) end_line();
  }

  void write_long_block(BlockId block) {
    const auto id = static_cast<std::uint32_t>(block);
    if (id == 0) throw Error("block 0 cannot be written as text: block ids start at 1");
    char* const begin = buffer_.data() + size_;
    *begin = 'B';
    char* const end = std::to_chars(begin + 1, begin + 1 + kMaxNumberDigits, id).ptr;
    *end = ' ';
    size_ += static_cast<std::size_t>(end + 1 - begin);
  }

  // A name as it is written, with the blank that follows it.
  struct Name {
    std::string bytes;  // with more blanks, up to kShortNameBytes, so that a copy has a fixed size
    std::size_t size = 0;  // without those; 0 until the name is first written
  };

  void write_name(const Name& name) {
    if (name.size <= kShortNameBytes) {
      std::memcpy(buffer_.data() + size_, name.bytes.data(), kShortNameBytes);
      size_ += name.size;
    } else {
      append(std::string_view(name.bytes).substr(0, name.size));
      make_room(kLineBytes);
    }
  }

  const Name& name_of(FunctionId function) {
    const auto index = static_cast<std::size_t>(function);
    if (index >= names_.size()) {
      throw Error(fmt::format("function {} cannot be written as text: only {} are known", index,
                              names_.size()));
    }
    Name& name = names_[index];
    if (name.size == 0) {
      name.bytes = quoted_if_needed(functions_.display_name(function)) + ' ';
      name.size = name.bytes.size();
      if (name.size < kShortNameBytes) name.bytes.resize(kShortNameBytes, ' ');
    }
    return name;
  }

  // A new function may change how its namesakes are shown, so their names are made anew.
  void follow_table() {
    const std::size_t known = names_.size();
    if (known == functions_.size()) return;
    names_.resize(functions_.size());
    if (known == 0) return;
    for (std::size_t index = known; index < names_.size(); ++index) {
      const FunctionId added{static_cast<std::uint32_t>(index)};
      for (const FunctionId namesake : functions_.named(functions_[added].name)) {
        names_[static_cast<std::size_t>(namesake)].size = 0;
      }
    }
  }

  void end_line() {
    if (line_events_ == 0) return;
    buffer_[size_ - 1] = '\n';
    line_events_ = 0;
  }

  void append(std::string_view bytes) {
    while (!bytes.empty()) {
      make_room(1);
      const std::size_t count = std::min(bytes.size(), buffer_.size() - size_);
      std::memcpy(buffer_.data() + size_, bytes.data(), count);
      size_ += count;
      bytes.remove_prefix(count);
    }
  }

  void make_room(std::size_t bytes) {
    if (buffer_.size() - size_ < bytes) hand_over();
  }

  void hand_over() {
    const std::size_t kept = line_events_ == 0 ? 0 : 1;
    if (size_ <= kept) return;
    const char last = buffer_[size_ - 1];
    const std::size_t finished = std::exchange(size_, kept) - kept;
    sink_({buffer_.data(), finished});
    if (kept != 0) buffer_[0] = last;  // not always a blank: a long name comes in pieces
  }

  ByteSink sink_;
  const FunctionTable& functions_;
  std::vector<Name> names_;  // by function
  std::vector<char> buffer_;
  std::size_t size_ = 0;         // of what waits in the buffer
  std::size_t line_events_ = 0;  // on the unfinished line
};

TextWriter::TextWriter(ByteSink sink, const FunctionTable& functions)
    : impl_(std::make_unique<Impl>(std::move(sink), functions)) {}

TextWriter::~TextWriter() = default;

void TextWriter::begin_stream(StreamId stream, std::string_view title) {
  impl_->begin_stream(stream, title);
}

void TextWriter::comment(std::string_view text) { impl_->comment(text); }

void TextWriter::events(std::span<const Event> events) { impl_->events(events); }

void TextWriter::finish() { impl_->finish(); }

}  // namespace pathspool
