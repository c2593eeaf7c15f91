// Reads a segment of form `grammar`, decoding only the rules and chunks that are reached.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/file.h"
#include "grammar/grammar_reader.h"
#include "spool/grammar_form.h"
#include "spool/phrases.h"
#include "spool/segment_reader.h"

namespace pathspool::spool {

class GrammarSegmentReader final : public SegmentReader {
 public:
  GrammarSegmentReader(const base::InputFile& file, Section section, SegmentHead head,
                       std::uint64_t function_count);
  ~GrammarSegmentReader() override;

  [[nodiscard]] const SegmentHead& head() const override { return head_; }
  [[nodiscard]] SegmentInfo info() const override;
  [[nodiscard]] std::unique_ptr<SegmentCursor> events(std::uint64_t from) const override;
  [[nodiscard]] trace::FrameStack frames_before(std::uint64_t index) const override;
  void verify() const override;
  void verify_expanded() const override;

  void visit_rules(const Spool::RuleVisitor& visitor) const;

  // The rules and the phrases, decoded when first asked for.
  [[nodiscard]] grammar::GrammarReader& rules() const;
  [[nodiscard]] const PhraseTable& phrases() const;
  // The symbols of one chunk of the start rule, after it was seen that they derive what the facts
  // say. Throws Error.
  [[nodiscard]] std::vector<grammar::Symbol> start_chunk(std::size_t chunk) const;
  // The same, kept from then on, but not looked into: what it derives remains to be seen.
  [[nodiscard]] std::span<const grammar::Symbol> kept_chunk(std::size_t chunk) const;

 private:
  void open_rules() const;
  [[nodiscard]] std::vector<grammar::Symbol> decode_chunk(std::size_t chunk) const;

  const base::InputFile& file_;
  Section section_;
  SegmentHead head_;
  GrammarForm form_;
  std::uint64_t function_count_;
  mutable std::vector<std::vector<grammar::Symbol>> kept_chunks_;  // by chunk
  mutable PhraseTable phrases_;
  mutable std::unique_ptr<grammar::GrammarReader> rules_;
};

}  // namespace pathspool::spool
