// SPDX-License-Identifier: Apache-2.0
// The report: one self-contained HTML file that opens offline and makes no requests; style, script
// and charts are embedded.
//
// Sections: figures and the largest optimization potential, the roofline, layers (sortable; a row
// expands to its kernels, member nodes and their evidence), layer times against parts of the model
// where verified, the timeline, operator types, the module tree, nodes without a layer, roofs, the
// method of measurement, the terms of the tables (report/kit/terms.h). Readable without scripts.
// Model names are untrusted text: all external text passes html_escape.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"
#include "profile/sweep.h"
#include "report/chart/roofline.h"
#include "report/kit/page.h"
#include "roofline/roofs.h"

namespace ridge::report {

PageContent profile_content(const profile::Profile& profile, const roofline::Roofs& roofs);
std::string profile_page(const profile::Profile& profile, const roofline::Roofs& roofs);

/// Page of a sweep: model, runtime and machine, the findings per axis, latency and throughput of
/// the points, then figures, chart and layers of each point in a collapsible part. Point i uses
/// `roofs[i]`, or the last one where there are fewer.
std::string sweep_page(const profile::Sweep& sweep, const std::vector<roofline::Roofs>& roofs);

struct TitledChart {
  std::string title;  ///< "" where the page has only one
  Chart chart;
};
/// Page of charts only, for many models or points, each chart with its own roofs. `shared` is the
/// description that all points have in common, "" where there is only one.
std::string chart_page(const std::string& title, const std::string& shared,
                       const std::vector<TitledChart>& charts,
                       const std::vector<std::string>& notes = {});

/// Roofline chart of one profile, a bubble per layer. `point`: as for layer_section().
Chart layer_chart(const profile::Profile& profile, const roofline::Roofs& roofs,
                  std::string_view point = "");

}  // namespace ridge::report
