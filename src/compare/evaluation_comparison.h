// SPDX-License-Identifier: Apache-2.0
// Evaluations against a baseline, sample by sample: which answers changed, whether accuracy, the
// time of pre-processing, latencies and rates differ.
//
//   const EvaluationComparison c = TRY(compare_evaluations(std::move(runs)));  // runs[0]: baseline
//   for (const EvaluationDifference& d : c.differences)
//     d.changed.value, d.answers[0].sample, d.accuracy->p_value
//
// Samples are joined by name, and where one has no partner of its name, by the name without its
// ending (photo.png, photo.jpg); others are counted and left out. Without labels only the answers
// are compared. Data and labels of another content, by the hashes of the documents, are noted:
// images may be the same in another format. Elements of an array have positions for names, so those
// of another array are refused.
//
// Changed answers: their share with Wilson's interval. Accuracy: McNemar's exact test and Tango's
// interval (accuracy/paired.h). Pre-processing: median over samples of the ratio of their times
// (stats/change.h, runs in turns), as decoding a large image takes longer in both. Latencies and
// rates: the interval of the ratio r = b / a from the intervals of a and b on logarithms, ln r -
// sqrt((ln b - ln b_lo)^2 + (ln a_hi - ln a)^2) and so on (Zou and Donner 2008, Statistics in
// Medicine 27:1693); none if one of both has none. Changes of the machine between two evaluations
// are part of the difference.
//
// Significance: of the tests of all runs together the expected share of wrong findings is at most
// 5 % (Benjamini and Hochberg 1995); intervals are of 95 % each. Errors: usage class,
// RIDGE-CMP-0021 (fewer than two runs), input class, RIDGE-CMP-0022 (no common sample, no common
// figure), RIDGE-CMP-0024 (another array). Thread rule: pure. Cost: linear in samples.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accuracy/paired.h"
#include "base/words.h"
#include "compare/evaluation_run.h"

namespace ridge::compare {

enum class AnswerChange : std::uint8_t {
  kChanged,  ///< another answer: without labels, or wrong in both
  kLost,     ///< right in the baseline alone
  kGained,   ///< wrong in the baseline alone
};

struct ChangedAnswer {
  std::string sample;
  std::int64_t first = 0, second = 0;   ///< classes
  std::string first_text, second_text;  ///< class and its name where known
  AnswerChange change = AnswerChange::kChanged;
};

struct Ratio {
  double first = 0, second = 0;
  stats::Estimate ratio;
};

struct LatencyRatio {
  double percentile = 50;
  Ratio ratio;
};

/// Positions of a sample in two runs.
struct JoinedPair {
  std::size_t first = 0, second = 0;
};
/// Samples of both, in the order of the first.
std::vector<JoinedPair> joined_samples(const EvaluationRun& first, const EvaluationRun& second);

/// A run against the baseline.
struct EvaluationDifference {
  std::size_t run = 0;
  std::int64_t samples = 0;                 ///< joined
  std::int64_t unjoined = 0;                ///< samples of the baseline without partner
  std::optional<accuracy::Figure> changed;  ///< share of the samples whose answer changed
  std::vector<ChangedAnswer> answers;       ///< lost ones first, then by the order of samples
  /// With labels in both; significant if it is so among all runs.
  std::optional<accuracy::PairedShares> accuracy;
  std::optional<Ratio> prepare;       ///< medians of the times of samples, in ns
  std::vector<LatencyRatio> latency;  ///< percentiles that both have
  std::optional<Ratio> completed;     ///< queries per second
  /// Differences between the outputs that both have files of, which the caller adds; positions are
  /// the positions of the baseline's samples.
  std::vector<accuracy::OutputDivergence> outputs;
};

struct EvaluationComparison {
  std::vector<EvaluationRun> runs;
  std::vector<EvaluationDifference> differences;  ///< one for each run but the first
  std::vector<std::string> notes;                 ///< other differences: model, host, scenario
};

Result<EvaluationComparison> compare_evaluations(std::vector<EvaluationRun> runs);

}  // namespace ridge::compare

namespace ridge {

template <>
struct Words<compare::AnswerChange> {
  using Change = compare::AnswerChange;
  static constexpr std::array list{Word{Change::kChanged, "changed"}, Word{Change::kLost, "lost"},
                                   Word{Change::kGained, "gained"}};
};

}  // namespace ridge
