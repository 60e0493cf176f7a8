// The steps of making a View, in their order. Each fills what its name says; see view.h.
#pragma once

#include <optional>
#include <string_view>

#include "trace/view.h"

namespace ridge::trace {

/// left_out, and layer_of of kernels on devices, as an import says.
void read_rows(View& view, profile::Timeline& timeline);
/// runs, and run_of of spans of level model.
void place_runs(View& view);
/// Rows of layers, and layer_of of spans of level layer.
void place_layers(View& view, profile::Timeline& timeline);
/// run_of and layer_of of everything else, from what caused it.
void inherit(View& view);
/// Kernels that nothing launched, as importers tell them, are layers of their own name.
void place_lone_kernels(View& view);
/// host_ns, device_ns, and time_ns where the tables have none.
void time_layers(View& view);
void add_kernels(View& view);

/// Calls what(id, span) for the spans of a level that ran in a counted run.
template <typename Do>
void each_span(const View& view, profile::Level level, Do what) {
  const auto& spans = view.profile->timeline.spans();
  for (profile::SpanId id = 0; id < spans.size(); ++id)
    if (spans[id].level == level && view.run_of[id] != kNone) what(id, spans[id]);
}

}  // namespace ridge::trace
