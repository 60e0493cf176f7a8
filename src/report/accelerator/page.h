// SPDX-License-Identifier: Apache-2.0
// The page of `ridge accel`: one self-contained HTML file that opens offline, in the style of a
// profile's page (report/profile/page.h).
//
// Sections: the totals and what bounds them; a table of points; a line chart over each swept
// number; a scatter plot of latency against energy (of the points, or of one point's mappings); bar
// charts by layer and point for every measure; a table of layers whose rows expand to buffers and
// mappings; the source of every figure. Readable without scripts. Names of models and machines are
// untrusted text and escaped.
#pragma once

#include <string>

#include "accelerator/study/result.h"

namespace ridge::report {

std::string accelerator_page(const accelerator::Study& view);

}  // namespace ridge::report
