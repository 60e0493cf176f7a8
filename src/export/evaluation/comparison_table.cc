// SPDX-License-Identifier: Apache-2.0
#include "export/evaluation/comparison_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "export/evaluation/comparison_words.h"
#include "export/evaluation/divergence_text.h"
#include "export/table.h"

namespace ridge::exports {
namespace {

using compare::EvaluationComparison;
using compare::EvaluationDifference;
using compare::EvaluationRun;

/// Time of a median that both have, with its change: "12.1 ms, +5.0 % (+4.1 to +6.0)".
std::string time_cell(const std::optional<compare::Ratio>& ratio) {
  return ratio ? fmt::format("{}, {}", duration(ratio->second), change_text(ratio)) : "";
}

Table summary_of(const EvaluationComparison& c) {
  Table out({{"run"},
             {"answers changed", Align::kRight},
             {"accuracy", Align::kRight},
             {"difference", Align::kRight},
             {"p", Align::kRight},
             {"pre-processing", Align::kRight},
             {"latency, median", Align::kRight},
             {"queries/s", Align::kRight}});
  const auto share = [](const EvaluationRun& run) {
    const auto figure = accuracy_of(run);
    return figure ? share_text(*figure) : std::string();
  };
  const EvaluationDifference& first = c.differences.front();
  const auto latency = median_latency(first);
  out.add({c.runs[0].label + " (baseline)", "", share(c.runs[0]), "", "",
           first.prepare ? duration(first.prepare->first) : "",
           latency ? duration(latency->first) : "",
           first.completed ? fmt::format("{:.4g}", first.completed->first) : ""});
  for (const EvaluationDifference& d : c.differences)
    out.add({c.runs[d.run].label, d.changed ? share_text(*d.changed) : "", share(c.runs[d.run]),
             d.accuracy ? points_text(d.accuracy->difference) : "",
             d.accuracy ? p_value_text(d.accuracy->p_value) : "", time_cell(d.prepare),
             time_cell(median_latency(d)), change_text(d.completed)});
  const FilledFigures filled = filled_figures(c);
  if (!filled.judged) out.take_shared({"accuracy", "difference", "p"});
  if (!filled.prepare) out.take_shared({"pre-processing"});
  if (!filled.latency) out.take_shared({"latency, median"});
  if (!filled.rate) out.take_shared({"queries/s"});
  return out;
}

Table answers_of(const EvaluationComparison& c, const EvaluationDifference& d, std::size_t most) {
  Table out({{"sample"}, {c.runs[0].label}, {c.runs[d.run].label}, {""}});
  const std::size_t shown = most == 0 ? d.answers.size() : std::min(most, d.answers.size());
  for (const compare::ChangedAnswer& answer : std::span(d.answers).first(shown))
    out.add(
        {answer.sample, answer.first_text, answer.second_text, std::string(word(answer.change))});
  return out;
}

/// "bgr: 4 of 19 answers changed, 3 lost, 1 gained; accuracy significantly lower"
std::string sentence(const EvaluationComparison& c, const EvaluationDifference& d) {
  std::string out = c.runs[d.run].label + ": ";
  if (!d.changed) return out + "no answers to compare";
  out += fmt::format("{} of {} changed", d.answers.size(), counted(d.samples, "answer"));
  if (!d.accuracy) return out;
  return out + fmt::format(", {} lost, {} gained; accuracy: {}", d.accuracy->lost.size(),
                           d.accuracy->gained.size(), accuracy_verdict(d));
}

template <typename Print>
void write(const EvaluationComparison& c, const EvaluationComparisonPage& page, Sink& sink,
           const Print& print) {
  sink.write(print(summary_of(c)));
  for (const EvaluationDifference& d : c.differences) {
    sink.write("\n" + printable(sentence(c, d)) + "\n");
    for (const accuracy::OutputDivergence& output : d.outputs)
      sink.write("  " + divergence_text(output, c.runs[0].label, c.runs[0].samples) + "\n");
    if (d.answers.empty()) continue;
    sink.write("\n" + print(answers_of(c, d, page.top)));
    if (page.top != 0 && d.answers.size() > page.top)
      sink.write(fmt::format("{} more: --top 0\n", d.answers.size() - page.top));
  }
  if (!c.notes.empty()) sink.write("\n");
  for (const std::string& note : c.notes) sink.write("note: " + printable(note) + "\n");
}

}  // namespace

void write_evaluation_comparison_text(const EvaluationComparison& comparison,
                                      const EvaluationComparisonPage& page, Sink& sink) {
  write(comparison, page, sink, [](const Table& table) { return table.text(); });
}

void write_evaluation_comparison_markdown(const EvaluationComparison& comparison,
                                          const EvaluationComparisonPage& page, Sink& sink) {
  write(comparison, page, sink, [](const Table& table) { return table.markdown(); });
}

void write_evaluation_comparison_csv(const EvaluationComparison& c, Sink& sink) {
  Table out({{"run"}, {"sample"}, {"baseline_class"}, {"class"}, {"change"}});
  for (const EvaluationDifference& d : c.differences)
    for (const compare::ChangedAnswer& answer : d.answers)
      out.add({c.runs[d.run].label, answer.sample, fmt::format("{}", answer.first),
               fmt::format("{}", answer.second), std::string(word(answer.change))});
  sink.write(out.csv());
}

}  // namespace ridge::exports
