// How `find` prints what was found.
#pragma once

#include <string>
#include <vector>

#include "pathspool/find.h"

namespace pathspool::cli {

struct AskedQuery {
  std::string text;  // as it was written
  Query query;
};

struct FindReport {
  std::string file;
  std::vector<AskedQuery> queries;
  std::string asked_for;  // the function, by name, or how many
  bool many = false;      // from a file of queries: each answer names its query
  bool explain = false;
  FindOptions options;
  FindResult result;
};

void write_find_text(const FindReport& report);
void write_find_json(const FindReport& report);

// Throws FileError that names the events which could not be searched; there are some.
[[noreturn]] void throw_unsearched(const FindReport& report);

}  // namespace pathspool::cli
