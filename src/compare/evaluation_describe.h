// SPDX-License-Identifier: Apache-2.0
// Description of the document ridge.evaluation_comparison/1 (record/describe.h).
#pragma once

#include "accuracy/describe.h"
#include "compare/evaluation_comparison.h"
#include "record/describe.h"

namespace ridge {

template <>
struct record::Describe<compare::EvaluationRun> {
  using T = compare::EvaluationRun;
  static constexpr std::array fields{
      field<&T::label>("label", "name in tables"),
      field<&T::model>("model", "file, or zoo:NAME"),
      field<&T::graph_hash>("graph_hash", "hash of the structure"),
      field<&T::runtime>("runtime", "as it names itself"),
      field<&T::version>("version", "its version"),
      field<&T::threads>("threads", "threads of each run"),
      field<&T::data>("data", "source of the samples", zero_is_null()),
      field<&T::steps>("steps", "steps from a file to the input", zero_is_null()),
      field<&T::scenario>("scenario", "load; null for accuracy alone", zero_is_null())};
};

template <>
struct record::Describe<accuracy::PairedShares> {
  using T = accuracy::PairedShares;
  using Counts = accuracy::PairedCounts;
  static constexpr std::array fields{
      field<&T::counts, &Counts::both>("both", "samples that are right in both"),
      field<&T::counts, &Counts::only_first>("lost", "in the baseline alone"),
      field<&T::counts, &Counts::only_second>("gained", "in the run alone"),
      field<&T::counts, &Counts::neither>("neither", "in neither"),
      field<&T::difference>("difference",
                            "share that is right, minus that of the baseline; Tango's interval"),
      field<&T::p_value>("p_value", "McNemar's exact test", known()),
      field<&T::significant>("significant",
                             "of the tests of all runs at most 5 % of the findings are wrong")};
};

template <>
struct record::Describe<compare::Ratio> {
  using T = compare::Ratio;
  static constexpr std::array fields{
      field<&T::first>("first", "value of the baseline", known()),
      field<&T::second>("second", "value of the run", known()),
      field<&T::ratio, &stats::Estimate::value>("ratio", "second over first", known()),
      field<&T::ratio, &stats::Estimate::interval>("ci95", "95 % interval of the ratio")};
};

template <>
struct record::Describe<compare::LatencyRatio> {
  using T = compare::LatencyRatio;
  static constexpr std::array fields{
      field<&T::percentile>("percentile", "99 for the 99th", known()),
      field<&T::ratio>("change", "its values")};
};

template <>
struct record::Describe<compare::ChangedAnswer> {
  using T = compare::ChangedAnswer;
  static constexpr std::array fields{
      field<&T::sample>("sample", "name"),
      field<&T::first>("first", "class in the baseline"),
      field<&T::second>("second", "class in the run"),
      field<&T::first_text>("first_text", "class and its name where known"),
      field<&T::second_text>("second_text", "class and its name where known"),
      field<&T::change>("change",
                        "lost: right in the baseline alone; gained: wrong in it alone; changed: "
                        "otherwise, or without labels")};
};

template <>
struct record::Describe<compare::EvaluationDifference> {
  using T = compare::EvaluationDifference;
  static constexpr std::array fields{
      field<&T::run>("run", "position in runs"),
      field<&T::samples>("samples", "samples of both, joined by name"),
      field<&T::unjoined>("unjoined", "samples of the baseline alone"),
      field<&T::changed>("changed", "share of samples whose answer changed; Wilson's interval"),
      field<&T::accuracy>("accuracy", "null without labels in both", on_line()),
      field<&T::prepare>("preparation_ns",
                         "medians over samples of the time in which they were made; ratio: median "
                         "of the samples' ratios",
                         on_line()),
      field<&T::latency>("latency_ns", "percentiles that both have", on_line()),
      field<&T::completed>("completed_per_s", "queries done in a second", on_line()),
      field<&T::outputs>("outputs",
                         "differences between the outputs that both have files of (--save-outputs) "
                         "and the baseline's, one for each output; samples are positions in the "
                         "baseline",
                         on_line(), item_lines()),
      field<&T::answers>("answers", "samples whose answer changed, lost ones first", on_line(),
                         item_lines())};
};

template <>
struct record::Describe<compare::EvaluationComparison> {
  using T = compare::EvaluationComparison;
  static constexpr std::string_view schema = "ridge.evaluation_comparison/1";
  static constexpr std::string_view text =
      "Evaluations against the first of them: `ridge eval compare BASE OTHER... --format json`. "
      "Intervals are of 95 %; what is unknown is null.";
  static constexpr std::array fields{
      field<&T::runs>("runs", "runtimes of the documents; the first is the baseline", on_line(),
                      item_lines()),
      field<&T::differences>("differences", "one for each run but the baseline", on_line(),
                             item_lines()),
      field<&T::notes>("notes", "other differences between the runs", on_line())};
};

}  // namespace ridge
