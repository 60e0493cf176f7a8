// SPDX-License-Identifier: Apache-2.0
// Charts of a grid: accuracy against latency, throughput over batch, speed-ups with intervals.
//
//   out += accuracy_chart(grid) + batch_charts(grid) + speed_up_chart(grid);
//
// SVG that needs no script. Names are untrusted text and escaped here. Thread rule: pure.
#pragma once

#include <string>

#include "lab/grid/grid.h"

namespace ridge::lab {

/// A dot for each cell that has both, in the color of its column; "" without any.
std::string accuracy_chart(const Grid& grid);

/// A chart for each row with a cell of two batches or more, a line for each such cell.
std::string batch_charts(const Grid& grid);

/// A row for each cell but the base's with its interval; "" without any.
std::string speed_up_chart(const Grid& grid);

}  // namespace ridge::lab
