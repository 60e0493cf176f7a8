#include "cli/verbs/bench_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json_writer.h"
#include "base/text.h"
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

Table bench_text_table(const Matrix& matrix, const Labels& labels) {
  Table t({{"model", Align::kLeft, 40},
           {"point", Align::kLeft, 40},
           {"runtime"},
           {"latency", Align::kRight},
           {"95 % interval", Align::kRight},
           {"items/s", Align::kRight},
           {"state", Align::kLeft, exports::kWhole}});
  for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
    const Cell& c = matrix.cells[i];
    const profile::Estimate& e = c.latency_ns;
    const bool measured = !std::isnan(e.median);  // a model that folds away runs nothing
    t.add({matrix.bench(c).model, labels.of_cells[i], matrix.runtime(c),
           has_figures(c) ? measured ? duration(e.median) : "-" : "",
           has_figures(c) ? measured ? interval_text(e) : "-" : "",
           has_figures(c) ? items_text(c) : "", state_text(c)});
  }
  return t;
}

/// Name of the state in JSON and CSV.
std::string_view state_name(const Cell& cell) {
  switch (cell.state) {
    case CellState::kWaiting:
      return cell.error.empty() ? "waiting" : "impossible";
    case CellState::kStored:
      return "held";
    case CellState::kMeasured:
      return "measured";
    case CellState::kFailed:
      return "failed";
  }
  return "";
}

std::string csv(const Matrix& matrix) {
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
           {"error"}});
  for (const Cell& c : matrix.cells) {
    const auto number = [&](double v) { return has_figures(c) ? plain_number(v) : ""; };
    t.add({matrix.bench(c).model, c.label, matrix.runtime(c), std::to_string(c.point.threads),
           number(c.latency_ns.median), number(c.latency_ns.low), number(c.latency_ns.high),
           number(c.items_per_s), c.run > 0 ? std::to_string(c.run) : "",
           std::string(state_name(c)), c.error});
  }
  return t.csv();
}

void write_cell(const Matrix& matrix, const Cell& c, JsonWriter& json) {
  const auto known = [&](double v) {
    return has_figures(c) && !std::isnan(v) ? std::optional(v) : std::nullopt;
  };
  json.line().begin_object().key("model").value(matrix.bench(c).model);
  json.key("point").value(c.label).key("runtime").value(matrix.runtime(c));
  json.key("threads").value(c.point.threads).key("state").value(state_name(c));
  json.key("run").value(c.run > 0 ? std::optional(c.run) : std::nullopt);
  json.key("median_ns").value(known(c.latency_ns.median)).key("ci95_ns").begin_array();
  json.value(known(c.latency_ns.low)).value(known(c.latency_ns.high)).end_array();
  json.key("items_per_s").value(known(c.items_per_s));
  json.key("least_s").value(c.min_s > 0 ? std::optional(c.min_s) : std::nullopt);
  json.key("error").value_or_null(c.error).end_object();
}

std::string json_text(const Matrix& matrix) {
  StringSink sink;
  JsonWriter json(sink);
  json.begin_object().key("schema").value("ridge.bench/1").key("points").begin_array();
  for (const Cell& c : matrix.cells) write_cell(matrix, c, json);
  json.line().end_array().key("notes").begin_array();
  for (const std::string& note : matrix.notes) json.value(note);
  json.end_array().end_object().line();
  return sink.text() + "\n";
}

}  // namespace

std::string matrix_text(const Matrix& matrix, std::string_view format) {
  if (format == "csv") return csv(matrix);
  if (format == "json") return json_text(matrix);
  const Labels labels = row_labels(matrix);
  Table table = bench_text_table(matrix, labels);
  std::string shared = table.take_shared({"model", "point", "runtime"});
  if (!labels.shared.empty()) shared += (shared.empty() ? "" : "; ") + printable(labels.shared);
  return point_table(shared, table, matrix.notes, format);
}

}  // namespace ridge::cli
