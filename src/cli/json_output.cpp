#include "cli/json_output.h"

#include "cli/standard_output.h"

namespace pathspool::cli {

std::string compact(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void write_json(const Json& json) {
  write_output(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Json json_of(const std::optional<Truncation>& truncation) {
  if (!truncation) return nullptr;
  return {{"complete_bytes", truncation->complete_bytes},
          {"unusable_bytes", truncation->unusable_bytes},
          {"missing_bytes", truncation->missing_bytes}};
}

}  // namespace pathspool::cli
