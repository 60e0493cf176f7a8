#include "report/comparison/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "base/text.h"
#include "export/comparison/words.h"
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

constexpr double kDifferenceWidth = 1200, kDifferenceLabels = 300, kDifferenceValues = 130,
                 kDifferenceRow = 24, kDifferenceBar = 15;

/// Maps a time to an x coordinate between the labels and the values.
struct DifferenceScale {
  double from = 0, to = 1;
  double at(double ns) const {
    return kDifferenceLabels + (ns - from) / std::max(to - from, 1.0) *
                                   (kDifferenceWidth - kDifferenceLabels - kDifferenceValues);
  }
};

std::string row_text(double x, double row, std::string_view css, std::string_view text) {
  return fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" class=\"{}\">{}</text>\n", x,
                     row * kDifferenceRow + kDifferenceRow - 8, css, html_escape(text));
}

std::string difference_svg(std::string_view css, std::string_view what, double height,
                           std::string_view markup) {
  return fmt::format(
      "<svg class=\"{}\" viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
      css, kDifferenceWidth, height, html_escape(what), markup);
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

std::string draw(const Bar& bar, double row, const DifferenceScale& scale) {
  std::string out =
      row_text(kDifferenceLabels - 10, row, "label", shorten_middle(printable(bar.label), 42));
  double at = 0;
  for (const Segment& s : bar.segments) {
    if (!(s.ns > 0)) continue;
    out += fmt::format(
        "<rect {} x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"{}\" data-ns=\"{:.9g}\">"
        "<title>{}</title></rect>\n",
        s.look, scale.at(at), row * kDifferenceRow + 4, scale.at(at + s.ns) - scale.at(at),
        kDifferenceBar, s.ns, html_escape(bar.label + "\n" + s.label + ": " + duration(s.ns)));
    at += s.ns;
  }
  return out + row_text(scale.at(at) + 8, row, "value", bar.value);
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
    out += fmt::format(
        "<circle {} cx=\"{:.0f}\" cy=\"{:.0f}\" r=\"5\"/><text x=\"{:.0f}\" "
        "y=\"{:.0f}\">{}</text>\n",
        look, x, y, x + 10, y + 4, gray.text);
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
  DifferenceScale scale;
  for (const Bar& bar : bars) scale.to = std::max(scale.to, bar.ns());
  std::string out;
  for (std::size_t i = 0; i < bars.size(); ++i) out += draw(bars[i], static_cast<double>(i), scale);
  const double below = static_cast<double>(bars.size()) * kDifferenceRow + 20;
  const double gray = below + series.legend_growth(kDifferenceLabels + 5, kDifferenceWidth) + 20;
  out += "<g class=\"legend\">" + series.legend(kDifferenceLabels + 5, below, kDifferenceWidth) +
         gray_legend(bars, kDifferenceLabels + 5, gray) + "</g>\n";
  return difference_svg("parts", "what the latencies are made of", gray + 14, out);
}

std::string waterfall(const Comparison& c, std::size_t run, const std::vector<Step>& steps) {
  const bool whole = c.differences[run].has_value();
  const double start = whole ? c.parts[0]->latency_ns : c.groups_ns[0];
  const double end = whole ? c.parts[run]->latency_ns : c.groups_ns[run];
  DifferenceScale scale{std::min(start, end), std::max(start, end)};
  double at = start;
  for (const Step& step : steps) {
    at += step.ns;
    scale.from = std::min(scale.from, at);
    scale.to = std::max(scale.to, at);
  }
  const auto total = [&](double row, std::size_t of, double ns) {
    return row_text(kDifferenceLabels - 10, row, "label total",
                    shorten_middle(printable(c.runs[of].label), 42)) +
           fmt::format(
               "<rect class=\"total\" x=\"{:.2f}\" y=\"{:.0f}\" width=\"3\" "
               "height=\"{}\"/>\n",
               scale.at(ns) - 1.5, row * kDifferenceRow + 2, kDifferenceBar + 4) +
           row_text(kDifferenceWidth, row, "value end total", duration(ns));
  };
  std::string out = total(0, 0, start);
  at = start;
  double row = 1;
  for (const Step& step : steps) {
    const double left = scale.at(std::min(at, at + step.ns));
    out +=
        row_text(kDifferenceLabels - 10, row, "label", shorten_middle(printable(step.label), 42));
    out += fmt::format(
        "<line x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1:.0f}\" y2=\"{2:.0f}\"/><rect class=\"{3}\" "
        "x=\"{4:.2f}\" y=\"{5:.0f}\" width=\"{6:.2f}\" height=\"{7}\" "
        "data-ns=\"{8:.9g}\"><title>{9}"
        "</title></rect>\n",
        scale.at(at), row * kDifferenceRow - kDifferenceRow + kDifferenceBar + 6,
        row * kDifferenceRow + 4, step.ns < 0 ? "faster" : "slower", left, row * kDifferenceRow + 4,
        std::max(scale.at(std::max(at, at + step.ns)) - left, 1.0), kDifferenceBar, step.ns,
        html_escape(step.label + ": " + exports::signed_duration(step.ns)));
    out += row_text(kDifferenceWidth, row, "value end", exports::signed_duration(step.ns));
    at += step.ns;
    ++row;
  }
  out += total(row, run, end);
  return difference_svg("parts", "from " + c.runs[0].label + " to " + c.runs[run].label,
                        (row + 1) * kDifferenceRow + 4, out);
}

}  // namespace ridge::report
