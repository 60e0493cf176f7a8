// SPDX-License-Identifier: Apache-2.0
// Comparison of tensors by their elements: which tensor of the model a tensor of the runtime's
// optimized graph equals.
//
//   ValueTrial trial{.tensor = v};
//   try_values(fetched(v, elements_of_v), claimed, originals, trial);
//   trial.equal        // {{value, Agreement::kInOrder}}: one tensor of the model equals it
//
// Equal: no element differs by more than tolerance() of the largest magnitude of the original, in
// every run. A runtime may have changed the layout; tried are the same order, channels first and
// last, and blocks of 8 and 16 channels. Tensors that would equal others by chance decide nothing
// (FetchedTensor::decisive).
//
// Ownership: elements are borrowed. Thread rule: pure. Cost: O(elements) for each original that
// equals the tensor, little for the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/model.h"
#include "onnx/data_type.h"

namespace ridge::attribution {

/// Elements of a tensor as returned by a runtime.
struct Elements {
  onnx::DataType type = onnx::DataType::kUndefined;
  std::span<const std::int64_t> dims;
  std::span<const std::byte> bytes;
};

/// Difference between equal tensors that rounding explains, relative to the largest magnitude:
/// 1024 units in the last place of float32 and float64 (other orders of summation, over the depth
/// of a network), 4 of the 16-bit floats (a fusion omits roundings), none of integers.
double tolerance(onnx::DataType type);

/// Returns the largest difference in the layout that fits best, relative to the largest magnitude
/// of the original (at least 1e-6); nullopt if the tensors are not comparable: types that differ
/// or have no elements here, or sizes that no known layout explains.
std::optional<double> min_difference(const Elements& original, const Elements& optimized);

/// A tensor with its elements in each run; the runs have different inputs.
struct FetchedTensor {
  graph::ValueId value = graph::kNone;
  std::vector<Elements> runs;
  std::vector<double> magnitude;  ///< by run: largest magnitude
  /// At least 16 elements, all finite, not all equal up to the tolerance, and other elements in the
  /// second run than in the first.
  bool decisive = false;
};
FetchedTensor fetched(graph::ValueId value, std::vector<Elements> runs);

/// Order of an equal tensor's elements in memory, compared with the original.
enum class Agreement : std::uint8_t { kPermuted, kInOrder };

struct EqualTensor {
  graph::ValueId value = graph::kNone;  ///< value of the original model
  Agreement how = Agreement::kInOrder;
};

struct ValueTrial {
  graph::ValueId tensor = graph::kNone;  ///< value of the optimized graph
  bool decisive = false;
  bool refuted = false;            ///< certainly differs from the tensor that its name stands for
  std::vector<EqualTensor> equal;  ///< each value once
};

/// Decisions of the trials, by tensor.
struct ValueCounts {
  std::int64_t tried = 0;
  std::int64_t equal = 0;      ///< equal to one tensor of the model
  std::int64_t several = 0;    ///< equal to several, of different data
  std::int64_t none = 0;       ///< equal to none
  std::int64_t moved = 0;      ///< equal to one in another order, which decides nothing
  std::int64_t trivial = 0;    ///< not decisive
  std::int64_t corrected = 0;  ///< tensors that names took for another
};

/// Compares a tensor with some of the originals and adds the result to `trial`. `claimed`: the
/// original that its name stands for, kNone if there is none; it is refuted if it is among the
/// originals and differs by more than 0.1 of its largest magnitude.
void try_values(const FetchedTensor& tensor, graph::ValueId claimed,
                std::span<const FetchedTensor> originals, ValueTrial& trial);

}  // namespace ridge::attribution
