// Rows of text for people and spreadsheets: one Table, printed as aligned text, Markdown or CSV.
//
//   Table t({{"layer"}, {"time", Align::kRight}});
//   t.add({"conv1", "1.2 ms"});
//   sink.write(t.text());
//
// Cells may hold hostile text (model names); each format makes it safe in its own way. Plain data,
// owns its cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ridge::exports {

enum class Align : std::uint8_t { kLeft, kRight };

/// Width of a column of sentences, which are never cut.
inline constexpr std::size_t kWhole = SIZE_MAX;

struct Column {
  std::string title;
  Align align = Align::kLeft;
  /// In text(), longer cells are cut in the middle; Markdown and CSV never cut.
  std::size_t width = 48;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Missing cells are empty, surplus ones ignored.
  void add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  /// Of two rows or more: takes out the columns of those titles whose cells are all alike, and says
  /// them: "model plain.onnx; threads 1". Empty cells go unsaid.
  std::string take_shared(const std::vector<std::string>& titles);

  /// Columns two spaces apart, a rule under the titles, no trailing blanks, each line ended by
  /// '\n'.
  std::string text() const;
  std::string markdown() const;
  /// RFC 4180 with '\n' line ends; see csv_field for what spreadsheets must not evaluate.
  std::string csv() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace ridge::exports
