// Columns that line up.
#pragma once

#include <string>
#include <vector>

namespace pathspool::cli {

enum class Align { left, right };

struct Column {
  std::string title;
  Align align = Align::left;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // A cell for each column.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  // The titles, then a line for each row; two blanks between columns, none at the end of a line.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace pathspool::cli
