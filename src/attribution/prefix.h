// SPDX-License-Identifier: Apache-2.0
// Part of a canonical copy that ends at one tensor: the nodes that the tensor depends on, with the
// same names, weights and inputs.
//
//   const Canonical part = TRY(prefix(copy, resolved, cut.tensor));
//   runtime.load({.model = part.bytes, ...});     // the tensor is its only output
//
// The part keeps every input of the copy, so that the same input data can be used for both.
// Ownership: the document refers to the copy's document, which must outlive it. Thread rule: pure.
// Cost: O(nodes); weights are not read. Errors: as onnx::write_bytes; a bug for a tensor that
// no node of the copy produces.
#pragma once

#include "attribution/canonical.h"

namespace ridge::attribution {

Result<Canonical> prefix(const Canonical& copy, const analysis::Resolved& resolved,
                         graph::ValueId tensor);

}  // namespace ridge::attribution
