#include "trace/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "stats/samples.h"
#include "trace/view_parts.h"

namespace ridge::trace {
namespace {

using profile::kNoSpan;
using profile::Level;
using profile::Span;
using profile::SpanId;

std::optional<double> latency_of(const View& view) {
  if (view.profile->latency.ns.median > 0) return view.profile->latency.ns.median;
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

/// Marks spans that are the parent of a span below level model.
std::vector<bool> with_contents(const std::vector<Span>& spans) {
  std::vector<bool> out(spans.size(), false);
  for (const Span& s : spans)
    if (s.parent != kNoSpan && s.level > Level::kModel) out[s.parent] = true;
  return out;
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

namespace {

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

View::View(profile::Profile& measured)
    : profile(&measured),
      out_of_range(cut_times(measured.timeline)),
      correlation(correlate(measured.timeline)),
      run_of(measured.timeline.spans().size(), kNone),
      layer_of(measured.timeline.spans().size(), kNone),
      left_out(measured.timeline.spans().size()) {
  for (const Span& s : measured.timeline.spans()) ++spans_of[static_cast<std::size_t>(s.level)];
  read_rows(*this, measured.timeline);
  place_runs(*this);
  inherit(*this);
  place_layers(*this, measured.timeline);
  inherit(*this);
  place_lone_kernels(*this);
  time_layers(*this);
  add_kernels(*this);
  latency_ns = latency_of(*this);
}

std::string View::levels_text() const {
  std::string out;
  for (std::size_t level = 0; level < kLevels; ++level)
    if (spans_of[level] > 0)
      out += fmt::format("{}{} ({})", out.empty() ? "" : ", ", name(static_cast<Level>(level)),
                         counted(static_cast<std::int64_t>(spans_of[level]), "span"));
  if (out.empty()) out = "no spans";
  return profile->layers.empty() ? out
                                 : out + fmt::format(" and {} in its table",
                                                     counted(std::ssize(profile->layers), "layer"));
}

}  // namespace ridge::trace
