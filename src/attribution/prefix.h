// The part of a canonical copy that ends at one tensor: the nodes that the tensor needs, under the
// same names, with the same weights and the same inputs.
//
//   const Canonical part = TRY(prefix(copy, resolved, cut.tensor));
//   runtime.load({.model = part.bytes, ...});     // gives the tensor as its only output
//
// The part keeps every input of the copy, so that one set of elements serves both. Ownership: the
// document refers to that of the copy, which must outlive it. Thread rule: pure. Cost: O(nodes), no
// weights are touched. Errors: those of onnx::write_bytes; a bug for a tensor that the copy does
// not have.
#pragma once

#include "attribution/canonical.h"

namespace ridge::attribution {

Result<Canonical> prefix(const Canonical& copy, const analysis::Resolved& resolved,
                         graph::ValueId tensor);

}  // namespace ridge::attribution
