// Is a tensor that is said to hold an original value really that value? Decided by running both
// graphs and comparing.
//
//   ValueCheck check = TRY(ValueCheck::make(copy, runnable, attribution)); // runnable: the dump
//   with its weights (Dump::kWeights)
//   ... run check.original and check.optimised on the same inputs, unoptimised; both give every
//   claimed tensor as an output ...
//   for (const Claim& c : check.claims) worst = max(worst, *relative_error(c, original(c.original),
//   optimised(c.optimised)));
//
// Claims are about tensors of the main graph that a kernel makes. Ownership: the documents refer to
// those they were made from, which must outlive them. Errors: those of onnx::write_bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "attribution/attribution.h"

namespace ridge::attribution {

/// Tensor `optimised` of the runtime's graph holds what the copy calls `original`.
struct Claim {
  std::string original, optimised;
  profile::Evidence evidence = profile::Evidence::kSameTensor;
  bool blocked = false;  ///< its channels lie in blocks
};

struct ValueCheck {
  /// ONNX: the copy with every claimed tensor as an output, weights detached as in the copy
  std::string original;
  std::string optimised;  ///< ONNX: the optimised graph likewise, weights inside
  std::vector<Claim> claims;

  static Result<ValueCheck> make(const Canonical& copy, const OptimisedGraph& runnable,
                                 const Attribution& attribution);
};

/// Elements of a tensor as a runtime gave them.
struct Elements {
  onnx::DataType type = onnx::DataType::kUndefined;
  std::span<const std::int64_t> dims;
  std::span<const std::byte> bytes;
};

/// The largest difference, over the largest magnitude of the original (at least 1e-6); nullopt
/// where the two cannot be compared: other types than float32 and integers, or sizes that no known
/// layout explains. Blocks of 8 and 16 channels and channels-last are undone.
std::optional<double> relative_error(const Claim& claim, const Elements& original,
                                     const Elements& optimised);

}  // namespace ridge::attribution
