// The report: one self-contained HTML file that opens offline. No request leaves it: style,
// behaviour and the chart are inside.
//
// Sections: figures and the biggest lever, the roofline, layers (sortable; a row opens to its
// kernels, member nodes and their evidence), the timeline, operator types, the module tree, nodes
// without a layer, roofs, how it was measured. Readable without scripts. Model names are hostile
// text: everything from outside passes html_escape.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"
#include "profile/sweep.h"
#include "report/roofline_chart.h"
#include "roofline/roofs.h"

namespace ridge::report {

std::string profile_page(const profile::Profile& profile, const roofline::Roofs& roofs);

/// What was run where, latency and throughput over the points, what each axis did, then figures,
/// chart and layers of each point as a part that opens.
std::string sweep_page(const profile::Sweep& sweep, const std::vector<roofline::Roofs>& roofs);

struct TitledChart {
  std::string title;  ///< "" where the page has but one
  Chart chart;
};
/// Charts on a page of their own: many models, or many points, each on the roofs it ran under.
std::string chart_page(const std::string& title, const std::vector<TitledChart>& charts,
                       const std::vector<std::string>& notes = {});

/// Bubbles of one profile, one per layer. `point`: as of layer_section().
Chart layer_chart(const profile::Profile& profile, const roofline::Roofs& roofs,
                  std::string_view point = "");

}  // namespace ridge::report
