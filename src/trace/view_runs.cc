// SPDX-License-Identifier: Apache-2.0
// Runs of a view, and the runs and layers of the spans inside them.
#include <algorithm>

#include "trace/view_parts.h"

namespace ridge::trace {
namespace {

using profile::kNoSpan;
using profile::Level;
using profile::Span;
using profile::SpanId;

/// Marks spans that are the parent of a span below level model.
std::vector<bool> with_contents(const std::vector<Span>& spans) {
  std::vector<bool> out(spans.size(), false);
  for (const Span& s : spans)
    if (s.parent != kNoSpan && s.level > Level::kModel) out[s.parent] = true;
  return out;
}

/// Run of a span without a known parent: the last one that started no later than the span.
std::uint32_t run_at(const View& view, std::int64_t start_ns) {
  if (view.runs.empty()) return kNone;
  if (view.runs.front() == kNoSpan) return 0;
  const std::vector<Span>& spans = view.profile->timeline.spans();
  const auto after = std::partition_point(view.runs.begin(), view.runs.end(), [&](SpanId run) {
    return spans[run].start_ns <= start_ns;
  });
  return after == view.runs.begin() ? kNone
                                    : static_cast<std::uint32_t>(after - view.runs.begin() - 1);
}

}  // namespace

void place_runs(View& view) {
  const std::vector<Span>& spans = view.profile->timeline.spans();
  const std::vector<bool> filled = with_contents(spans);
  std::vector<SpanId> models;
  for (SpanId id = 0; id < spans.size(); ++id)
    if (spans[id].level == Level::kModel) models.push_back(id);
  std::stable_sort(models.begin(), models.end(),
                   [&](SpanId a, SpanId b) { return spans[a].start_ns < spans[b].start_ns; });
  for (const SpanId id : models)
    if (filled[id]) view.runs.push_back(id);
  if (view.runs.empty()) view.runs = models;
  if (view.runs.empty() && !spans.empty()) view.runs.push_back(kNoSpan);
  for (std::uint32_t run = 0; run < view.runs.size(); ++run)
    if (view.runs[run] != kNoSpan) view.run_of[view.runs[run]] = run;
}

void inherit(View& view) {
  const std::vector<Span>& spans = view.profile->timeline.spans();
  std::vector<bool> settled(spans.size(), false);
  std::vector<SpanId> path;
  for (SpanId id = 0; id < spans.size(); ++id) {
    SpanId at = id;
    for (path.clear(); at != kNoSpan && !settled[at]; at = spans[at].parent) path.push_back(at);
    for (; !path.empty(); path.pop_back()) {
      const SpanId inner = path.back(), cause = spans[inner].parent;
      const bool is_run = spans[inner].level <= Level::kModel;
      if (view.left_out[inner])
        view.run_of[inner] = kNone;
      else if (!is_run)
        view.run_of[inner] = cause == kNoSpan || spans[cause].level < Level::kModel
                                 ? run_at(view, spans[inner].start_ns)
                                 : view.run_of[cause];
      if (view.layer_of[inner] == kNone && cause != kNoSpan)
        view.layer_of[inner] = view.layer_of[cause];
      settled[inner] = true;
    }
  }
}

}  // namespace ridge::trace
