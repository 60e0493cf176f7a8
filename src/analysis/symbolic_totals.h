// Totals of a model whose sizes are not all bound, as expressions of those that are free.
//
//   Bindings b;  b.free = FreeSizes::kSymbolic;
//   for (const SymbolicTotal& t : symbolic_totals(*resolve(model, b))) print(t.name, t.text);
//
// Every figure but the peak is a polynomial of atoms (analysis/polynomial.h); the peak may be a
// maximum of several. A figure that lacks nodes is a lower bound and says how many and why.
// Cost: O(nodes log terms).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/polynomial.h"
#include "analysis/resolved.h"

namespace ridge::analysis {

struct SymbolicTotal {
  std::string_view name;  ///< as in the JSON: "macs"
  std::string text;       ///< empty where nothing is known
  std::vector<Polynomial::Term> terms;
  std::int64_t missing = 0;  ///< nodes whose figure is not known
  std::string reason;        ///< why the first of them is not, or why there is no text
};

/// macs, flops, special, int_ops, params, weight_bytes, bytes_read, bytes_written,
/// peak_activation_bytes, in this order.
std::vector<SymbolicTotal> symbolic_totals(const Resolved& resolved);

struct FreeSize {
  std::string name;
  bool of_input = true;  ///< false: only a declaration inside the file names it
};
/// Every size that the totals or an input depend on, those of inputs first, else by name.
std::vector<FreeSize> free_sizes(const Resolved& resolved);

/// Some dimension of an input is not a number: there is something symbolic to say.
bool any_free_size(const Resolved& resolved);

}  // namespace ridge::analysis
