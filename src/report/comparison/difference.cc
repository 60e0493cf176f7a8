// SPDX-License-Identifier: Apache-2.0
#include "report/comparison/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "base/text.h"
#include "export/comparison/words.h"
#include "report/chart/row_plot.h"
#include "report/chart/svg.h"

namespace ridge::report {
namespace {

using compare::Comparison;
using compare::Parts;
using compare::Row;

constexpr std::size_t kMaxSteps = 14;
constexpr std::size_t kFewSteps = 6;  ///< modules are expanded up to this number of steps
constexpr double kSmallStep = 0.005;  ///< share of the sum of all absolute differences

/// Time that `run` takes longer than the baseline; a model without the nodes takes no time for
/// them.
double lost(const Row& row, std::size_t run) {
  return row.cells[run].time_ns.value_or(0) - row.cells[0].time_ns.value_or(0);
}

/// Sorts by size and merges the steps beyond kMaxSteps - 1, and the negligible ones, into one step
/// "N others".
///
/// Example: 40 steps of 0, 1, ..., 39 ns. The first 13 (39 to 27 ns) stay, as all are above 0.5 %
/// of the sum 780 ns; the other 27 become one step "27 others" of 26 * 27 / 2 = 351 ns.
std::vector<Step> largest_first(std::vector<Step> steps) {
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& a, const Step& b) { return std::abs(a.ns) > std::abs(b.ns); });
  double all = 0;
  for (const Step& step : steps) all += std::abs(step.ns);
  std::size_t kept = std::min(steps.size(), kMaxSteps - 1);
  while (kept > 0 && std::abs(steps[kept - 1].ns) < kSmallStep * all) --kept;
  if (steps.size() - kept < 2) return steps;
  Step rest{fmt::format("{} others", steps.size() - kept), 0};
  for (std::size_t i = kept; i < steps.size(); ++i) rest.ns += steps[i].ns;
  steps.resize(kept);
  steps.push_back(std::move(rest));
  return steps;
}

/// Adds the parts of the difference that are in no group, in the order of the table of parts.
void add_remainder(const Comparison& c, std::size_t run, std::vector<Step>& steps) {
  const std::optional<Parts>& d = c.differences[run];
  if (!d) return;
  if (!std::isfinite(d->outside_ns)) {  // an imported run
    steps.push_back({"inserted by the runtime", d->inserted_ns});
    steps.push_back({"not attributed to nodes", d->unattributed_ns});
    steps.push_back({"outside layers or unexplained",
                     d->latency_ns - d->groups_ns - d->inserted_ns - d->unattributed_ns});
    return;
  }
  for (const exports::Part& part : exports::shown_parts(c))
    if (part.ns != &Parts::latency_ns && part.ns != &Parts::groups_ns)
      steps.push_back({std::string(part.title), (*d).*part.ns});
}

/// Branches that become steps: while they are fewer than kFewSteps, the module with the largest sum
/// of absolute differences is replaced by its children.
///
/// Example: roots a (12 ns apart: z 7, b 5), in (1) and h: o (0). They are 3, so a is replaced by z
/// and b; now 4, so b is replaced by its groups x and y. No module is left: in, h: o, z, x, y.
std::vector<std::uint32_t> frontier(const ComparisonTree& tree, std::size_t run) {
  const std::vector<double> apart =
      tree.sums([&](const Row& row) { return std::abs(lost(row, run)); });
  std::vector<std::uint32_t> out = tree.roots();
  while (out.size() < kFewSteps) {
    std::size_t widest = out.size();
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t children = tree[out[i]].children.size();
      if (children > 0 && (widest == out.size() || apart[out[i]] > apart[out[widest]])) widest = i;
    }
    if (widest == out.size()) break;
    const std::vector<std::uint32_t>& children = tree[out[widest]].children;
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(widest));
    out.insert(out.end(), children.begin(), children.end());
  }
  return out;
}

constexpr RowSize kDifferenceSize = {.labels = 300, .values = 130, .top = 0, .row = 24};
constexpr double kDifferenceBar = 15;
constexpr std::size_t kDifferenceLabel = 42;  ///< letters of a row's label

std::string label_of(const RowPlot& plot, std::size_t row, std::string_view label,
                     std::string_view css = "label") {
  return plot.label(row, shorten_middle(printable(label), kDifferenceLabel), css);
}

/// Bar of a row between two times.
ChartBox bar_between(const RowPlot& plot, std::size_t row, double from, double to) {
  const double left = plot.x().at(std::min(from, to));
  return {left, plot.y(row) - kDifferenceBar / 2, plot.x().at(std::max(from, to)) - left,
          kDifferenceBar};
}

struct Segment {
  std::string label;
  double ns = 0;
  std::string look;  ///< SVG attributes of its rectangle
};

struct Bar {
  std::string label, value;
  std::vector<Segment> segments;
  double ns() const {
    double sum = 0;
    for (const Segment& s : segments) sum += s.ns;
    return sum;
  }
};

std::vector<Segment> of_operators(const std::map<std::string, double>& by_operator,
                                  const Series& series) {
  std::vector<double> sums(kSeriesColors, 0);
  for (const auto& [op, ns] : by_operator) sums[series.place(op)] += ns;
  const std::vector<std::string> names = series.names();
  std::vector<Segment> out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out.push_back({names[i], sums[i], fmt::format("fill=\"{}\"", series_color(i))});
  return out;
}

Bar bar_of_run(const Comparison& c, std::size_t run, const Series& series) {
  std::map<std::string, double> sums;
  for (const Row& row : c.groups) sums[row.op] += row.cells[run].time_ns.value_or(0);
  Bar bar{c.runs[run].label, "", of_operators(sums, series)};
  const std::optional<Parts>& parts = c.parts[run];
  if (!parts) {
    bar.value = exports::time_text(c.groups_ns[run]) + " in groups";
    return bar;
  }
  bar.value = exports::time_text(parts->latency_ns);
  for (const exports::Part& part : exports::shown_parts(c)) {
    const double ns = (*parts).*part.ns;
    if (part.ns == &Parts::latency_ns || part.ns == &Parts::groups_ns || !(ns > 0)) continue;
    bar.segments.push_back(
        {std::string(part.title), ns,
         fmt::format("class=\"{}\"", part.ns == &Parts::outside_ns       ? "outside"
                                     : part.ns == &Parts::unexplained_ns ? "unknown"
                                                                         : "other")});
  }
  return bar;
}

Bar best_bar(const Comparison& c, const Series& series) {
  std::map<std::string, double> sums;
  for (const Row& row : c.groups) {
    std::optional<double> best;
    if (compare::is_shared(row)) {
      for (const compare::Cell& cell : row.cells)
        best = std::min(best.value_or(*cell.time_ns), *cell.time_ns);
    } else if (c.best_others) {
      best = row.cells[*c.best_others].time_ns;
    }
    sums[row.op] += best.value_or(0);
  }
  return {"fastest run of each group", duration(c.best_ns), of_operators(sums, series)};
}

std::string draw(const Bar& bar, std::size_t row, const RowPlot& plot) {
  std::string out = label_of(plot, row, bar.label);
  double at = 0;
  for (const Segment& s : bar.segments) {
    if (!(s.ns > 0)) continue;
    out += svg_rect(bar_between(plot, row, at, at + s.ns),
                    fmt::format("{} data-ns=\"{:.9g}\"", s.look, s.ns),
                    bar.label + "\n" + s.label + ": " + duration(s.ns));
    at += s.ns;
  }
  return out + svg_text(plot.x().at(at) + 8, plot.y(row) + 4, "value", bar.value);
}

/// Legend of the segments that are not operators.
std::string gray_legend(const std::vector<Bar>& bars, double x, double y) {
  struct Grey {
    std::string_view css, text;
  };
  std::string out;
  for (const Grey gray : {Grey{"other", "inserted or not attributed"},
                          {"outside", "outside layers"},
                          {"unknown", "unexplained"}}) {
    const std::string look = fmt::format("class=\"{}\"", gray.css);
    const bool used = std::any_of(bars.begin(), bars.end(), [&](const Bar& bar) {
      return std::any_of(bar.segments.begin(), bar.segments.end(),
                         [&](const Segment& s) { return s.look == look && s.ns > 0; });
    });
    if (!used) continue;
    out += svg_key({x, y}, look, gray.text);
    x += 36 + 7.4 * static_cast<double>(gray.text.size());
  }
  return out;
}

}  // namespace

std::vector<Step> module_steps(const Comparison& c, const ComparisonTree& tree, std::size_t run) {
  const std::vector<double> sums = tree.sums([&](const Row& row) { return lost(row, run); });
  std::vector<Step> steps;
  for (const std::uint32_t b : frontier(tree, run)) steps.push_back({tree[b].row->label, sums[b]});
  steps = largest_first(std::move(steps));
  add_remainder(c, run, steps);
  return steps;
}

std::vector<Step> operator_steps(const Comparison& c, std::size_t run) {
  std::map<std::string, double> sums;
  for (const Row& row : c.groups) sums[row.op] += lost(row, run);
  std::vector<Step> steps;
  for (const auto& [op, ns] : sums) steps.push_back({op, ns});
  steps = largest_first(std::move(steps));
  add_remainder(c, run, steps);
  return steps;
}

std::string latency_bars(const Comparison& c) {
  std::map<std::string, double> weights;
  for (const Row& row : c.groups)
    for (const compare::Cell& cell : row.cells) weights[row.op] += cell.time_ns.value_or(0);
  const Series series(weights);
  std::vector<Bar> bars;
  for (std::size_t r = 0; r < c.runs.size(); ++r) bars.push_back(bar_of_run(c, r, series));
  bars.push_back(best_bar(c, series));
  double most = 1;
  for (const Bar& bar : bars) most = std::max(most, bar.ns());
  const RowPlot plot({.low = 0, .high = most}, kDifferenceSize, bars.size());
  std::string out;
  for (std::size_t i = 0; i < bars.size(); ++i) out += draw(bars[i], i, plot);
  const double left = kDifferenceSize.labels + 5, right = kDifferenceSize.width;
  const double below = plot.floor() + 20, gray = below + series.legend_growth(left, right) + 20;
  out += svg_group("class=\"legend\"", "",
                   series.legend(left, below, right) + gray_legend(bars, left, gray));
  return svg_chart("parts", right, gray + 14, "what the latencies are made of", out);
}

std::string waterfall(const Comparison& c, std::size_t run, const std::vector<Step>& steps) {
  const bool whole = c.differences[run].has_value();
  const double start = whole ? c.parts[0]->latency_ns : c.groups_ns[0];
  const double end = whole ? c.parts[run]->latency_ns : c.groups_ns[run];
  ValueRange range;
  range.take(start);
  range.take(end);
  double at = start;
  for (const Step& step : steps) range.take(at += step.ns);
  const RowPlot plot({.low = range.low, .high = std::max(range.high, range.low + 1)},
                     kDifferenceSize, steps.size() + 2);
  const auto total = [&](std::size_t row, std::size_t of, double ns) {
    const double x = plot.x().at(ns) - 1.5, y = plot.y(row) - kDifferenceBar / 2 - 2;
    return label_of(plot, row, c.runs[of].label, "label total") +
           svg_rect({x, y, 3, kDifferenceBar + 4}, "class=\"total\"") +
           plot.value(row, duration(ns), "value end total");
  };
  std::string out = total(0, 0, start);
  at = start;
  std::size_t row = 1;
  for (const Step& step : steps) {
    ChartBox bar = bar_between(plot, row, at, at + step.ns);
    bar.width = std::max(bar.width, 1.0);
    const double x = plot.x().at(at), above = plot.y(row - 1) + kDifferenceBar / 2 + 2;
    out += label_of(plot, row, step.label) + svg_line(x, above, x, bar.y) +
           svg_rect(bar,
                    fmt::format("class=\"{}\" data-ns=\"{:.9g}\"",
                                step.ns < 0 ? "faster" : "slower", step.ns),
                    step.label + ": " + exports::signed_duration(step.ns)) +
           plot.value(row, exports::signed_duration(step.ns), "value end");
    at += step.ns;
    ++row;
  }
  return plot.svg("parts", "from " + c.runs[0].label + " to " + c.runs[run].label,
                  out + total(row, run, end));
}

}  // namespace ridge::report
