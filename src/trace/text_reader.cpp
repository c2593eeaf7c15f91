// The reader works on a buffer that ends with a newline of its own, the sentinel, so that no scan
// has to look for the end of the buffer: a scan that stops at the sentinel asks for more bytes and
// goes on. Nearly all events take the fast path in `parse`; whatever is unusual there (a token cut
// by the end of the buffer, quotes, mistakes) is left to `step_slowly`, which starts over at
// the same token.
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <exception>
#include <limits>
#include <optional>
#include <utility>

#include "base/check.h"
#include "pathspool/error.h"
#include "pathspool/text.h"
#include "trace/name_cache.h"
#include "trace/text_names.h"

namespace pathspool {
namespace {

using trace::byte_class;
using trace::ByteClass;
using trace::ends_token;
using trace::is_digit;
using trace::is_plain;
using trace::kMaxNameBytes;

constexpr std::size_t kBatchEvents = 4096;
constexpr std::size_t kBufferBytes = 64 * 1024;
constexpr std::size_t kExcerptBytes = 40;  // of the offending token, in a message
constexpr std::size_t kMaxNumberDigits = 10;
constexpr std::uint64_t kMaxNumber = std::numeric_limits<std::uint32_t>::max();

[[nodiscard]] std::optional<unsigned> hex_value(char digit) {
  if (is_digit(digit)) return static_cast<unsigned>(digit - '0');
  if (digit >= 'a' && digit <= 'f') return static_cast<unsigned>(digit - 'a' + 10);
  if (digit >= 'A' && digit <= 'F') return static_cast<unsigned>(digit - 'A' + 10);
  return {};
}

// Digits only, without a leading zero; nothing if it is something else or does not fit in 32 bits.
[[nodiscard]] std::optional<std::uint32_t> decimal(std::string_view digits) {
  if (digits.empty() || digits.size() > kMaxNumberDigits) return {};
  if (digits[0] == '0' && digits.size() > 1) return {};
  std::uint64_t number = 0;
  for (const char digit : digits) {
    if (!is_digit(digit)) return {};
    number = number * 10 + static_cast<unsigned>(digit - '0');
  }
  if (number > kMaxNumber) return {};
  return static_cast<std::uint32_t>(number);
}

// A piece of the text that is safe in a message on one line of a terminal, whatever it holds.
[[nodiscard]] std::string printable(std::string_view text) {
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  std::string out;
  for (const char byte : text) {
    const auto value = static_cast<unsigned char>(byte);
    if (value >= 0x20 && value < 0x7f) {
      out += byte;
    } else {
      out += "\\x";
      out += kHexDigits[value >> 4];
      out += kHexDigits[value & 0xf];
    }
  }
  return out;
}

}  // namespace

class TextReader::Impl {
 public:
  Impl(ByteSource source, FunctionTable& functions)
      : source_(std::move(source)), names_(functions), buffer_(kBufferBytes) {
    cursor_ = end_ = buffer_.data();
    *end_ = '\n';
  }

  bool next(TextBatch& batch) {
    if (failure_) std::rethrow_exception(failure_);
    batch.stream = stream_;
    batch.opens_stream = false;
    batch.title.clear();
    event_count_ = 0;
    try {
      parse(batch);
    } catch (...) {
      failure_ = std::current_exception();
    }
    batch.events.assign(events_.begin(),
                        events_.begin() + static_cast<std::ptrdiff_t>(event_count_));
    const bool holds_something = batch.opens_stream || !batch.events.empty();
    if (failure_ && !holds_something) std::rethrow_exception(failure_);
    return holds_something;
  }

  [[nodiscard]] std::uint64_t consumed_bytes() const { return offset_of(end_); }

 private:
  void parse(TextBatch& batch);
  bool step_slowly(TextBatch& batch);
  bool read_more();
  bool has(std::size_t index);

  Event read_event_slowly();
  std::string_view read_bare();
  std::string_view read_quoted();
  std::size_t read_escape(std::size_t index);
  Event block_event(std::string_view token);
  void open_stream(TextBatch& batch);
  void skip_blanks();
  void skip_comment();

  std::string excerpt();
  [[noreturn]] void fail(const std::string& what);
  [[noreturn]] void fail_at(std::uint64_t offset_bytes, const std::string& message) const;

  [[nodiscard]] std::uint64_t offset_of(const char* at) const {
    return buffer_offset_ + static_cast<std::uint64_t>(at - buffer_.data());
  }

  ByteSource source_;
  trace::NameCache names_;
  StreamId stream_{};
  std::exception_ptr failure_;              // thrown again by every later call
  std::array<Event, kBatchEvents> events_;  // of the batch being read
  std::size_t event_count_ = 0;
  std::string text_;  // the quoted string that was read last, without its escapes

  // [cursor_, end_) is still to be parsed; *end_ is the sentinel.
  std::vector<char> buffer_;
  char* cursor_ = nullptr;
  char* end_ = nullptr;
  bool at_end_of_source_ = false;
  std::uint64_t buffer_offset_ = 0;      // of the buffer's first byte in the text
  std::uint64_t line_ = 1;               // of the cursor
  std::uint64_t line_start_offset_ = 0;  // of that line's first byte
};

// Appends bytes to those not yet parsed, which may move: only indexes from the cursor stay good.
// False at the end of the text. The buffer grows for a token that fills more than half of it, and
// then at least doubles, so that a long token costs time in proportion to its length however small
// the pieces are.
bool TextReader::Impl::read_more() {
  if (at_end_of_source_) return false;
  const auto kept = static_cast<std::size_t>(end_ - cursor_);
  const auto room = [&] { return buffer_.data() + buffer_.size() - 1 - end_; };
  if (kept == 0 || room() == 0) {
    buffer_offset_ = offset_of(cursor_);
    std::memmove(buffer_.data(), cursor_, kept);
    if (kept > buffer_.size() / 2) buffer_.resize(buffer_.size() * 2);
    cursor_ = buffer_.data();
    end_ = cursor_ + kept;
    *end_ = '\n';  // the source may throw
  }
  const auto space = static_cast<std::size_t>(room());
  const std::size_t got = source_(std::span<char>(end_, space));
  PATHSPOOL_CHECK(got <= space);
  if (got == 0) at_end_of_source_ = true;
  end_ += got;
  *end_ = '\n';
  return got != 0;
}

// Whether there is a byte at this index from the cursor, before the end of the text.
bool TextReader::Impl::has(std::size_t index) {
  while (index >= static_cast<std::size_t>(end_ - cursor_)) {
    if (!read_more()) return false;
  }
  return true;
}

void TextReader::Impl::parse(TextBatch& batch) {
  Event* const events_end = events_.data() + events_.size();
  // Both stay in registers on the fast path; everything else sees the members.
  Event* event = events_.data();
  char* at = cursor_;
  const auto leave_fast_path = [&] {
    event_count_ = static_cast<std::size_t>(event - events_.data());
    cursor_ = at;
  };

  while (event != events_end) {
    const char* stop = at;
    if (*at == 'B' && is_digit(at[1])) {
      std::uint64_t number = static_cast<unsigned>(at[1] - '0');
      for (stop = at + 2; is_digit(*stop); ++stop) {
        number = number * 10 + static_cast<unsigned>(*stop - '0');
      }
      // Too many digits may have wrapped the number, but not its length.
      if (ends_token(*stop) && stop != end_ && at[1] != '0' && number <= kMaxNumber &&
          stop - at <= static_cast<std::ptrdiff_t>(1 + kMaxNumberDigits)) [[likely]] {
        *event++ = Event::block(BlockId{static_cast<std::uint32_t>(number)});
        at += stop - at + (*stop == ' ');
        continue;
      }
    } else if (*at == 'E' && ends_token(at[1]) && at + 1 != end_) {
      *event++ = Event::exit();
      at += 1 + (at[1] == ' ');
      continue;
    } else if (is_plain(*at) && *at != '@') {
      while (is_plain(*stop)) ++stop;
      const auto length = static_cast<std::size_t>(stop - at);
      if (ends_token(*stop) && stop != end_ && length <= kMaxNameBytes) [[likely]] {
        *event++ = Event::enter(names_.find_or_add({at, length}));
        at += length + (*stop == ' ');
        continue;
      }
    } else if (*at == '\n' && at != end_) {
      ++at;
      ++line_;
      line_start_offset_ = offset_of(at);
      continue;
    } else if (*at == ' ') {
      ++at;
      continue;
    }
    leave_fast_path();
    if (!step_slowly(batch)) return;
    event = events_.data() + event_count_;
    at = cursor_;
  }
  leave_fast_path();
}

// Takes what the fast path left at the cursor, or more of the text. False at the end of the batch.
bool TextReader::Impl::step_slowly(TextBatch& batch) {
  switch (byte_class(*cursor_)) {
    case ByteClass::newline:
      return read_more();  // the sentinel: the fast path takes all others
    case ByteClass::blank:
    case ByteClass::comma:
      ++cursor_;
      return true;
    case ByteClass::number_sign:
      skip_comment();
      return true;
    case ByteClass::plain:
    case ByteClass::special:
      break;
  }
  if (*cursor_ == '@') {
    // Its line belongs to the next batch, and so does any mistake in it.
    if (batch.opens_stream || event_count_ != 0) return false;
    open_stream(batch);
    return true;
  }
  events_[event_count_] = read_event_slowly();
  ++event_count_;
  return true;
}

Event TextReader::Impl::read_event_slowly() {
  if (*cursor_ == '"') return Event::enter(names_.find_or_add(read_quoted()));
  const std::string_view token = read_bare();
  if (!ends_token(cursor_[token.size()])) {
    const char special = cursor_[token.size()];
    const char* const name = special == '"'    ? "a quote"
                             : special == '\\' ? "a backslash"
                                               : "a control byte";
    fail(fmt::format("holds {}: such a name is written in double quotes with escapes", name));
  }
  Event event = Event::exit();
  if (trace::looks_like_block(token)) {
    event = block_event(token);
  } else if (token != "E") {
    event = Event::enter(names_.find_or_add(token));
  }
  cursor_ += token.size();
  return event;
}

// The bytes from the cursor on that a bare token may hold, good until more is read. The cursor
// stays.
std::string_view TextReader::Impl::read_bare() {
  std::size_t length = 0;
  do {
    while (is_plain(cursor_[length])) ++length;
    if (length > kMaxNameBytes) {
      fail(fmt::format("is too long: expected a name of at most {} bytes", kMaxNameBytes));
    }
  } while (cursor_ + length == end_ && read_more());
  return {cursor_, length};
}

// The string without its quotes and escapes, good until the next one. The cursor goes behind it.
std::string_view TextReader::Impl::read_quoted() {
  const auto goes_on = [](char byte) { return byte != '"' && byte != '\\' && byte != '\n'; };
  text_.clear();
  std::size_t index = 1;
  for (;;) {
    const std::size_t run = index;
    while (goes_on(cursor_[index])) ++index;
    text_.append(cursor_ + run, index - run);
    if (text_.size() > kMaxNameBytes) {
      fail(fmt::format("is too long: expected a string of at most {} bytes", kMaxNameBytes));
    }
    if (!has(index)) fail("is not closed: expected a quote before the end of the text");
    // What stopped the run may have been the sentinel, which a byte of the text has now replaced.
    if (goes_on(cursor_[index])) continue;
    if (cursor_[index] == '\n') fail("is not closed: expected a quote before the end of the line");
    if (cursor_[index] == '"') break;
    index += read_escape(index);
  }
  ++index;
  if (has(index) && !ends_token(cursor_[index])) {
    fail("goes on after its closing quote: expected a blank, a comma, a newline or a comment");
  }
  cursor_ += index;
  return text_;
}

// Adds the byte that the escape at this index from the cursor stands for; returns the escape's
// length.
std::size_t TextReader::Impl::read_escape(std::size_t index) {
  const auto byte_at = [&](std::size_t place) {
    if (!has(place)) fail("is not closed: expected a quote before the end of the text");
    if (cursor_[place] == '\n') fail("is not closed: expected a quote before the end of the line");
    return cursor_[place];
  };
  const char kind = byte_at(index + 1);
  switch (kind) {
    case '"':
    case '\\':
      text_ += kind;
      return 2;
    case 'n':
      text_ += '\n';
      return 2;
    case 't':
      text_ += '\t';
      return 2;
    case 'r':
      text_ += '\r';
      return 2;
    case 'x':
      break;
    default:
      fail("holds the unknown escape \\" + printable({&kind, 1}) +
           ": expected \\\" \\\\ \\n \\t \\r or \\x and two hex digits");
  }
  const std::optional<unsigned> high = hex_value(byte_at(index + 2));
  const std::optional<unsigned> low = high ? hex_value(byte_at(index + 3)) : high;
  if (!low) fail("holds an incomplete escape \\x: expected two hex digits after it");
  text_ += static_cast<char>(*high << 4 | *low);
  return 4;
}

Event TextReader::Impl::block_event(std::string_view token) {
  const std::string_view digits = token.substr(1);
  const std::optional<std::uint32_t> number = decimal(digits);
  if (number && *number != 0) return Event::block(BlockId{*number});
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) {
    fail("is not a block: expected only digits after B; a function's name like this needs quotes");
  }
  if (number) fail("is not a block: block ids start at 1");
  if (digits[0] == '0') fail("is not a block: block ids have no leading zero");
  fail(fmt::format("is not a block: block ids end at {}", kMaxNumber));
}

void TextReader::Impl::open_stream(TextBatch& batch) {
  constexpr std::string_view kWord = "@stream";
  const std::uint64_t word_offset = offset_of(cursor_);
  const std::string_view word = read_bare();
  if (word != kWord || !ends_token(cursor_[word.size()])) {
    fail("is unknown: the only word with @ is @stream");
  }
  cursor_ += word.size();
  skip_blanks();
  if (ends_token(*cursor_)) {
    fail_at(word_offset,
            fmt::format("@stream has no number: expected one from 0 to {} on the same line",
                        kMaxNumber));
  }
  const std::string_view digits = read_bare();
  const std::optional<std::uint32_t> number = decimal(digits);
  if (!number || !ends_token(cursor_[digits.size()])) {
    fail(fmt::format("is not a stream's number: expected one from 0 to {}, without leading zeros",
                     kMaxNumber));
  }
  cursor_ += digits.size();
  skip_blanks();
  if (*cursor_ == '"') batch.title = read_quoted();
  stream_ = StreamId{*number};
  batch.stream = stream_;
  batch.opens_stream = true;
}

void TextReader::Impl::skip_blanks() {
  do {
    while (byte_class(*cursor_) == ByteClass::blank) ++cursor_;
  } while (cursor_ == end_ && read_more());
}

// Up to the newline. Nothing of a comment is kept, however long it is.
void TextReader::Impl::skip_comment() {
  do {
    const auto left = static_cast<std::size_t>(end_ - cursor_);
    void* const newline = std::memchr(cursor_, '\n', left);
    cursor_ = newline != nullptr ? static_cast<char*>(newline) : end_;
  } while (cursor_ == end_ && read_more());
}

// The token at the cursor as a message shows it: as it was typed, but printable and not too long.
std::string TextReader::Impl::excerpt() {
  const bool in_quotes = *cursor_ == '"';
  bool escaped = false;
  std::size_t length = in_quotes ? 1 : 0;
  for (; has(length); ++length) {
    const char byte = cursor_[length];
    if (in_quotes ? byte == '\n' : ends_token(byte)) break;
    if (length == kExcerptBytes) return printable({cursor_, length}) + "...";
    if (in_quotes && byte == '"' && !escaped) {
      ++length;
      break;
    }
    escaped = byte == '\\' && !escaped;
  }
  return printable({cursor_, length});
}

// The token at the cursor is wrong: `what` goes on from it.
void TextReader::Impl::fail(const std::string& what) {
  const std::string token = excerpt();
  fail_at(offset_of(cursor_), fmt::format("{} {}", token, what));
}

// On the cursor's line.
void TextReader::Impl::fail_at(std::uint64_t offset_bytes, const std::string& message) const {
  throw Error(
      fmt::format("line {}, column {}: {}", line_, offset_bytes - line_start_offset_ + 1, message),
      offset_bytes);
}

TextReader::TextReader(ByteSource source, FunctionTable& functions)
    : impl_(std::make_unique<Impl>(std::move(source), functions)) {}

TextReader::~TextReader() = default;

bool TextReader::next(TextBatch& batch) { return impl_->next(batch); }

std::uint64_t TextReader::consumed_bytes() const { return impl_->consumed_bytes(); }

}  // namespace pathspool
