// SPDX-License-Identifier: Apache-2.0
#include "export/analysis/sweep.h"

#include <fmt/format.h>

#include "analysis/summary.h"
#include "base/numeral.h"
#include "export/analysis/figure_text.h"

namespace ridge::exports {
namespace {

/// "12.3 G", with ">=" before a sum that lacks a node; "?" where nothing is known.
std::string cell(ops::Dim d, bool incomplete, std::string_view unit = "") {
  if (!d.known() || (incomplete && d.is(0))) return "?";
  return (incomplete ? ">= " : "") + readable(d.value(), unit);
}

std::string swept_value(ops::Dim d) { return d.known() ? fmt::format("{}", d.value()) : ""; }

}  // namespace

void AnalysisSweep::add(const analysis::BoundSizes& sizes, const analysis::Resolved& resolved,
                        const analysis::Traffic* traffic,
                        const analysis::ConventionCount* convention) {
  Point point{.totals = resolved.totals()};
  for (const auto& [name, values] : sizes_) point.sizes.push_back(sizes.at(name).value);
  if (traffic != nullptr)
    point.moved = {traffic->totals.expected, traffic->totals.most, traffic->totals.least};
  if (convention != nullptr) {
    convention_ = convention_title(*convention);
    point.by_convention = convention->total;
    point.convention_complete = convention->complete;
  }
  points_.push_back(std::move(point));
}

Table AnalysisSweep::readable_table() const {
  std::vector<Column> columns;
  for (const auto& [name, values] : sizes_) columns.push_back({name, Align::kRight});
  for (const char* title : {"MACs", "flops", "special", "integer", "read", "written"})
    columns.push_back({title, Align::kRight});
  const bool moved = !points_.empty() && !points_.front().moved.empty();
  for (const char* title : {"expected", "at most", "at least"})
    if (moved) columns.push_back({title, Align::kRight});
  for (const char* title : {"activations", "FLOP/B", "unknown"})
    columns.push_back({title, Align::kRight});
  if (!convention_.empty()) columns.push_back({convention_, Align::kRight});
  Table table(std::move(columns));
  for (const Point& p : points_) {
    const analysis::Totals& t = p.totals;
    std::vector<std::string> row;
    for (const std::int64_t size : p.sizes) row.push_back(fmt::format("{}", size));
    const auto add = [&](ops::Dim d, analysis::Totals::Figure figure, std::string_view unit = "") {
      row.push_back(cell(d, t.incomplete.test(figure), unit));
    };
    add(t.macs, analysis::Totals::kMacs);
    add(t.flops, analysis::Totals::kFlops);
    add(t.special, analysis::Totals::kSpecial);
    add(t.int_ops, analysis::Totals::kIntOps);
    add(t.bytes_read, analysis::Totals::kBytesRead, "B");
    add(t.bytes_written, analysis::Totals::kBytesWritten, "B");
    for (const std::int64_t bytes : p.moved)
      row.push_back(cell(ops::Dim(bytes), t.incomplete.test(analysis::Totals::kBytesRead), "B"));
    add(t.peak_activation_bytes, analysis::Totals::kPeakActivationBytes, "B");
    const auto intensity = analysis::intensity(t);
    row.push_back(intensity ? significant(*intensity, 3) : "-");
    row.push_back(t.unknown == 0 ? "-" : fmt::format("{}", t.unknown));
    row.push_back(cell(p.by_convention, !p.convention_complete));
    table.add(std::move(row));
  }
  return table;
}

std::string AnalysisSweep::text() const { return readable_table().text(); }
std::string AnalysisSweep::markdown() const { return readable_table().markdown(); }

std::string AnalysisSweep::csv() const {
  std::vector<Column> columns;
  for (const auto& [name, values] : sizes_) columns.push_back({name});
  for (const char* title : {"macs", "flops", "special", "int_ops", "params", "weight_bytes",
                            "bytes_read", "bytes_written", "peak_activation_bytes", "unknown"})
    columns.push_back({title});
  const bool moved = !points_.empty() && !points_.front().moved.empty();
  for (const char* title : {"bytes_expected", "bytes_max", "bytes_min"})
    if (moved) columns.push_back({title});
  if (!convention_.empty()) columns.push_back({convention_});
  Table table(std::move(columns));
  for (const Point& p : points_) {
    const analysis::Totals& t = p.totals;
    std::vector<std::string> row;
    for (const std::int64_t size : p.sizes) row.push_back(fmt::format("{}", size));
    using enum analysis::Totals::Figure;
    const auto add = [&](ops::Dim d, analysis::Totals::Figure figure) {
      row.push_back(t.incomplete.test(figure) ? "" : swept_value(d));
    };
    add(t.macs, kMacs);
    add(t.flops, kFlops);
    add(t.special, kSpecial);
    add(t.int_ops, kIntOps);
    row.push_back(swept_value(ops::Dim(t.params)));
    row.push_back(swept_value(ops::Dim(t.weight_bytes)));
    add(t.bytes_read, kBytesRead);
    add(t.bytes_written, kBytesWritten);
    add(t.peak_activation_bytes, kPeakActivationBytes);
    row.push_back(swept_value(ops::Dim(t.unknown)));
    for (const std::int64_t bytes : p.moved)
      row.push_back(t.incomplete.test(kBytesRead) ? "" : fmt::format("{}", bytes));
    row.push_back(p.convention_complete ? swept_value(p.by_convention) : "");
    table.add(std::move(row));
  }
  return table.csv();
}

}  // namespace ridge::exports
