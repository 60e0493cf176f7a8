#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/percent.h"
#include "base/text.h"
#include "report/bricks/sections.h"
#include "report/chart/svg.h"
#include "report/kit/markup.h"

namespace ridge::report {
namespace {

using bricks::CheckedModel;

constexpr double kErrorsWidth = 1200, kErrorsLabels = 250, kErrorsValues = 80, kErrorsTop = 30,
                 kErrorsRow = 22, kErrorsBar = 9;
constexpr std::size_t kErrorsNameLength = 30;
/// Errors that the chart marks as bands.
constexpr double kNear = 0.03, kFar = 0.15;
/// Ends of the axis.
constexpr std::array kReaches = {0.16, 0.2, 0.3, 0.5, 1.0};
constexpr double kErrorsTickRoom = 43;  ///< pixels between the labels of two ticks

/// "+1.3 %"; "0.0 %" without a sign.
std::string error_percent(double share) {
  return std::abs(share) < 0.0005 ? percent(0) : signed_percent(share);
}

/// Axis of errors, symmetric around 0.
struct ErrorAxis {
  double reach = kReaches[0];

  double x(double error) const {
    const double share = std::clamp(error / reach, -1.0, 1.0);
    return kErrorsLabels + (share + 1) / 2 * (kErrorsWidth - kErrorsLabels - kErrorsValues);
  }
  /// Errors whose labels fit, 0 first.
  std::vector<double> ticks() const {
    std::vector<double> out;
    for (const double error : {0.0, kFar, kNear, 0.1, 0.3, 0.5, 1.0}) {
      const bool fits = std::ranges::all_of(
          out, [&](double other) { return std::abs(x(error) - x(other)) >= kErrorsTickRoom; });
      if (error <= reach && fits) out.push_back(error);
    }
    return out;
  }
};

ErrorAxis axis_of(const bricks::Check& check) {
  double most = 0;
  for (const CheckedModel& m : check.models)
    if (std::isfinite(m.error())) most = std::max(most, 1.05 * std::abs(m.error()));
  const auto* const reach =
      std::ranges::find_if(kReaches, [&](double candidate) { return candidate >= most; });
  return {reach == kReaches.end() ? kReaches.back() : *reach};
}

std::string band(const ErrorAxis& axis, double error, std::string_view css, double floor) {
  return fmt::format(
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"{:.0f}\"/>\n", css,
      axis.x(-error), kErrorsTop - 6, axis.x(error) - axis.x(-error), floor - kErrorsTop + 6);
}

std::string error_scale(const ErrorAxis& axis, double floor) {
  std::string out = band(axis, kFar, "far", floor) + band(axis, kNear, "near", floor);
  for (const double error : axis.ticks())
    for (const double sign : {1.0, -1.0}) {
      if (error == 0 && sign < 0) continue;
      const double x = axis.x(sign * error);
      out += svg_line(x, kErrorsTop - 6, x, floor) +
             svg_text(x, kErrorsTop - 12, "middle",
                      error == 0 ? "0" : fmt::format("{:+.0f} %", 100 * sign * error));
    }
  return out;
}

/// Interval relative to the measured latency; "" without one.
struct ErrorSpan {
  double low = 0, high = 0;
};
std::optional<ErrorSpan> span_of(const profile::Estimate& interval, double measured) {
  if (!std::isfinite(interval.low) || !std::isfinite(interval.high)) return std::nullopt;
  return ErrorSpan{interval.low / measured - 1, interval.high / measured - 1};
}

std::string error_tooltip(const CheckedModel& m) {
  const auto side = [](std::string_view what, const profile::Estimate& e) {
    return fmt::format("{} {}, 95 % interval {} to {}", what, duration(e.median), duration(e.low),
                       duration(e.high));
  };
  return fmt::format("{}: {}\n{}\n{}", printable(m.name), error_percent(m.error()),
                     side("estimate", m.estimate), side("measured", m.measured));
}

std::string error_row(const ErrorAxis& axis, const CheckedModel& m, const std::string& name,
                      std::size_t row) {
  const double y = kErrorsTop + (static_cast<double>(row) + 0.5) * kErrorsRow;
  std::string out =
      fmt::format("<g class=\"{}\"><title>{}</title>\n", m.intervals_meet() ? "meets" : "apart",
                  html_escape(error_tooltip(m)));
  out += svg_text(kErrorsLabels - 12, y + 4, "end", shorten_middle(name, kErrorsNameLength)) +
         svg_text(kErrorsWidth, y + 4, "end value", error_percent(m.error()));
  if (const auto s = span_of(m.measured, m.measured.median))
    out += fmt::format(
        "<rect class=\"measured\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\"/>\n",
        axis.x(s->low), y - kErrorsBar / 2, std::max(axis.x(s->high) - axis.x(s->low), 1.0),
        kErrorsBar);
  if (const auto s = span_of(m.estimate, m.measured.median))
    out += fmt::format(
        "<line class=\"estimate\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
        axis.x(s->low), axis.x(s->high), y, y);
  const double x = axis.x(m.error());
  if (std::abs(m.error()) > axis.reach)
    out += fmt::format("<path d=\"M{:.1f} {:.1f} l0 9 l{} -4.5 z\"/>\n", x, y - 4.5,
                       m.error() > 0 ? 7 : -7);
  else
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.2\"/>\n", x, y);
  return out + "</g>\n";
}

std::string name_of(const BricksView& view, const std::string& model) {
  for (std::size_t m = 0; m < view.names.size(); ++m)
    if (view.plan->models[m].name == model) return view.names[m];
  return printable(model);
}

std::string errors_chart(const BricksView& view, const std::vector<const CheckedModel*>& models) {
  const ErrorAxis axis = axis_of(*view.check);
  const double floor = kErrorsTop + kErrorsRow * static_cast<double>(models.size());
  std::string out = error_scale(axis, floor);
  for (std::size_t i = 0; i < models.size(); ++i)
    out += error_row(axis, *models[i], name_of(view, models[i]->name), i);
  return fmt::format(
      "<svg class=\"be\" viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"error of each "
      "estimate with both intervals\">\n{}</svg>\n",
      kErrorsWidth, floor + 4, out);
}

std::string errors_table(const std::vector<const CheckedModel*>& models) {
  std::string rows;
  const auto width = [](const profile::Estimate& e) {
    return half_width_cell(bricks::relative_half_width(e));
  };
  for (const CheckedModel* m : models)
    rows += "<tr>" + text_cell(printable(m->name)) +
            number_cell(m->measured.median, duration(m->measured.median)) + width(m->measured) +
            number_cell(m->estimate.median, duration(m->estimate.median)) + width(m->estimate) +
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
