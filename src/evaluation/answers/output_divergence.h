// SPDX-License-Identifier: Apache-2.0
// Differences between the outputs of runtimes: the first runtime's are kept, the others' are
// compared with them, sample by sample (accuracy/divergence.h).
//
//   OutputRecord record(kinds_of_outputs(model));
//   TRY(record.keep(sample, outputs));                    // of the first runtime
//   OutputComparison other(record);
//   TRY(other.add(sample, outputs));                      // of another
//   for (const accuracy::OutputDivergence& d : other.figures()) d.figures.agreement.value
//
// Kinds: an output that a Softmax makes (reshaped, cast or flattened at most) is probabilities; any
// other is scores if it has one axis of at least two values for each sample, else plain values.
// Memory: outputs of at most kMaxKeptBytes are kept; beyond that none are, and there are no
// figures. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "accuracy/divergence.h"
#include "evaluation/answers/outputs.h"
#include "graph/model.h"

namespace ridge::evaluation {

inline constexpr std::size_t kMaxKeptBytes = std::size_t{1} << 30;

std::vector<std::string> output_names(const graph::Model& model);
/// For each output of the model: true if its values are probabilities.
std::vector<bool> probability_outputs(const graph::Model& model);

accuracy::Outputs kind_of_output(const pipeline::OutputValues& of_sample, bool probabilities);

class OutputRecord {
 public:
  explicit OutputRecord(std::vector<bool> probabilities)
      : probabilities_(std::move(probabilities)) {}

  void keep(const SampleOutputs& outputs);
  bool complete() const { return !beyond_; }
  const std::vector<SampleOutputs>& samples() const { return samples_; }
  accuracy::Outputs kind_of(std::size_t output) const;

 private:
  std::vector<bool> probabilities_;
  std::vector<SampleOutputs> samples_;
  std::size_t bytes_ = 0;
  bool beyond_ = false;
};

class OutputComparison {
 public:
  /// Borrows the record.
  explicit OutputComparison(const OutputRecord& record);

  Result<void> add(std::size_t sample, const SampleOutputs& outputs);
  std::vector<accuracy::OutputDivergence> figures() const;

 private:
  const OutputRecord& record_;
  std::vector<accuracy::Divergence> divergences_;
  std::vector<bool> comparable_;
};

}  // namespace ridge::evaluation
