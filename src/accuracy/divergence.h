// SPDX-License-Identifier: Apache-2.0
// Difference between the outputs of two runs of the same samples: another runtime, another machine,
// another pre-processing.
//
//   Divergence d(Outputs::kLogits);
//   TRY(d.add(outputs_of_one_run, outputs_of_the_other));     // once per sample
//   const DivergenceFigures f = d.figures();
//   f.agreement.value, f.largest_absolute.value, f.kullback_leibler.value
//
// Differences, over pairs of values that are both finite: |b - a|, and relative to the larger of
// the two, |b - a| / max(|a|, |b|), which is 0 for two zeros and at most 2. Values that are NaN or
// infinite are counted, and so are pairs in which they differ in kind (NaN with a number, +inf with
// -inf).
//
// Outputs that are scores of classes are also compared as distributions, per sample. Logits go
// through softmax, probabilities are divided by their sum. Agreement: both score one class best
// (of equal scores the lower number; NaN is behind all numbers); a sample whose scores are all NaN
// has none and does not agree. Divergences, in nats: Kullback and Leibler's (1951), sum p ln(p / q)
// with p from the first run, infinite where only q is 0; Jensen and Shannon's (Lin 1991), the mean
// of the divergences of p and of q from their mean, at most ln 2. A sample with no distribution in
// either run (NaN, +inf, no finite logit, a negative probability, a sum of 0) is counted and has no
// divergence. Infinite divergences make their mean infinite and are counted as well.
//
// Thread rule: one thread. Cost: linear in values; a few words per sample.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accuracy/figure.h"
#include "base/result.h"
#include "base/words.h"

namespace ridge::accuracy {

enum class Outputs : std::uint8_t {
  kPlain,          ///< no scores of classes: differences only
  kLogits,         ///< one score per class, before softmax
  kProbabilities,  ///< one probability per class
};

struct LargestDifference {
  double value = 0;
  std::size_t sample = 0, index = 0;  ///< where: of the first that is as large
};

/// Values of one run that are not finite.
struct NotFinite {
  std::int64_t nan = 0, infinite = 0;
};

struct DivergenceFigures {
  std::int64_t samples = 0, values = 0;
  std::int64_t compared = 0;  ///< pairs of finite values
  LargestDifference largest_absolute, largest_relative;
  double mean_absolute = 0;  ///< over the pairs compared; NaN if there are none
  NotFinite first, second;
  std::int64_t differ_in_kind = 0;  ///< pairs with a value that is not finite and no equal partner

  Figure agreement;         ///< Wilson's interval
  Figure kullback_leibler;  ///< means over samples, bootstrap
  Figure jensen_shannon;
  std::int64_t no_distribution = 0, infinite_divergences = 0;  ///< samples
};

class Divergence {
 public:
  explicit Divergence(Outputs outputs) : outputs_(outputs) {}

  /// Adds a sample. Input errors: sizes that differ; scores of no class.
  Result<void> add(std::span<const float> first, std::span<const float> second);

  DivergenceFigures figures(const stats::BootstrapOptions& options = {}) const;
  /// 1 for each sample with the same top class; empty for plain outputs.
  std::span<const std::uint8_t> agreed() const { return agreed_; }

 private:
  void add_values(std::span<const float> first, std::span<const float> second);
  void add_distributions(std::span<const float> first, std::span<const float> second);

  Outputs outputs_;
  DivergenceFigures sums_;
  double absolute_sum_ = 0;
  std::vector<std::uint8_t> agreed_;
  std::vector<double> kullback_leibler_, jensen_shannon_;
};

/// Figures of one output of a model.
struct OutputDivergence {
  std::string output;
  Outputs kind = Outputs::kPlain;
  DivergenceFigures figures;
  std::vector<std::size_t> differ;  ///< samples with another top class
  bool comparable = true;           ///< false: outputs of another size, and no figures
};

/// nullptr: the outputs differ in size.
OutputDivergence divergence_of_output(std::string output, Outputs kind,
                                      const Divergence* comparison);

}  // namespace ridge::accuracy

namespace ridge {

template <>
struct Words<accuracy::Outputs> {
  using Outputs = accuracy::Outputs;
  static constexpr std::array list{
      Word{Outputs::kPlain, "values", "others"},
      Word{Outputs::kLogits, "scores", "one axis of values for each sample"},
      Word{Outputs::kProbabilities, "probabilities", "made by a Softmax"}};
};

}  // namespace ridge
