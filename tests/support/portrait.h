// A spool as text: all that its reader can tell of it. Kept beside golden files.
#pragma once

#include <string>
#include <string_view>

#include "pathspool/text.h"
#include "support/every_operation.h"

namespace pathspool::testing {

[[nodiscard]] inline std::string portrait(const Spool& spool) {
  std::string text = detail::described(spool) + '\n';
  TextWriter writer([&text](std::string_view bytes) { text += bytes; }, spool.functions());
  for (const StreamInfo& stream : spool.streams()) {
    writer.begin_stream(stream.id, stream.title);
    EventCursor cursor = spool.events(stream.id);
    while (cursor.next()) writer.events(cursor.batch());
  }
  writer.finish();
  return text;
}

}  // namespace pathspool::testing
