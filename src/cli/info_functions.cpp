#include <fmt/format.h>

#include "cli/info_report.h"
#include "cli/standard_output.h"
#include "cli/table.h"
#include "cli/visible_text.h"
#include "pathspool/text.h"

namespace pathspool::cli {

namespace {

std::string name_in_table(const FunctionTable& functions, FunctionId id) {
  if (functions[id].demangled.empty()) return quoted_if_needed(functions.display_name(id));
  return visible(functions.readable_name(id));
}

std::string source_of(const Function& function) {
  if (function.file.empty()) return "-";
  std::string source = visible(function.file);
  if (function.line > 0) source += fmt::format(":{}", function.line);
  return source;
}

Json block_json(const Block& block, std::size_t id) {
  Json calls = Json::array();
  for (const CallSite& call : block.calls) {
    calls.push_back({{"kind", name_of(call.kind)},
                     {"callee", call.callee.empty() ? Json(nullptr) : Json(call.callee)}});
  }
  return {{"block", id},
          {"lines", block.lines},
          {"terminator", name_of(block.terminator)},
          {"successors", block.successors},
          {"calls", calls}};
}

Json function_json(const FunctionTable& functions, FunctionId id, std::uint64_t segments) {
  const Function& function = functions[id];
  const auto known = [](const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
  };
  Json json = {{"function", id}, {"name", functions.display_name(id)}};
  json["demangled"] = known(function.demangled);
  json["file"] = known(function.file);
  json["line"] = function.line == 0 ? Json(nullptr) : Json(function.line);
  json["blocks"] = function.blocks.empty() ? Json(nullptr) : Json(function.blocks.size());
  json["ran"] = segments > 0;
  json["segments"] = segments;
  json["graph"] = nullptr;
  if (function.blocks.empty()) return json;
  json["graph"] = Json::array();
  for (std::size_t i = 0; i < function.blocks.size(); ++i) {
    json["graph"].push_back(block_json(function.blocks[i], i + 1));
  }
  return json;
}

}  // namespace

void write_functions_text(const Spool& spool) {
  const SpoolInfo info = spool.info();
  const FunctionTable& functions = spool.functions();
  Table table({{"function", Align::right},
               {"blocks", Align::right},
               {"segments", Align::right},
               {"name", Align::left},
               {"source", Align::left}});
  for (std::uint32_t id = 0; id < functions.size(); ++id) {
    const Function& function = functions[FunctionId{id}];
    const std::uint64_t segments = info.segments_ran[id];
    table.add({fmt::to_string(id),
               function.blocks.empty() ? "-" : fmt::to_string(function.blocks.size()),
               segments == 0 ? "-" : fmt::to_string(segments),
               name_in_table(functions, FunctionId{id}), source_of(function)});
  }
  write_output(table.text());
}

// A function a line: all graphs of a large program are much for one JSON value.
void write_functions_json(const std::string& file, const Spool& spool) {
  const SpoolInfo info = spool.info();
  write_output(fmt::format("{{\n  \"file\": {},\n  \"functions\": [", compact(file)));
  for (std::uint32_t id = 0; id < spool.functions().size(); ++id) {
    write_output(id == 0 ? "\n    " : ",\n    ");
    write_output(compact(function_json(spool.functions(), FunctionId{id}, info.segments_ran[id])));
  }
  write_output("\n  ]\n}\n");
}

}  // namespace pathspool::cli
