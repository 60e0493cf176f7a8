// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/percent.h"
#include "base/text.h"
#include "report/bricks/sections.h"
#include "report/chart/row_plot.h"
#include "report/chart/svg.h"
#include "report/kit/markup.h"

namespace ridge::report {
namespace {

using bricks::CheckedModel;

constexpr RowSize kErrorsSize = {.labels = 250, .values = 80, .top = 30, .row = 22};
constexpr double kErrorsBar = 9;
constexpr std::size_t kErrorsNameLength = 30;
/// Errors that the chart marks as bands.
constexpr double kNear = 0.03, kFar = 0.15;
/// Ends of the axis.
constexpr std::array kReaches = {0.16, 0.2, 0.3, 0.5, 1.0};

/// "+1.3 %"; "0.0 %" without a sign.
std::string error_percent(double share) {
  return std::abs(share) < 0.0005 ? percent(0) : signed_percent(share);
}

/// Axis of errors, symmetric around 0.
ChartAxis axis_of(const bricks::Check& check) {
  double most = 0;
  for (const CheckedModel& m : check.models)
    if (std::isfinite(m.error())) most = std::max(most, 1.05 * std::abs(m.error()));
  const auto* const found =
      std::ranges::find_if(kReaches, [&](double candidate) { return candidate >= most; });
  const double reach = found == kReaches.end() ? kReaches.back() : *found;
  return {.low = -reach, .high = reach};
}

/// Rectangle between two errors.
ChartBox box_between(const ChartAxis& x, double low, double high, double top, double height) {
  return {x.at(low), top, std::max(x.at(high) - x.at(low), 1.0), height};
}

std::string error_scale(const RowPlot& plot) {
  const double top = kErrorsSize.top - 6, height = plot.floor() - top;
  std::vector<double> values = {0};  // the first ones have labels first
  for (const double error : {kFar, kNear, 0.1, 0.3, 0.5, 1.0})
    if (error <= plot.x().high) values.insert(values.end(), {error, -error});
  return svg_rect(box_between(plot.x(), -kFar, kFar, top, height), "class=\"far\"") +
         svg_rect(box_between(plot.x(), -kNear, kNear, top, height), "class=\"near\"") +
         plot.grid(values, [](double v) { return fmt::format("{:+.0f} %", 100 * v); });
}

/// Interval relative to the measured latency; nullopt without one.
std::optional<stats::Interval> span_of(const stats::Estimate& interval, double measured) {
  return stats::finite_interval(interval.low() / measured - 1, interval.high() / measured - 1);
}

std::string error_tooltip(const CheckedModel& m) {
  const auto side = [](std::string_view what, const stats::Estimate& e) {
    return fmt::format("{} {}, 95 % interval {} to {}", what, duration(e.value), duration(e.low()),
                       duration(e.high()));
  };
  return fmt::format("{}: {}\n{}\n{}", printable(m.name), error_percent(m.error()),
                     side("estimate", m.estimate), side("measured", m.measured));
}

std::string error_row(const RowPlot& plot, const CheckedModel& m, const std::string& name,
                      std::size_t row) {
  std::string out = plot.label(row, shorten_middle(name, kErrorsNameLength)) +
                    plot.value(row, error_percent(m.error()), "end value");
  if (const auto s = span_of(m.measured, m.measured.value))
    out += svg_rect(box_between(plot.x(), s->lo, s->hi, plot.y(row) - kErrorsBar / 2, kErrorsBar),
                    "class=\"measured\"");
  out += interval_dot(plot.x(), plot.y(row),
                      {.value = m.error(),
                       .interval = span_of(m.estimate, m.measured.value),
                       .radius = 4.2,
                       .line = "class=\"estimate\""});
  return svg_group(m.intervals_meet() ? "class=\"meets\"" : "class=\"apart\"", error_tooltip(m),
                   out);
}

std::string name_of(const BricksView& view, const std::string& model) {
  for (std::size_t m = 0; m < view.names.size(); ++m)
    if (view.plan->models[m].name == model) return view.names[m];
  return printable(model);
}

std::string errors_chart(const BricksView& view, const std::vector<const CheckedModel*>& models) {
  const RowPlot plot(axis_of(*view.check), kErrorsSize, models.size());
  std::string out = error_scale(plot);
  for (std::size_t i = 0; i < models.size(); ++i)
    out += error_row(plot, *models[i], name_of(view, models[i]->name), i);
  return plot.svg("be", "error of each estimate with both intervals", out);
}

std::string errors_table(const std::vector<const CheckedModel*>& models) {
  std::string rows;
  const auto width = [](const stats::Estimate& e) {
    return half_width_cell(bricks::relative_half_width(e));
  };
  for (const CheckedModel* m : models)
    rows += "<tr>" + text_cell(printable(m->name)) +
            number_cell(m->measured.value, duration(m->measured.value)) + width(m->measured) +
            number_cell(m->estimate.value, duration(m->estimate.value)) + width(m->estimate) +
            number_cell(m->error(), error_percent(m->error())) +
            fmt::format("<td>{}</td>", m->intervals_meet() ? "yes" : "no") +
            number_cell(static_cast<double>(m->processes), std::to_string(m->processes)) +
            "</tr>\n";
  return "<div class=\"scroll\"><table class=\"sortable packed\" id=\"errors\"><thead><tr>" +
         column("model", false) + column("measured", true) + column("±", true) +
         column("estimate", true) + column("±", true) +
         "<th class=\"n\" data-sort=\"number\" aria-sort=\"descending\">error</th>" +
         column("intervals meet", false) + column("processes", true) + "</tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n";
}

std::string bricks_seconds(double s) { return s > 0 ? duration(s * 1e9) : "0 s"; }

/// Two bars on one scale: the bricks' time by kind, and the time of the models.
std::string times(const bricks::Check& check) {
  const bricks::CheckTimes& t = check.times;
  const bricks::CheckSummary s = bricks::summary_of(check);
  const double bricks = t.plan_s + t.load_s + t.run_s, most = std::max({bricks, s.models_s, 1e-9});
  const auto part = [&](std::string_view css, double time, std::string_view what) {
    return BarPart{css, time / most, fmt::format("{}: {}", what, bricks_seconds(time))};
  };
  const auto row = [](std::string_view name, double time, const std::string& bar) {
    return fmt::format("<tr><td>{}</td>{}<td class=\"wide\">{}</td></tr>\n", name,
                       number_cell(time, bricks_seconds(time)), bar);
  };
  std::string note;
  if (check.measured_before)
    note = "The store had times of bricks before, so the time saved is not judged. ";
  else if (s.models_s > 0 && std::isfinite(s.saved))
    note = fmt::format("Measuring the models took {:.1f} times as long as their bricks. ", s.saved);
  if (std::isfinite(s.saved_equal_runs))
    note += fmt::format("One run of every model takes {:.1f} times as long as one of every brick. ",
                        s.saved_equal_runs);
  const auto wide =
      std::ranges::count_if(check.models, [](const auto& m) { return !m.comparable(); });
  if (wide > 0)
    note += fmt::format("Without {} whose measurement or estimate stayed too wide.",
                        counted(wide, "model"));
  return "<h3>Time of the measurement</h3>\n<p class=\"sub\">" + note + "</p>\n" +
         fmt::format(
             "<p class=\"keys\"><span class=\"key plan\">planning {}</span><span class=\"key "
             "load\">loading {}</span><span class=\"key run\">running {}</span><span "
             "class=\"key models\">models: loading and running</span></p>\n",
             bricks_seconds(t.plan_s), bricks_seconds(t.load_s), bricks_seconds(t.run_s)) +
         "<table class=\"times\"><tbody>\n" +
         row("bricks", bricks,
             parts_bar({part("plan", t.plan_s, "planning"), part("load", t.load_s, "loading"),
                        part("run", t.run_s, "running")})) +
         row("models", s.models_s, parts_bar({part("models", s.models_s, "models")})) +
         "</tbody></table>\n";
}

}  // namespace

std::string errors_section(const BricksView& view) {
  if (view.check == nullptr) return "";
  const bricks::Check& check = *view.check;
  std::string out;
  if (!check.without_estimate.empty()) {
    std::string names;
    for (const std::string& name : check.without_estimate)
      names += (names.empty() ? "" : ", ") + printable(name);
    out += "<p class=\"sub\">Without an estimate: " + html_escape(names) + ".</p>\n";
  }
  if (check.models.empty()) return out.empty() ? "" : section("Error per model", out);
  std::vector<const CheckedModel*> models;
  for (const CheckedModel& m : check.models) models.push_back(&m);
  std::ranges::stable_sort(models, std::ranges::greater{},
                           [](const CheckedModel* m) { return m->error(); });
  return section(
      "Error per model",
      "<p class=\"sub\">Error: estimate / measured latency - 1. Bands: errors up to 3 % and up to "
      "15 %.</p>\n" +
          out +
          "<p class=\"keys\"><span class=\"key estimate\">estimate with its 95 % interval</span>"
          "<span class=\"key apart\">the same, apart from the measured interval</span><span "
          "class=\"key measured\">95 % interval of the measured latency</span></p>\n" +
          scrolled(errors_chart(view, models)) + errors_table(models) + times(check));
}

}  // namespace ridge::report
