// SPDX-License-Identifier: Apache-2.0
// Whether a model is worth sharing: TrIMS's rho (Dakkak et al. 2018, section V.B).
//
//   rho = bytes / bandwidth - n x (export + open)
//
// The first term is what a client saves by not reading the bytes from disk, the second what it
// costs to hand the n objects over: 1 for a whole model, its tensors one by one at the granularity
// of tensors. A model is shared where rho is above 0.
//
//   worth_sharing({1'000'000}, 1, {.bytes_per_s = 1e9, .export_cost = {500'000}})    // true
//
// Pure. Costs are measured (record/costs.h); a bandwidth that is not above 0 makes rho infinite.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "sharing/record/costs.h"

namespace ridge::sharing {

/// In nanoseconds.
double rho_ns(Bytes bytes, std::uint64_t objects, const SharingCosts& costs);

inline bool worth_sharing(Bytes bytes, std::uint64_t objects, const SharingCosts& costs) {
  return rho_ns(bytes, objects, costs) > 0;
}

}  // namespace ridge::sharing
