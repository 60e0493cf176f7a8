// SPDX-License-Identifier: Apache-2.0
// Totals of a model with free sizes, as expressions of these sizes.
//
//   Bindings b;  b.free = FreeSizes::kSymbolic;
//   for (const SymbolicTotal& t : symbolic_totals(*resolve(model, b))) print(t.name, t.text);
//
// Every total but the peak is a polynomial in atoms (analysis/sizes/polynomial.h); the peak may be
// a maximum of several. A total that lacks nodes is a lower bound; `missing` and `reason` tell how
// many and why. Cost: O(nodes log terms).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"
#include "analysis/sizes/polynomial.h"

namespace ridge::analysis {

struct SymbolicTotal {
  std::string_view name;  ///< key in the JSON: "macs"
  std::string text;       ///< empty if the total is unknown
  std::vector<Polynomial::Term> terms;
  std::int64_t missing = 0;  ///< nodes whose count is unknown
  std::string reason;        ///< why the first of them is unknown, or why `text` is empty
};

/// Totals macs, flops, special, int_ops, params, weight_bytes, bytes_read, bytes_written,
/// peak_activation_bytes, in this order.
std::vector<SymbolicTotal> symbolic_totals(const Resolved& resolved);

struct FreeSize {
  std::string name;
  bool of_input = true;  ///< false: named only by a declaration inside the file
};
/// Returns every size that an input or the totals depend on: sizes of inputs first, then by name.
std::vector<FreeSize> free_sizes(const Resolved& resolved);

/// True if some dimension of an input is symbolic.
bool any_free_size(const Resolved& resolved);

}  // namespace ridge::analysis
