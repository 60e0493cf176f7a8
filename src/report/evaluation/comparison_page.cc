// SPDX-License-Identifier: Apache-2.0
#include "report/evaluation/comparison_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "base/numeral.h"
#include "base/text.h"
#include "export/evaluation/comparison_words.h"
#include "export/evaluation/divergence_text.h"
#include "report/kit/markup.h"
#include "report/kit/page.h"

namespace ridge::report {
namespace {

using compare::ChangedAnswer;
using compare::EvaluationComparison;
using compare::EvaluationDifference;
using compare::EvaluationRun;

/// Rows of the matrix, so that pages of large data sets stay small; the documents have all.
constexpr std::size_t kMaxSampleRows = 1000;

constexpr double kRatioBarPixels = 90;

/// Most evaluations with a tile each; the table has all.
constexpr std::size_t kMaxTiles = 6;

std::string heading(const EvaluationComparison& c) {
  std::string out = fmt::format(
      "<h1>{}</h1>\n<p class=\"sub\">{} against {} on {}</p>\n",
      html_escape(printable(c.runs[0].model)), counted(std::ssize(c.differences), "evaluation"),
      html_escape(printable(c.runs[0].label)), html_escape(printable(c.runs[0].host)));
  if (c.differences.size() > kMaxTiles) return out;
  out += "<div class=\"tiles\">\n";
  for (const EvaluationDifference& d : c.differences)
    if (d.changed)
      out += tile(exports::share_text(*d.changed), "answers changed: " + c.runs[d.run].label);
  return out + "</div>\n";
}

std::string time_cell(const std::optional<compare::Ratio>& ratio, bool baseline) {
  if (!ratio) return number_cell(std::nullopt, "");
  if (baseline) return number_cell(ratio->first, duration(ratio->first));
  return number_cell(ratio->second,
                     fmt::format("{}, {}", duration(ratio->second), exports::change_text(ratio)));
}

std::string accuracy_cell(const EvaluationRun& run) {
  const auto figure = exports::accuracy_of(run);
  return figure ? number_cell(figure->value, exports::share_text(*figure))
                : number_cell(std::nullopt, "");
}

/// Difference of accuracy, and its verdict.
std::string judged_cells(const EvaluationDifference& d) {
  if (!d.accuracy) return number_cell(std::nullopt, "") + text_cell("");
  return number_cell(d.accuracy->difference.value, exports::points_text(d.accuracy->difference)) +
         text_cell(fmt::format("{}, p {}", exports::accuracy_verdict(d),
                               exports::p_value_text(d.accuracy->p_value)));
}

std::string run_row(const EvaluationComparison& c, const EvaluationDifference& d,
                    const exports::FilledFigures& filled) {
  const EvaluationRun& run = c.runs[d.run];
  std::string out = "<tr>" + text_cell(run.label);
  out += d.changed ? number_cell(d.changed->value, exports::share_text(*d.changed))
                   : number_cell(std::nullopt, "");
  out += "<td>" + (d.changed ? bar(d.changed->value, kRatioBarPixels) : std::string()) + "</td>";
  if (filled.accuracy) out += accuracy_cell(run);
  if (filled.judged) out += judged_cells(d);
  if (filled.prepare) out += time_cell(d.prepare, false);
  if (filled.latency) out += time_cell(exports::median_latency(d), false);
  if (filled.rate)
    out += d.completed ? number_cell(d.completed->second, exports::change_text(d.completed))
                       : number_cell(std::nullopt, "");
  return out + "</tr>\n";
}

std::string baseline_row(const EvaluationComparison& c, const exports::FilledFigures& filled) {
  const EvaluationDifference& d = c.differences.front();
  std::string out = "<tr>" + text_cell(c.runs[0].label + " (baseline)");
  out += number_cell(std::nullopt, "") + "<td></td>";
  if (filled.accuracy) out += accuracy_cell(c.runs[0]);
  if (filled.judged) out += number_cell(std::nullopt, "") + text_cell("");
  if (filled.prepare) out += time_cell(d.prepare, true);
  if (filled.latency) out += time_cell(exports::median_latency(d), true);
  if (filled.rate)
    out += d.completed ? number_cell(d.completed->first,
                                     fmt::format("{:.4g} queries/s", d.completed->first))
                       : number_cell(std::nullopt, "");
  return out + "</tr>\n";
}

std::string runs_section(const EvaluationComparison& c) {
  const exports::FilledFigures filled = exports::filled_figures(c);
  std::string table = "<table class=\"sortable\" id=\"runs\"><thead><tr>" + column("run", false) +
                      column("answers changed", true) + column("", false);
  if (filled.accuracy) table += column("accuracy", true);
  if (filled.judged) table += column("difference", true) + column("verdict", false);
  if (filled.prepare) table += column("pre-processing", true);
  if (filled.latency) table += column("latency, median", true);
  if (filled.rate) table += column("throughput", true);
  table += "</tr></thead><tbody>\n" + baseline_row(c, filled);
  for (const EvaluationDifference& d : c.differences) table += run_row(c, d, filled);
  table += "</tbody></table>\n";
  std::string notes;
  for (const std::string& note : c.notes) notes += "<li>" + html_escape(note) + "</li>\n";
  if (!notes.empty()) notes = "<ul>\n" + notes + "</ul>\n";
  return section(
      "Runs against the baseline",
      "<p class=\"sub\">In parentheses: the 95 % interval." +
          std::string(filled.prepare ? " Pre-processing is the time from a file to an "
                                       "input, on one thread, and no part of the latency."
                                     : "") +
          "</p>\n" + scrolled(table) + notes);
}

/// Figure of scores: "0.0213 (0.0101 to 0.0402)"; no cell for other outputs.
std::string scored_cell(const accuracy::OutputDivergence& d, const accuracy::Figure& figure) {
  if (!d.comparable || d.kind == accuracy::Outputs::kPlain) return number_cell(std::nullopt, "");
  std::string text = significant(figure.value, 3);
  if (figure.interval)
    text += fmt::format(" ({} to {})", significant(figure.interval->lo, 3),
                        significant(figure.interval->hi, 3));
  return number_cell(figure.value, text);
}

std::string output_row(const EvaluationComparison& c, const EvaluationRun& run,
                       const accuracy::OutputDivergence& d) {
  const accuracy::DivergenceFigures& f = d.figures;
  std::string out = "<tr>" + text_cell(run.label) + text_cell(d.output);
  if (!d.comparable) return out + "<td colspan=\"6\">not compared: they differ in size</td></tr>\n";
  out += number_cell(static_cast<double>(f.samples), fmt::format("{}", f.samples));
  out += number_cell(f.largest_absolute.value, significant(f.largest_absolute.value, 3));
  const std::size_t where = f.largest_absolute.sample;
  out += text_cell(where < c.runs[0].samples.size() ? c.runs[0].samples[where] : "");
  const bool scores = d.kind != accuracy::Outputs::kPlain;
  out += scores ? number_cell(f.agreement.value, exports::share_text(f.agreement))
                : number_cell(std::nullopt, "");
  out += f.infinite_divergences > 0
             ? number_cell(std::numeric_limits<double>::max(), exports::mean_kl_text(f))
             : scored_cell(d, f.kullback_leibler);
  return out + scored_cell(d, f.jensen_shannon) + "</tr>\n";
}

std::string outputs_section(const EvaluationComparison& c) {
  std::string rows;
  for (const EvaluationDifference& d : c.differences)
    for (const accuracy::OutputDivergence& output : d.outputs)
      rows += output_row(c, c.runs[d.run], output);
  if (rows.empty()) return "";
  return section(
      "Outputs against the baseline's",
      "<p class=\"sub\">Largest: the absolute difference between two values. Divergences of "
      "Kullback and Leibler, and of Jensen and Shannon: means over samples, in nats.</p>\n" +
          scrolled("<table class=\"sortable\" id=\"outputs\"><thead><tr>" + column("run", false) +
                   column("output", false) + column("samples", true) + column("largest", true) +
                   column("in sample", false) + column("same class", true) + column("KL", true) +
                   column("JS", true) + "</tr></thead><tbody>\n" + rows + "</tbody></table>\n"));
}

std::string steps_section(const EvaluationComparison& c) {
  std::string out;
  for (const EvaluationRun& run : c.runs)
    if (!run.data.empty())
      out += entry(run.label, run.data + ": " + (run.steps.empty() ? "no steps" : run.steps));
  if (out.empty()) return "";
  return section("Data and steps", "<dl>\n" + out + "</dl>\n");
}

std::string answer_cell(const ChangedAnswer& answer) {
  const std::string_view css = answer.change == compare::AnswerChange::kLost     ? "slower"
                               : answer.change == compare::AnswerChange::kGained ? "faster"
                                                                                 : "changed";
  return fmt::format("<td class=\"{}\">{}{}</td>", css, html_escape(answer.second_text),
                     answer.change == compare::AnswerChange::kChanged
                         ? ""
                         : fmt::format(" <small>{}</small>", word(answer.change)));
}

/// The samples that changed in any run, a row each: those that changed in most runs first, else in
/// the order of the baseline.
class ChangedSamples {
 public:
  explicit ChangedSamples(const EvaluationComparison& c) : c_(c) {
    for (std::size_t i = 0; i < c.differences.size(); ++i)
      for (const ChangedAnswer& answer : c.differences[i].answers) {
        std::vector<const ChangedAnswer*>& row = rows_[answer.sample];
        row.resize(c.differences.size());
        row[i] = &answer;
      }
    for (const std::string& sample : c.runs[0].samples)
      if (const auto row = rows_.find(sample); row != rows_.end()) order_.push_back(&row->first);
    std::ranges::stable_sort(order_, std::ranges::greater{}, [&](const std::string* sample) {
      return std::ranges::count_if(rows_.at(*sample), [](const auto* a) { return a != nullptr; });
    });
  }

  std::string markup() const {
    if (rows_.empty()) return section("Changed answers", "<p>No answer changed.</p>\n");
    std::string table = "<table class=\"sortable\"><thead><tr>" + column("sample", false) +
                        column(c_.runs[0].label, false);
    for (const EvaluationDifference& d : c_.differences)
      table += column(c_.runs[d.run].label, false);
    table += "</tr></thead><tbody>\n";
    const std::size_t shown = std::min(kMaxSampleRows, order_.size());
    for (const std::string* sample : std::span(order_).first(shown)) table += row_of(*sample);
    table += "</tbody></table>\n";
    std::string more;
    if (shown < order_.size())
      more =
          fmt::format("<p class=\"sub\">{} more are in the document.</p>\n", order_.size() - shown);
    return section("Changed answers",
                   fmt::format("<p class=\"sub\">{} with another answer in at least one run. An "
                               "empty cell: as in the baseline.</p>\n",
                               counted(std::ssize(order_), "sample")) +
                       scrolled(table) + more);
  }

 private:
  std::string row_of(const std::string& sample) const {
    const std::vector<const ChangedAnswer*>& row = rows_.at(sample);
    const auto any = std::ranges::find_if(row, [](const auto* a) { return a != nullptr; });
    std::string out = "<tr>" + text_cell(sample) + text_cell((*any)->first_text);
    for (std::size_t i = 0; i < row.size(); ++i)
      out += row[i] == nullptr ? "<td></td>" : answer_cell(*row[i]);
    return out + "</tr>\n";
  }

  const EvaluationComparison& c_;
  std::map<std::string, std::vector<const ChangedAnswer*>> rows_;
  std::vector<const std::string*> order_;
};

}  // namespace

std::string evaluation_comparison_page(const EvaluationComparison& c) {
  return page(
      "ridge eval compare: " + c.runs[0].model,
      heading(c) + runs_section(c) + outputs_section(c) + ChangedSamples(c).markup() +
          steps_section(c),
      "<footer>Answers and times are measured. Changed answers: Wilson's interval; accuracy: "
      "McNemar's exact test, Tango's interval. Made by ridge.</footer>\n");
}

}  // namespace ridge::report
