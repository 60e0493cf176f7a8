// SPDX-License-Identifier: Apache-2.0
// Sets of inputs in the order in which a test runs its samples.
//
//   MlperfInputs prepared_inputs = TRY(MlperfInputs::make(samples, 8, order, 8));
//   prepared_inputs.sets(), prepared_inputs.runs(), prepared_inputs.first()[query]
//
// Evaluations prepare their samples in the order of the data, a batch of them in a set. A test has
// another order, so that a batch consists of other samples. Here each query has sets of its own,
// one behind the other; queries of the same samples share them. In batches of one they refer to the
// memory that is there, else the samples are copied.
//
//   given, batch 2:   {0, 1} {2, 3}
//   queries of two:   3 0 | 1 2 | 3 0      sets {3, 0} {1, 2}; first 0 1 0, runs 1
//
// The last query is filled up with the first samples of the order if it is shorter than the others.
// Errors: input class, RIDGE-WB-0132: queries that are not whole batches, inputs that cannot be cut
// into samples, more than kMaxInputBytes. Ownership: refers to the given samples where it can.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/load.h"

namespace ridge::evaluation {

inline constexpr std::int64_t kMaxInputBytes = std::int64_t{4} << 30;

/// Samples of an evaluation: sample i is row i % batch of set i / batch.
struct BatchedSamples {
  const runtime::Samples* samples = nullptr;
  std::uint64_t batch = 1;
  std::uint64_t count = 0;  ///< 0: as many as there are rows
  std::uint64_t size() const { return count > 0 ? count : samples->sets.size() * batch; }
};

class MlperfInputs {
 public:
  /// `order`: samples of all queries, `per_query` each.
  static Result<MlperfInputs> make(const BatchedSamples& given,
                                   std::span<const std::uint32_t> order, std::uint64_t per_query);

  const std::vector<std::vector<runtime::InputTensor>>& sets() const { return sets_; }
  /// Memory that the sets lie in.
  const ipc::SharedMemory& memory(const BatchedSamples& given) const {
    return copied_ ? own_ : given.samples->memory;
  }
  /// True if the sets are those given.
  bool as_given() const { return samples_.empty(); }
  /// First sample of a set.
  std::uint32_t sample_of(std::uint32_t set) const {
    return samples_.empty() ? set : samples_[set * std::size_t{batch_}];
  }
  std::uint32_t runs() const { return runs_; }                        ///< sets of a query
  const std::vector<std::uint32_t>& first() const { return first_; }  ///< set of each query

 private:
  std::vector<std::vector<runtime::InputTensor>> sets_;
  ipc::SharedMemory own_;
  bool copied_ = false;
  std::uint32_t runs_ = 1;
  std::uint64_t batch_ = 1;
  std::vector<std::uint32_t> samples_;  // of the sets; empty: the sets are those given
  std::vector<std::uint32_t> first_;
};

}  // namespace ridge::evaluation
