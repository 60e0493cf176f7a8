// SPDX-License-Identifier: Apache-2.0
// The compute roof of a whole model, whose layers may run in several element types.
//
//   compute_roof(point, roofs)      // FLOP/s that no run of this mix of types exceeds
//
// operations / sum over types of (operations of the type / roof of the type): the harmonic mean of
// the roofs, weighted by work. Example: 90 GOP in int8 at 1000 GOP/s and 10 GOP in float32 at 100
// GFLOP/s take 0.09 + 0.1 s, so the roof of the mix is 526 GOP/s. Layers without multiply-adds in a
// type without a roof (shape arithmetic) count at the roof of float32. Thread rule: pure.
#pragma once

#include <optional>
#include <string_view>

#include "profile/summary.h"
#include "roofline/roofs.h"

namespace ridge::roofline {

/// nullopt: multiply-adds run in a type whose roof was not measured.
std::optional<double> compute_roof(const profile::ModelPoint& point, const Roofs& roofs);

/// Element type with most of the operations; "float32" if none is known.
std::string_view main_type(const profile::ModelPoint& point);

}  // namespace ridge::roofline
