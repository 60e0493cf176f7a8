// SPDX-License-Identifier: Apache-2.0
// Texts for the figures of a comparison of evaluations, shared by its tables and its page. Names of
// runs are unescaped. An unknown value is "".
#pragma once

#include <optional>
#include <string>

#include "compare/evaluation_comparison.h"

namespace ridge::exports {

/// Figures that any run has: tables leave out columns of the others.
struct FilledFigures {
  bool accuracy = false;  ///< accuracy of a run
  bool judged = false;    ///< difference of accuracy
  bool prepare = false, latency = false, rate = false;
};
FilledFigures filled_figures(const compare::EvaluationComparison& comparison);

/// "7.3 % (4.1 to 12.7)"
std::string share_text(const accuracy::Figure& share);
/// Difference of shares in percentage points: "-2.5 pp (-4.9 to -0.4)"
std::string points_text(const accuracy::Figure& difference);
/// Ratio as a change: "+5.0 % (+4.1 to +6.0)"
std::string change_text(const std::optional<compare::Ratio>& ratio);
/// "significantly lower", "significantly higher", "no difference shown"; "" without labels.
std::string accuracy_verdict(const compare::EvaluationDifference& difference);
/// Ratio of the medians of latency; nullopt without a load in both.
std::optional<compare::Ratio> median_latency(const compare::EvaluationDifference& difference);
/// Share of right answers of a run; nullopt without labels.
std::optional<accuracy::Figure> accuracy_of(const compare::EvaluationRun& run);
/// "0.013", "< 0.0001"
std::string p_value_text(double p);

}  // namespace ridge::exports
