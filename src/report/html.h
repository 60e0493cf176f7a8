// The report: one self-contained HTML file that opens offline. No request leaves it: style,
// behaviour and the chart are inside.
//
// Sections: figures and the biggest lever, the roofline, layers (sortable; a row opens to its
// kernels, member nodes and their evidence), the timeline, operator types, the module tree, nodes
// without a layer, roofs, how it was measured. Readable without scripts. Model names are hostile
// text: everything from outside passes html_escape.
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"
#include "profile/sweep.h"
#include "report/roofline_chart.h"
#include "roofline/roofs.h"

namespace ridge::report {

std::string profile_page(const profile::Profile& profile, const roofline::Roofs& roofs);

/// Latency and throughput over the points, then the page of each profile as a section that opens.
std::string sweep_page(const profile::Sweep& sweep, const std::vector<roofline::Roofs>& roofs);

/// Any chart on a page of its own: many models, or many points, on one machine's roofs.
std::string chart_page(const std::string& title, const Chart& chart);

/// Bubbles of one profile, one per layer.
Chart layer_chart(const profile::Profile& profile, const roofline::Roofs& roofs);

}  // namespace ridge::report
