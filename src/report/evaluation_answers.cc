#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/numeral.h"
#include "base/text.h"
#include "report/evaluation_chart.h"
#include "report/evaluation_sections.h"
#include "report/markup.h"
#include "report/svg.h"

namespace ridge::report {
namespace {

/// Samples with different answers that are listed.
constexpr std::size_t kMostChanged = 50;
constexpr double kWidth = 1200, kLabels = 260, kValues = 90, kTop = 26, kRow = 22;

std::string percent(double share) { return fmt::format("{:g} %", 100 * share); }

struct Answered {
  std::size_t place = 0;  ///< position of the point
  const EvaluationPoint* point = nullptr;
};

std::vector<Answered> answered(const EvaluationView& view) {
  std::vector<Answered> out;
  for (std::size_t i = 0; i < view.points.size(); ++i)
    if (view.points[i].answers) out.push_back({i, &view.points[i]});
  return out;
}

/// Each figure of each runtime with its interval, on one scale.
std::string chart(const std::vector<Answered>& all) {
  double low = 1, high = 0;
  std::size_t rows = 0;
  for (const Answered& a : all)
    for (const SampledFigure& f : a.point->answers->figures) {
      if (!f.is_share()) continue;
      low = std::min(low, f.interval ? f.interval->lo : f.value);
      high = std::max(high, f.interval ? f.interval->hi : f.value);
      ++rows;
    }
  if (rows == 0) return "";
  const double room = std::max(0.05 * (high - low), 0.005);
  const ChartAxis axis{std::max(0.0, low - room), std::min(1.0, high + room)};
  const auto x = [&](double v) { return kLabels + axis.share(v) * (kWidth - kValues - kLabels); };
  const double floor = kTop + kRow * static_cast<double>(rows);
  std::string out;
  for (const double v : axis.ticks())
    out += svg_line(x(v), kTop - 6, x(v), floor) + svg_text(x(v), kTop - 11, "middle", percent(v));
  double y = kTop + kRow / 2;
  for (const Answered& a : all)
    for (const SampledFigure& f : a.point->answers->figures) {
      if (!f.is_share()) continue;
      out += svg_text(kLabels - 10, y + 4, "end",
                      shorten_middle(title_of(*a.point), 24) + ", " + printable(f.name));
      if (f.interval)
        out += fmt::format(
            "<g class=\"whisker\"><line style=\"stroke:{}\" x1=\"{:.1f}\" x2=\"{:.1f}\" "
            "y1=\"{:.1f}\" y2=\"{:.1f}\"/></g>\n",
            series_color(a.place), x(f.interval->lo), x(f.interval->hi), y, y);
      out += fmt::format("<circle style=\"fill:{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\"/>\n",
                         series_color(a.place), x(f.value), y) +
             svg_text(kWidth, y + 4, "end", fmt::format("{:.2f} %", 100 * f.value));
      y += kRow;
    }
  return scrolled(fmt::format(
      "<svg class=\"ac ev wide\" viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"accuracy with "
      "intervals\">\n{}</svg>\n",
      kWidth, floor + 4, out));
}

std::string sample_text(const EvaluationView& view, std::size_t sample) {
  if (sample >= view.sample_names.size()) return std::to_string(sample);
  return shorten_middle(printable(view.sample_names[sample]), 60);
}

std::string class_cell(const EvaluationAnswers& answers, std::size_t sample) {
  const std::int64_t c = answers.predicted[sample];
  const auto named = answers.class_names.find(c);
  return number_cell(static_cast<double>(c), named == answers.class_names.end()
                                                 ? fmt::format("class {}", c)
                                                 : shorten(printable(named->second), 40));
}

/// Samples to which at least two of the runtimes give different classes.
std::string changed(const EvaluationView& view, const std::vector<Answered>& all) {
  if (all.size() < 2) return "";
  std::size_t samples = all.front().point->answers->predicted.size();
  for (const Answered& a : all) samples = std::min(samples, a.point->answers->predicted.size());
  if (samples == 0) return "";
  std::string rows, head = column("sample", false);
  for (const Answered& a : all) head += column(shorten_middle(title_of(*a.point), 40), true);
  std::size_t differ = 0;
  for (std::size_t s = 0; s < samples; ++s) {
    const std::int64_t first = all.front().point->answers->predicted[s];
    const bool same = std::ranges::all_of(
        all, [&](const Answered& a) { return a.point->answers->predicted[s] == first; });
    if (same || ++differ > kMostChanged) continue;
    rows += "<tr>" + text_cell(sample_text(view, s));
    for (const Answered& a : all) rows += class_cell(*a.point->answers, s);
    rows += "</tr>\n";
  }
  std::string out =
      fmt::format("<p>{} of {} get different answers from the runtimes ({:.3g} %).</p>\n",
                  count_text(static_cast<std::int64_t>(differ)),
                  counted(static_cast<std::int64_t>(samples), "sample"),
                  100 * static_cast<double>(differ) / static_cast<double>(samples));
  if (differ == 0) return out;
  if (differ > kMostChanged)
    out += fmt::format("<p class=\"sub\">The first {} of them:</p>\n", kMostChanged);
  return out + scrolled("<table class=\"sortable packed\" id=\"changed\"><thead><tr>" + head +
                        "</tr></thead><tbody>\n" + rows + "</tbody></table>");
}

std::string figure_cell(const std::optional<SampledFigure>& f) {
  return f ? number_cell(f->value, f->text(f->value)) : number_cell(std::nullopt, "");
}

/// Differences of outputs from those of the first runtime.
std::string divergence(const EvaluationView& view) {
  std::string rows;
  for (const EvaluationPoint& p : view.points)
    for (const ShownDivergence& d : p.divergence)
      rows += "<tr>" + text_cell(title_of(p)) + text_cell(printable(d.output)) +
              number_cell(static_cast<double>(d.samples), count_text(d.samples)) +
              figure_cell(d.agreement) +
              number_cell(d.largest_absolute, significant(d.largest_absolute, 3)) +
              number_cell(d.mean_absolute, significant(d.mean_absolute, 3)) + figure_cell(d.kl) +
              figure_cell(d.js) + "</tr>\n";
  if (rows.empty()) return "";
  return "<h3>Outputs beside those of the first runtime</h3>\n<p class=\"sub\">The same samples in "
         "both. Agreement: samples with the same top class. Divergences of Kullback and Leibler "
         "and of Jensen and Shannon are means over samples, in nat.</p>\n" +
         scrolled("<table class=\"sortable packed\" id=\"divergence\"><thead><tr>" +
                  column("runtime", false) + column("output", false) + column("samples", true) +
                  column("agreement", true) + column("largest difference", true) +
                  column("mean difference", true) + column("KL", true) + column("JS", true) +
                  "</tr></thead><tbody>\n" + rows + "</tbody></table>");
}

}  // namespace

std::string evaluation_answers_section(const EvaluationView& view) {
  const std::vector<Answered> all = answered(view);
  const std::string markup = chart(all) + changed(view, all) + divergence(view);
  if (markup.empty()) return "";
  return section("Answers",
                 "<p class=\"sub\">Every sample of the data runs once, apart from the load. Lines "
                 "are 95 % intervals for other samples of the same kind.</p>\n" +
                     markup);
}

}  // namespace ridge::report
