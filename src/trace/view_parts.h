// SPDX-License-Identifier: Apache-2.0
// The steps of building a View, in execution order, with the members that each one fills.
#pragma once

#include <optional>
#include <string_view>

#include "trace/view.h"

namespace ridge::trace {

/// Fills left_out, and layer_of of kernels, from the attribute "layer" that importers set.
void read_rows(View& view, profile::Timeline& timeline);
/// Fills runs, and run_of of spans of level model.
void place_runs(View& view);
/// Fills layers, and layer_of of spans of level layer.
void place_layers(View& view, profile::Timeline& timeline);
/// Fills run_of and layer_of of all other spans from their parents.
void inherit(View& view);
/// Fills layer_of of kernels without a known layer: the row of type "kernel" with the same name,
/// which importers add for them.
void place_lone_kernels(View& view);
/// Fills host_ns and device_ns, and time_ns where the table has none.
void time_layers(View& view);
void add_kernels(View& view);

/// Calls what(id, span) for each span of a level that is part of a run.
template <typename Do>
void each_span(const View& view, profile::Level level, Do what) {
  const auto& spans = view.profile->timeline.spans();
  for (profile::SpanId id = 0; id < spans.size(); ++id)
    if (spans[id].level == level && view.run_of[id] != kNone) what(id, spans[id]);
}

}  // namespace ridge::trace
