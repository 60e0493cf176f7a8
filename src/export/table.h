// SPDX-License-Identifier: Apache-2.0
// Table of text for human readers and spreadsheets, printed as aligned text, Markdown or CSV.
//
//   Table t({{"layer"}, {"time", Align::kRight}});
//   t.add({"conv1", "1.2 ms"});
//   sink.write(t.text());
//
// Cells may contain untrusted text (model names); each format escapes it in its own way. Plain
// data, owns its cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ridge::exports {

enum class Align : std::uint8_t { kLeft, kRight };

/// Width of a column of sentences, which are never shortened.
inline constexpr std::size_t kWhole = SIZE_MAX;

struct Column {
  std::string title;
  Align align = Align::kLeft;
  /// In text(), longer cells are shortened in the middle; Markdown and CSV never shorten.
  std::size_t width = 48;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Missing cells are empty, surplus ones ignored.
  void add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  /// Removes the columns of those titles whose cells are all equal, and returns their values:
  /// "model plain.onnx; threads 1", without empty ones. Does nothing for fewer than two rows.
  std::string take_shared(const std::vector<std::string>& titles);

  /// Aligned text: columns two spaces apart, a rule under the titles, no trailing blanks, each line
  /// ended by '\n'.
  std::string text() const;
  std::string markdown() const;
  /// CSV by RFC 4180 with '\n' line ends; csv_field protects text that spreadsheets would evaluate.
  std::string csv() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Cell of a time in the unit that suits people, or, if `exact`, in nanoseconds; "" if it is NaN.
std::string duration_cell(double ns, bool exact);

}  // namespace ridge::exports
