// SPDX-License-Identifier: Apache-2.0
#include "trace/build_view.h"

#include <algorithm>

#include "stats/samples.h"
#include "trace/correlate.h"
#include "trace/view_parts.h"

namespace ridge::trace {
namespace {

using profile::kNoSpan;
using profile::Span;
using profile::SpanId;

std::optional<double> latency_of(const View& view) {
  if (view.profile->latency.ns.value > 0) return view.profile->latency.ns.value;
  const std::vector<Span>& spans = view.profile->timeline.spans();
  std::vector<double> ns;
  for (const SpanId run : view.runs)
    if (run != kNoSpan && spans[run].duration_ns() > 0)
      ns.push_back(static_cast<double>(spans[run].duration_ns()));
  return ns.empty() ? std::nullopt : std::optional(stats::median(ns));
}

std::uint64_t cut_times(profile::Timeline& timeline) {
  std::uint64_t cut = 0;
  for (Span& s : timeline.spans()) {
    const std::int64_t start_ns = std::clamp(s.start_ns, -profile::kFarthest, profile::kFarthest),
                       end_ns = std::clamp(s.end_ns, -profile::kFarthest, profile::kFarthest);
    cut += start_ns != s.start_ns || end_ns != s.end_ns ? 1U : 0U;
    s.start_ns = start_ns;
    s.end_ns = end_ns;
  }
  return cut;
}

}  // namespace

View build_view(profile::Profile& measured) {
  const std::size_t spans = measured.timeline.spans().size();
  View view;
  view.profile = &measured;
  view.out_of_range = cut_times(measured.timeline);
  view.correlation = correlate(measured.timeline);
  view.run_of.assign(spans, kNone);
  view.layer_of.assign(spans, kNone);
  view.left_out.assign(spans, false);
  for (const Span& s : measured.timeline.spans())
    ++view.spans_of[static_cast<std::size_t>(s.level)];
  read_rows(view, measured.timeline);
  place_runs(view);
  inherit(view);
  place_layers(view, measured.timeline);
  inherit(view);
  place_lone_kernels(view);
  time_layers(view);
  add_kernels(view);
  view.latency_ns = latency_of(view);
  return view;
}

}  // namespace ridge::trace
