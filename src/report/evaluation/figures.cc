// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "accuracy/metrics.h"
#include "base/numeral.h"
#include "base/text.h"
#include "report/chart/keys.h"
#include "report/evaluation/sections.h"
#include "report/kit/markup.h"

namespace ridge::report {
namespace {

using scenario::Figures;
using scenario::Percentile;

/// One figure of one runtime. Text members are not escaped.
struct FigureCell {
  std::optional<double> value;
  std::string text = {};
  std::optional<stats::Interval> interval = {};
  std::string trust = {};  ///< "95 %: 5.1 ms to 5.4 ms", "needs 701 queries"
};

struct FigureRow {
  std::string key, name, how;
  std::function<FigureCell(const EvaluatedPoint&)> cell;
};

using NumberText = std::function<std::string(double)>;

std::string ns_text(double ns) { return duration(ns); }
std::string rate_text(double v) { return significant(v, 4); }
std::string share_text(double v) { return fmt::format("{:.4g} %", 100 * v); }

FigureCell with_interval(double value, const std::optional<stats::Interval>& interval,
                         const NumberText& text) {
  FigureCell out{value, text(value), interval};
  if (interval) out.trust = fmt::format("95 %: {} to {}", text(interval->lo), text(interval->hi));
  return out;
}

std::string cell_markup(const FigureCell& c) {
  if (!c.value || !std::isfinite(*c.value)) return "<td class=\"n\" data-v=\"\"></td>";
  const auto number = [](double v) { return fmt::format("{:.12g}", v); };
  std::string out = fmt::format("<td class=\"n\" data-v=\"{}\"", number(*c.value));
  if (c.interval)
    out += fmt::format(" data-low=\"{}\" data-high=\"{}\"", number(c.interval->lo),
                       number(c.interval->hi));
  out += ">" + html_escape(c.text);
  if (!c.trust.empty()) out += "<br><small>" + html_escape(c.trust) + "</small>";
  return out + "</td>";
}

FigureCell percentile_cell(const EvaluatedPoint& p, double share) {
  if (!has_figures(p)) return {};
  for (const Percentile& percentile : p.figures.latency.percentiles) {
    if (percentile.share != share) continue;
    FigureCell out =
        with_interval(static_cast<double>(percentile.value_ns), percentile.interval, ns_text);
    if (!percentile.interval)
      out.trust = fmt::format("no interval: needs {} queries", count_text(percentile.needed));
    return out;
  }
  return {};
}

/// Row of a figure of the load.
FigureRow of_load(std::string key, std::string name, std::string how,
                  std::function<FigureCell(const Figures&)> cell) {
  return {std::move(key), std::move(name), std::move(how),
          [cell = std::move(cell)](const EvaluatedPoint& p) {
            return has_figures(p) ? cell(p.figures) : FigureCell();
          }};
}

std::vector<double> percentiles_of(const Evaluation& e) {
  for (const EvaluatedPoint& p : e.points) {
    if (!has_figures(p)) continue;
    std::vector<double> out;
    for (const Percentile& percentile : p.figures.latency.percentiles)
      out.push_back(percentile.share);
    return out;
  }
  return {};
}

void add_counts(std::vector<FigureRow>& rows) {
  const auto count = [](std::int64_t n) {
    return FigureCell{static_cast<double>(n), count_text(n)};
  };
  rows.push_back(of_load("queries", "queries",
                         "recorded by the load generator, failed ones included",
                         [=](const Figures& f) { return count(f.queries); }));
  rows.push_back(of_load("failed", "failed queries", "the runtime returned an error",
                         [=](const Figures& f) { return count(f.failed); }));
  rows.push_back({"abandoned", "abandoned queries",
                  "due, but not issued before the longest duration ended",
                  [=](const EvaluatedPoint& p) {
                    return has_figures(p) ? count(p.figures.abandoned) : FigureCell();
                  }});
  rows.push_back(of_load("duration_s", "duration", "from the first due time to the last answer",
                         [](const Figures& f) {
                           return FigureCell{f.duration_s, ns_text(f.duration_s * 1e9)};
                         }));
}

void add_rates(const Evaluation& e, std::vector<FigureRow>& rows) {
  const std::string how =
      "answers without errors over the duration; the interval is Student's, from the counts of ten "
      "equal parts of the time";
  rows.push_back(of_load("completed", "queries per second", how, [](const Figures& f) {
    return with_interval(f.completed.per_s, f.completed.interval, rate_text);
  }));
  const bool several = std::ranges::any_of(e.points, [](const EvaluatedPoint& p) {
    return p.figures.samples.per_s > p.figures.completed.per_s;
  });
  if (several)
    rows.push_back(of_load("samples", "samples per second",
                           "queries per second times the samples of a query and of a batch",
                           [](const Figures& f) {
                             return with_interval(f.samples.per_s, f.samples.interval, rate_text);
                           }));
  if (e.scenario.kind == scenario::Kind::kServer)
    rows.push_back(of_load("scheduled", "scheduled per second", "mean rate of the arrivals",
                           [](const Figures& f) {
                             return FigureCell{f.scheduled_per_s, rate_text(f.scheduled_per_s)};
                           }));
}

void add_latencies(const Evaluation& e, std::vector<FigureRow>& rows) {
  for (const double share : percentiles_of(e))
    rows.push_back({fmt::format("latency.{}", scenario::percentile_name(share)),
                    scenario::percentile_name(share) + " of the latency",
                    share == 0.5
                        ? "order statistic of the recorded latencies; its interval lies "
                          "between two others, and counts queries that wait for each other "
                          "as fewer"
                        : "as p50",
                    [share](const EvaluatedPoint& p) { return percentile_cell(p, share); }});
  rows.push_back(of_load("mean", "mean latency", "over all queries; one slow query moves it",
                         [](const Figures& f) {
                           return FigureCell{f.latency.mean_ns, ns_text(f.latency.mean_ns)};
                         }));
  rows.push_back(
      of_load("trimmed_mean", "trimmed mean", "without the 20 % at each end", [](const Figures& f) {
        return FigureCell{f.latency.trimmed_mean_ns, ns_text(f.latency.trimmed_mean_ns)};
      }));
  if (!e.bound) return;
  const std::string within = "within " + short_duration(static_cast<double>(e.bound->latency_ns));
  rows.push_back(of_load(
      "within", within,
      "share of the queries; the interval is Clopper and Pearson's for as many independent queries "
      "as these tell",
      [](const Figures& f) {
        return f.within ? with_interval(f.within->value, f.within->interval, share_text)
                        : FigureCell();
      }));
}

void add_lateness(std::vector<FigureRow>& rows) {
  rows.push_back(of_load("late.p99", "issued late by, p99",
                         "from when a query was due and a worker free to its issue: "
                         "the generator's own fault",
                         [](const Figures& f) {
                           const auto ns = static_cast<double>(f.lateness.p99_ns);
                           return FigureCell{ns, short_duration(ns)};
                         }));
  rows.push_back(of_load(
      "late.share", "issued later than 20 µs", "share of the queries", [](const Figures& f) {
        return FigureCell{f.lateness.share_late, share_text(f.lateness.share_late)};
      }));
}

void add_peaks(const Evaluation& e, std::vector<FigureRow>& rows) {
  if (!searches_peak(e)) return;
  rows.push_back(
      {"peak", "largest rate within the bound",
       "largest rate of the search whose queries kept the bound with 95 % confidence",
       [](const EvaluatedPoint& p) {
         return p.peak ? FigureCell{p.peak->rate, rate_text(p.peak->rate)} : FigureCell();
       }});
}

void add_answers(const Evaluation& e, std::vector<FigureRow>& rows) {
  std::vector<std::string> metrics;
  for (const EvaluatedPoint& p : e.points)
    if (p.accuracy)
      for (const NamedFigure* f : known_figures(*p.accuracy))
        if (std::ranges::find(metrics, f->metric) == metrics.end()) metrics.push_back(f->metric);
  for (const std::string& metric : metrics) {
    const accuracy::MetricRow* row = accuracy::find_metric(metric);
    rows.push_back({"answers." + metric, metric,
                    (row == nullptr ? "" : std::string(row->description) + "; ") +
                        "over the judged samples, each run once; the interval takes them as "
                        "independent draws",
                    [metric](const EvaluatedPoint& p) -> FigureCell {
                      if (!p.accuracy) return {};
                      for (const NamedFigure* f : known_figures(*p.accuracy))
                        if (f->metric == metric)
                          return with_interval(f->figure.value, f->figure.interval,
                                               [f](double v) { return figure_text(*f, v); });
                      return {};
                    }});
  }
}

}  // namespace

std::string evaluation_figures_section(const Evaluation& e) {
  if (e.points.empty()) return "";
  std::vector<FigureRow> rows;
  if (e.load) {
    add_latencies(e, rows);
    add_rates(e, rows);
    add_peaks(e, rows);
    add_counts(rows);
    add_lateness(rows);
  }
  add_answers(e, rows);
  if (rows.empty()) return "";
  std::string head = "<th>figure</th>", body;
  for (const EvaluatedPoint& p : e.points)
    head += fmt::format("<th class=\"n\">{}</th>", html_escape(shorten_middle(title_of(p), 40)));
  for (const FigureRow& row : rows) {
    body +=
        fmt::format("<tr data-key=\"{}\"><td>{}</td>", html_escape(row.key), html_escape(row.name));
    for (const EvaluatedPoint& p : e.points) body += cell_markup(row.cell(p));
    body += fmt::format("<td>{}</td></tr>\n", html_escape(row.how));
  }
  return section("Figures", scrolled(fmt::format(
                                "<table class=\"figures\" id=\"figures\"><thead><tr>{}<th>how "
                                "it is obtained</th></tr></thead><tbody>\n{}</tbody></table>",
                                head, body)));
}

}  // namespace ridge::report
