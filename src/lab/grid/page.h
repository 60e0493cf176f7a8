// SPDX-License-Identifier: Apache-2.0
// A grid as one HTML file that opens offline, or as the part of a page that is served.
//
//   sink.write(grid_page(grid));
//   body += grid_sections(grid);
//
// Names are untrusted text and escaped here. Thread rule: pure.
#pragma once

#include <string>

#include "lab/grid/grid.h"

namespace ridge::lab {

/// Heading, rules, tables and charts, without page around them.
std::string grid_sections(const Grid& grid);

std::string grid_page(const Grid& grid);

}  // namespace ridge::lab
