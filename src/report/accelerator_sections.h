// The tables of an accelerator's page, each a piece of HTML. See report/accelerator_page.h.
#pragma once

#include <string>
#include <vector>

#include "export/accelerator_words.h"

namespace ridge::report {

/// A row per point, every measure.
std::string point_section(const accelerator::Study& view, const std::vector<exports::Axis>& axes);
/// A row per layer, which opens to its memory and to what it costs at each point.
std::string accelerator_layers(const accelerator::Study& view,
                               const std::vector<exports::Axis>& axes);
/// Machine, convention, energy table, and what the words mean.
std::string accelerator_origin(const accelerator::Study& view);

}  // namespace ridge::report
