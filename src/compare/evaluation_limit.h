// SPDX-License-Identifier: Apache-2.0
// Limit on the change of an evaluation relative to the baseline, in the syntax of --fail-on.
//
//   accuracy<-1%     fails if the accuracy is significantly more than 1 percentage point lower
//   accuracy<0%      fails if it is significantly lower
//   changed>5%       fails if significantly more than 5 % of the answers changed
//   latency>5%       fails if the median latency is significantly more than 5 % longer
//   p99>5%           the same of another percentile
//   throughput<-5%   fails if significantly fewer queries are done in a second
//   preprocessing>5% fails if the samples take significantly longer to be made
//   agreement<99%    fails if significantly fewer of the samples have the same class in an output
//   kl>0.01          fails if the mean Kullback-Leibler divergence of an output is significantly
//   js>0.01            more, in nats; the same of Jensen and Shannon's
//   difference>1e-3  fails if two values of an output differ by more; it has no interval
//
// The last four are of every output that both have saved, agreement and divergences of those that
// are scores. An output that differs in size fails, as do evaluations without such an output.
//
// As in run_limit.h: a limit fails only if the whole 95 % interval lies beyond the bound; if the
// bound lies inside of it, or there are too few samples for an interval, the result is uncertain,
// which passes, or fails with Uncertain::kFails. A figure that is absent fails. Errors: usage
// class, RIDGE-CMP-0023, with the syntax.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compare/evaluation_comparison.h"
#include "compare/run_limit.h"

namespace ridge::compare {

struct EvaluationLimit {
  std::string text;    ///< as given
  std::string figure;  ///< "accuracy", "latency", "kl", ...
  double percentile = 50;
  bool above = true;  ///< true: fails above the bound; false: below it
  double bound = 0;   ///< a share, nats, or a difference of values
};

Result<EvaluationLimit> parse_evaluation_limit(std::string_view text);

/// One result for each run but the baseline, or for each of its outputs.
std::vector<Checked> check(const EvaluationLimit& limit, const EvaluationComparison& comparison,
                           Uncertain uncertain = Uncertain::kPasses);

}  // namespace ridge::compare
