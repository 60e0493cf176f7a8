// Numerical check of anchors: runs the original and the optimized graph and compares the values of
// tensors claimed to be equal.
//
//   ValueCheck check = TRY(ValueCheck::make(copy, runnable, attribution));
//   ... run check.original and check.optimized on the same inputs, without optimization; both have
//   every claimed tensor as an output ...
//   for (const Claim& c : check.claims)
//     worst = max(worst, *relative_error(c, original(c.original), optimized(c.optimized)));
//
// `runnable` is the dump with its weights (Dump::kWeights). Claims cover tensors of the main graph
// that a kernel produces. Ownership: the documents refer to those they were made from, which must
// outlive them. Errors: those of onnx::write_bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "attribution/attribution.h"
#include "attribution/canonical.h"
#include "attribution/optimized.h"

namespace ridge::attribution {

/// Claim that tensor `optimized` of the runtime's graph has the value of tensor `original` of the
/// copy.
struct Claim {
  std::string original, optimized;
  profile::Evidence evidence = profile::Evidence::kSameTensor;
  bool blocked = false;  ///< true if its channels are in blocks
};

struct ValueCheck {
  /// ONNX: the copy with every claimed tensor as an output, weights detached as in the copy.
  std::string original;
  std::string optimized;  ///< ONNX: the optimized graph, likewise, weights embedded
  std::vector<Claim> claims;

  static Result<ValueCheck> make(const Canonical& copy, const OptimizedGraph& runnable,
                                 const Attribution& attribution);
};

/// Elements of a tensor as returned by a runtime.
struct Elements {
  onnx::DataType type = onnx::DataType::kUndefined;
  std::span<const std::int64_t> dims;
  std::span<const std::byte> bytes;
};

/// Returns the largest difference, relative to the largest magnitude of the original (at least
/// 1e-6); nullopt if the tensors are not comparable: unsupported element types, or sizes that no
/// known layout explains. Converts blocks of 8 and 16 channels and channels-last first.
std::optional<double> relative_error(const Claim& claim, const Elements& original,
                                     const Elements& optimized);

}  // namespace ridge::attribution
