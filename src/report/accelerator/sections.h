// SPDX-License-Identifier: Apache-2.0
// Tables of an accelerator's page, each a piece of HTML. See report/accelerator/page.h.
#pragma once

#include <string>
#include <vector>

#include "export/accelerator/words.h"

namespace ridge::report {

/// Table of points, with every measure.
std::string point_section(const accelerator::Study& view, const std::vector<exports::Axis>& axes);
/// Table of layers; a row expands to the layer's memory and its cost at each point.
std::string accelerator_layers(const accelerator::Study& view,
                               const std::vector<exports::Axis>& axes);
/// Machine, convention, energy table, and definitions of the terms.
std::string accelerator_origin(const accelerator::Study& view);

}  // namespace ridge::report
