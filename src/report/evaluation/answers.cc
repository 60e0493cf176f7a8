// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accuracy/listed_samples.h"
#include "base/numeral.h"
#include "base/percent.h"
#include "base/text.h"
#include "report/chart/keys.h"
#include "report/chart/plot.h"
#include "report/chart/row_plot.h"
#include "report/chart/svg.h"
#include "report/evaluation/sections.h"
#include "report/kit/markup.h"
#include "report/kit/picture.h"

namespace ridge::report {
namespace {

constexpr RowSize kAnswersSize = {.labels = 260, .values = 90, .top = 26, .row = 22};

struct Answered {
  std::size_t place = 0;  ///< position of the point
  const EvaluatedPoint* point = nullptr;
};

std::vector<Answered> answered(const Evaluation& e) {
  std::vector<Answered> out;
  for (std::size_t i = 0; i < e.points.size(); ++i)
    if (e.points[i].accuracy) out.push_back({i, &e.points[i]});
  return out;
}

/// Each figure of each runtime with its interval, on one scale.
std::string answers_chart(const std::vector<Answered>& all) {
  ValueRange range;
  std::size_t rows = 0;
  for (const Answered& a : all)
    for (const NamedFigure* f : known_figures(*a.point->accuracy)) {
      if (!is_share(f->metric)) continue;
      const auto& [value, interval, samples] = f->figure;
      range.take(interval ? interval->lo : value);
      range.take(interval ? interval->hi : value);
      ++rows;
    }
  if (rows == 0) return "";
  const double room = std::max(0.05 * (range.high - range.low), 0.005);
  const RowPlot plot(
      {.low = std::max(0.0, range.low - room), .high = std::min(1.0, range.high + room)},
      kAnswersSize, rows);
  std::string out = plot.grid(plot.x().ticks(), [](double v) { return short_percent(v); });
  std::size_t row = 0;
  for (const Answered& a : all)
    for (const NamedFigure* named : known_figures(*a.point->accuracy)) {
      if (!is_share(named->metric)) continue;
      const accuracy::Figure& f = named->figure;
      const std::string line = stroke(series_color(a.place)), dot = filled(series_color(a.place));
      out += plot.label(row,
                        shorten_middle(title_of(*a.point), 24) + ", " + printable(named->metric)) +
             svg_group("class=\"whisker\"", "",
                       interval_dot(plot.x(), plot.y(row),
                                    {.value = f.value,
                                     .interval = f.interval,
                                     .radius = 4.5,
                                     .line = line,
                                     .dot = dot})) +
             plot.value(row, fmt::format("{:.2f} %", 100 * f.value));
      ++row;
    }
  return scrolled(plot.svg("ac ev wide", "accuracy with intervals", out));
}

/// Data of a page without any are empty.
const EvaluatedData& data_of(const Evaluation& e) {
  static const EvaluatedData kNone{};
  return e.data ? *e.data : kNone;
}

std::string sample_text(const Evaluation& e, std::size_t sample) {
  if (!e.data || sample >= e.data->names.size()) return std::to_string(sample);
  return shorten_middle(printable(e.data->names[sample]), 60);
}

std::string class_cell(const std::map<std::int64_t, std::string>& names, std::int64_t c,
                       std::optional<std::int64_t> truth) {
  const auto named = names.find(c);
  const std::string text =
      named == names.end() ? fmt::format("class {}", c) : shorten(printable(named->second), 40);
  return fmt::format("<td class=\"{}\" data-v=\"{}\">{}</td>",
                     !truth        ? "n"
                     : c == *truth ? "n right"
                                   : "n wrong",
                     c, html_escape(text));
}

/// Names of classes that any runtime knows.
std::map<std::int64_t, std::string> class_names(const std::vector<Answered>& all) {
  std::map<std::int64_t, std::string> out;
  for (const Answered& a : all)
    out.insert(a.point->accuracy->class_names.begin(), a.point->accuracy->class_names.end());
  return out;
}

/// Table of samples: what each is, its true class, and the class that each runtime gives it.
std::string sample_table(const Evaluation& e, const std::vector<Answered>& all,
                         const std::vector<std::size_t>& samples, std::string_view id) {
  const std::map<std::int64_t, std::string> names = class_names(all);
  const EvaluatedData& data = data_of(e);
  const bool pictured =
      std::ranges::any_of(samples, [&](std::size_t s) { return data.pictures.contains(s); });
  std::string head = (pictured ? "<th>as the model sees it</th>" : "") + column("sample", false);
  if (!data.labels.empty()) head += column("true class", true);
  for (const Answered& a : all) head += column(shorten_middle(title_of(*a.point), 40), true);
  std::string rows;
  for (const std::size_t s : samples) {
    rows += "<tr>";
    const auto picture = data.pictures.find(s);
    if (pictured)
      rows += "<td>" +
              (picture == data.pictures.end()
                   ? std::string()
                   : png_picture(picture->second, "sample " + sample_text(e, s))) +
              "</td>";
    rows += text_cell(sample_text(e, s));
    std::optional<std::int64_t> truth;
    if (s < data.labels.size()) truth = data.labels[s];
    if (!data.labels.empty())
      rows += truth ? class_cell(names, *truth, std::nullopt) : number_cell(std::nullopt, "");
    for (const Answered& a : all) rows += class_cell(names, a.point->accuracy->predicted[s], truth);
    rows += "</tr>\n";
  }
  return scrolled(fmt::format("<table class=\"sortable packed\" id=\"{}\"><thead><tr>", id) + head +
                  "</tr></thead><tbody>\n" + rows + "</tbody></table>");
}

std::string first_of(std::size_t all) {
  if (all <= accuracy::kMaxListed) return "";
  return fmt::format("<p class=\"sub\">The first {} of them:</p>\n", accuracy::kMaxListed);
}

std::string count_of(std::size_t n) { return count_text(static_cast<std::int64_t>(n)); }

/// Samples to which runtimes give different classes, and those that all give the same wrong one.
std::string samples(const Evaluation& e, const std::vector<Answered>& all) {
  std::vector<const std::vector<std::int64_t>*> predicted;
  for (const Answered& a : all) predicted.push_back(&a.point->accuracy->predicted);
  const accuracy::ListedSamples listed = accuracy::listed_samples(predicted, data_of(e).labels);
  if (listed.samples == 0) return "";
  const auto of = [&](std::size_t n) {
    return fmt::format("{} of {}", count_of(n),
                       counted(static_cast<std::int64_t>(listed.samples), "sample"));
  };
  const auto percent_of = [&](std::size_t n) {
    return fmt::format("{:.3g} %",
                       100 * static_cast<double>(n) / static_cast<double>(listed.samples));
  };
  std::string out;
  if (all.size() > 1)
    out += fmt::format("<p>{} get different answers from the runtimes ({}).</p>\n",
                       of(listed.differ), percent_of(listed.differ));
  if (!listed.differing.empty())
    out += first_of(listed.differ) + sample_table(e, all, listed.differing, "changed");
  if (listed.wrong > 0)
    out += fmt::format("<p>{} get {} ({}).</p>\n", of(listed.wrong),
                       all.size() > 1 ? "the same wrong class from every runtime" : "a wrong class",
                       percent_of(listed.wrong)) +
           first_of(listed.wrong) + sample_table(e, all, listed.mistaken, "mistaken");
  return out;
}

/// Figure of outputs that are scores.
std::string scored_cell(const accuracy::OutputDivergence& d, const accuracy::Figure& f,
                        std::string (*text)(double)) {
  const bool scored = d.kind != accuracy::Outputs::kPlain && std::isfinite(f.value);
  return scored ? number_cell(f.value, text(f.value)) : number_cell(std::nullopt, "");
}

/// Differences of outputs from the first runtime's.
std::string divergence(const Evaluation& e) {
  std::string rows;
  for (const EvaluatedPoint& p : e.points)
    for (const accuracy::OutputDivergence& d : p.divergence) {
      if (!d.comparable) continue;
      const accuracy::DivergenceFigures& f = d.figures;
      const double largest = f.largest_absolute.value;
      rows +=
          "<tr>" + text_cell(title_of(p)) + text_cell(printable(d.output)) +
          number_cell(static_cast<double>(f.samples), count_text(f.samples)) +
          scored_cell(d, f.agreement, [](double v) { return fmt::format("{:.2f} %", 100 * v); }) +
          number_cell(largest, significant(largest, 3)) +
          number_cell(f.mean_absolute, significant(f.mean_absolute, 3)) +
          scored_cell(d, f.kullback_leibler, [](double v) { return significant(v, 4); }) +
          scored_cell(d, f.jensen_shannon, [](double v) { return significant(v, 4); }) + "</tr>\n";
    }
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

std::string evaluation_answers_section(const Evaluation& e) {
  const std::vector<Answered> all = answered(e);
  const std::string markup = answers_chart(all) + samples(e, all) + divergence(e);
  if (markup.empty()) return "";
  return section("Answers",
                 "<p class=\"sub\">Every sample of the data runs once, apart from the load. Lines "
                 "are 95 % intervals for other samples of the same kind.</p>\n" +
                     markup);
}

}  // namespace ridge::report
