// SPDX-License-Identifier: Apache-2.0
#include "lab/grid/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/numeral.h"
#include "base/percent.h"
#include "base/text.h"

namespace ridge::lab {
namespace {

std::string accuracy_text(const GridCell& cell, double value) {
  const bool share = cell.accuracy_metric == "top1" || cell.accuracy_metric == "top5";
  return share ? percent(value) : significant(value, 4);
}
std::string time_text(const GridCell&, double value) { return duration(value); }
std::string rate_text(const GridCell&, double value) { return significant(value, 4) + "/s"; }
std::string plain_text(const GridCell&, double value) { return significant(value, 4); }
std::string ratio_text(const GridCell&, double value) { return significant(value, 3) + " x"; }

std::string metric_detail(const GridCell& cell) { return cell.accuracy_metric; }
std::string batch_detail(const std::optional<std::int64_t>& batch) {
  return batch ? fmt::format("batch {}", *batch) : "";
}
std::string latency_detail(const GridCell& cell) { return batch_detail(cell.latency_batch); }
std::string items_detail(const GridCell& cell) { return batch_detail(cell.items_batch); }

constexpr std::array kFigures = {
    GridFigure{"accuracy", "accuracy", "of the newest evaluation that has one",
               "ridge eval with data and --store measures it", &GridCell::accuracy, accuracy_text,
               metric_detail},
    GridFigure{"trimmed-mean", "trimmed mean of the latency", "without 20 % at each end",
               "ridge bench --store measures it", &GridCell::trimmed_mean_ns, time_text,
               latency_detail},
    GridFigure{"p90", "90th percentile of the latency", "order statistic of rank ceil(0.9 n)",
               "ridge bench --store measures it", &GridCell::p90_ns, time_text, latency_detail},
    GridFigure{"throughput", "largest throughput", "batch / median latency, over the batches",
               "ridge bench --store measures it", &GridCell::items_per_s, rate_text, items_detail},
    GridFigure{"cost", "cost of a million inferences",
               "at the largest throughput, in the currency of the price",
               "--price HOST=PER_HOUR states what a machine costs", &GridCell::cost_per_million,
               plain_text, items_detail},
    GridFigure{"speed-up", "speed-up", "median latency of the base over this one's",
               "--base COLUMN names the base, measured at the same batch", &GridCell::speed_up,
               ratio_text, latency_detail}};

constexpr std::array<std::string_view, 4> kRules = {
    "Where several runs fit a cell, the newest run's setting counts, and all runs that differ from "
    "it in the batch alone are pooled; runs of older settings are left out and counted.",
    "Latencies are those of the smallest batch; in brackets: 95 % intervals, which allow for "
    "differences between processes; [?]: too few runs.",
    "Accuracy is the newest evaluation's. Of cells without runs, latency and throughput are the "
    "newest single-stream evaluation's.",
    "?: nothing was measured."};

bool known(const GridFigure& figure, const GridCell* cell) {
  return cell != nullptr && !std::isnan((cell->*figure.estimate).value);
}

}  // namespace

std::span<const GridFigure> grid_figures() { return kFigures; }

bool is_known(const Grid& grid, const GridFigure& figure) {
  return std::ranges::any_of(grid.cells,
                             [&](const GridCell& cell) { return known(figure, &cell); });
}

std::string value_text(const GridFigure& figure, const GridCell* cell) {
  if (!known(figure, cell)) return std::string(kNotKnown);
  return figure.text(*cell, (cell->*figure.estimate).value);
}

std::string interval_text(const GridFigure& figure, const GridCell* cell) {
  if (!known(figure, cell)) return "";
  const auto& interval = (cell->*figure.estimate).interval;
  if (!interval) return "[?]";
  if (interval->lo == interval->hi) return "";  // exact, such as the base's speed-up
  return fmt::format("[{}, {}]", figure.text(*cell, interval->lo),
                     figure.text(*cell, interval->hi));
}

std::string cell_text(const GridFigure& figure, const GridCell* cell) {
  if (!known(figure, cell)) return std::string(kNotKnown);
  const std::string detail = figure.detail == nullptr ? "" : figure.detail(*cell);
  const std::string interval = interval_text(figure, cell);
  return fmt::format("{}{}{}{}{}", value_text(figure, cell), interval.empty() ? "" : " ", interval,
                     detail.empty() ? "" : ", ", detail);
}

std::string counts_text(const GridCell& cell) {
  std::string out;
  const auto add = [&](std::int64_t n, std::string_view what) {
    if (n > 0) out += (out.empty() ? "" : ", ") + counted(n, what);
  };
  add(cell.runs, "run");
  add(cell.processes, "process");
  add(cell.evaluations, "evaluation");
  if (!cell.validity.empty()) out += fmt::format("; the load is {}", cell.validity);
  if (cell.left_out > 0) out += fmt::format("; {} left out", counted(cell.left_out, "older run"));
  return out;
}

std::span<const std::string_view> grid_rules() { return kRules; }

std::string grid_title(const Grid& grid) {
  const auto words_of = [](const std::vector<Key>& keys) {
    std::string out;
    for (const Key key : keys) out += fmt::format("{}{}", out.empty() ? "" : ", ", word(key));
    return out;
  };
  return fmt::format("{} x {}", words_of(grid.rows_by), words_of(grid.columns_by));
}

}  // namespace ridge::lab
