// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/bench_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "cli/verbs/bench_list.h"
#include "cli/verbs/point_table.h"
#include "cli/verbs/runs_list.h"
#include "export/table.h"
#include "profile/sweep.h"

namespace ridge::cli {
namespace {

using exports::Align;
using exports::Table;
using session::Cell;
using session::CellState;
using session::Matrix;

std::string state_text(const Cell& cell) {
  switch (cell.state) {
    case CellState::kWaiting:
      if (cell.min_s > 0)
        return fmt::format("skipped: takes at least {}, more than the remaining budget",
                           duration(cell.min_s * 1e9));
      return cell.error.empty() ? "not measured" : "cannot be measured: " + cell.error;
    case CellState::kStored:
      return fmt::format("run {}, already stored", cell.run);
    case CellState::kMeasured:
      return cell.run > 0 ? fmt::format("run {}", cell.run) : "not stored";
    case CellState::kFailed:
      return "failed: " + cell.error;
  }
  return "";
}

bool has_figures(const Cell& cell) {
  return cell.state == CellState::kStored || cell.state == CellState::kMeasured;
}

std::string items_text(const Cell& cell) {
  return std::isnan(cell.items_per_s) ? "-" : si(cell.items_per_s);
}

std::vector<std::string> parts_of(const std::string& label) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < label.size();) {
    const std::size_t end = std::min(label.find(", ", at), label.size());
    out.push_back(label.substr(at, end - at));
    at = end + 2;
  }
  return out;
}

/// Labels of the points, split into the parts that all points share and the rest.
struct Labels {
  std::string shared;                 ///< "1 thread"
  std::vector<std::string> of_cells;  ///< "batch=4"
};

Labels row_labels(const Matrix& matrix) {
  std::vector<std::vector<std::string>> parts;
  for (const Cell& c : matrix.cells) parts.push_back(parts_of(c.label));
  std::vector<std::string> shared;
  if (parts.size() > 1)
    for (const std::string& part : parts[0])
      if (std::ranges::all_of(
              parts, [&](const auto& of) { return std::ranges::find(of, part) != of.end(); }))
        shared.push_back(part);
  Labels out{fmt::format("{}", fmt::join(shared, ", ")), {}};
  for (std::vector<std::string>& own : parts) {
    std::erase_if(
        own, [&](const auto& part) { return std::ranges::find(shared, part) != shared.end(); });
    out.of_cells.push_back(fmt::format("{}", fmt::join(own, ", ")));
  }
  return out;
}

Table bench_text_table(const Matrix& matrix, const Labels& labels, Keys keys) {
  std::vector<exports::Column> columns = {
      {"model", Align::kLeft, 40}, {"point", Align::kLeft, 40},      {"runtime"},
      {"latency", Align::kRight},  {"95 % interval", Align::kRight}, {"items/s", Align::kRight}};
  if (keys == Keys::kShown) columns.push_back({"key"});
  columns.push_back({"state", Align::kLeft, exports::kWhole});
  Table t(std::move(columns));
  for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
    const Cell& c = matrix.cells[i];
    const stats::Estimate& e = c.latency_ns;
    const bool measured = !std::isnan(e.value);  // a model that folds away runs nothing
    std::vector<std::string> row = {matrix.bench(c).model,
                                    labels.of_cells[i],
                                    matrix.runtime(c),
                                    has_figures(c) ? measured ? duration(e.value) : "-" : "",
                                    has_figures(c) ? measured ? interval_text(e) : "-" : "",
                                    has_figures(c) ? items_text(c) : ""};
    if (keys == Keys::kShown) row.push_back(c.key);
    row.push_back(state_text(c));
    t.add(std::move(row));
  }
  return t;
}

BenchState bench_state(const Cell& cell) {
  switch (cell.state) {
    case CellState::kWaiting:
      return cell.error.empty() ? BenchState::kWaiting : BenchState::kImpossible;
    case CellState::kStored:
      return BenchState::kHeld;
    case CellState::kMeasured:
      return BenchState::kMeasured;
    case CellState::kFailed:
      break;
  }
  return BenchState::kFailed;
}

std::string bench_csv(const BenchList& list) {
  Table t({{"model"},
           {"point"},
           {"runtime"},
           {"threads"},
           {"median_ns"},
           {"low_ns"},
           {"high_ns"},
           {"items_per_s"},
           {"run"},
           {"state"},
           {"error"},
           {"key"}});
  for (const BenchPoint& p : list.points)
    t.add({p.model, p.point, p.runtime, std::to_string(p.threads), plain_number(p.latency_ns.value),
           plain_number(p.latency_ns.low()), plain_number(p.latency_ns.high()),
           plain_number(p.items_per_s), p.run ? std::to_string(*p.run) : "",
           std::string(word(p.state)), p.error, p.key});
  return t.csv();
}

BenchList bench_list(const Matrix& matrix) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  BenchList out{.points = {}, .notes = matrix.notes};
  for (const Cell& c : matrix.cells)
    out.points.push_back({.key = c.key,
                          .model = matrix.bench(c).model,
                          .point = c.label,
                          .runtime = matrix.runtime(c),
                          .threads = c.point.threads,
                          .state = bench_state(c),
                          .run = c.run > 0 ? std::optional(c.run) : std::nullopt,
                          .latency_ns = has_figures(c) ? c.latency_ns : stats::Estimate{kNone},
                          .items_per_s = has_figures(c) ? c.items_per_s : kNone,
                          .min_s = c.min_s > 0 ? std::optional(c.min_s) : std::nullopt,
                          .error = c.error,
                          .store_key = c.store_key});
  return out;
}

std::string matrix_text(const Matrix& matrix, Keys keys, TableForm form) {
  const Labels labels = row_labels(matrix);
  Table table = bench_text_table(matrix, labels, keys);
  std::string shared = table.take_shared({"model", "point", "runtime"});
  if (!labels.shared.empty()) shared += (shared.empty() ? "" : "; ") + printable(labels.shared);
  return point_table(shared, table, matrix.notes, form);
}

}  // namespace

constexpr Document<const Matrix&, Keys> kBenchDocument = {
    .table = [](auto& m, Keys keys, Sink& s) { s.write(matrix_text(m, keys, TableForm::kText)); },
    .described = [](auto& matrix, Keys, auto& out) { out.write(bench_list(matrix)); },
    .csv = [](auto& matrix, Keys, Sink& s) { s.write(bench_csv(bench_list(matrix))); },
    .md = [](auto& m, Keys keys, Sink& s) { s.write(matrix_text(m, keys, TableForm::kMarkdown)); }};

}  // namespace ridge::cli
