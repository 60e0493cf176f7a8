// SPDX-License-Identifier: Apache-2.0
#include "import/span_runs.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ridge::imports {

using profile::Level;
using profile::Span;

bool is_step_name(std::string_view name) { return name.starts_with("ProfilerStep#"); }

bool on_host(const Span& span) { return span.level != Level::kKernel && span.queue == 0; }

SpanRuns::SpanRuns(const Spans& spans)
    : processes_(std::max<std::size_t>(1, spans.processes.size())) {
  const std::vector<Span>& all = spans.timeline.spans();
  for (profile::SpanId i = 0; i < all.size(); ++i)
    if (all[i].level == Level::kModel)
      steps_.push_back({spans.facts[i].process, all[i].start_ns, all[i].end_ns, i});
  std::ranges::sort(steps_, [](const Step& a, const Step& b) {
    return a.process != b.process ? a.process < b.process : a.start_ns < b.start_ns;
  });
  number();
  leave_out_empty(spans);
}

/// Drops steps in which no operator or call begins, unless all are empty.
void SpanRuns::leave_out_empty(const Spans& spans) {
  if (steps_.empty()) return;
  std::vector<bool> empty(count_, true);
  const std::vector<Span>& all = spans.timeline.spans();
  for (profile::SpanId i = 0; i < all.size(); ++i) {
    if (all[i].level != Level::kLayer && all[i].level != Level::kLibrary) continue;
    if (const auto run = of(spans.facts[i].process, all[i].start_ns)) empty[*run] = false;
  }
  if (std::ranges::find(empty, false) != empty.end()) leave_out(empty);
}

void SpanRuns::number() {
  process_of_.clear();
  step_of_.clear();
  for (Step& step : steps_) {
    if (!step.counts) continue;
    step.run = process_of_.size();
    process_of_.push_back(step.process);
    step_of_.push_back(step.span);
  }
  if (steps_.empty()) {
    process_of_.resize(processes_);
    std::iota(process_of_.begin(), process_of_.end(), 0U);
    step_of_.assign(processes_, profile::kNoSpan);
  }
  count_ = process_of_.size();
}

std::optional<std::size_t> SpanRuns::of(std::uint32_t process, std::int64_t ns) const {
  if (steps_.empty()) return process < processes_ ? process : 0;
  auto after = std::ranges::partition_point(steps_, [&](const Step& step) {
    return step.process != process ? step.process < process : step.start_ns <= ns;
  });
  if (after == steps_.begin()) return std::nullopt;
  --after;
  if (after->process != process || ns > after->end_ns || !after->counts) return std::nullopt;
  return after->run;
}

std::vector<std::int64_t> SpanRuns::steps_ns() const {
  std::vector<std::int64_t> out;
  for (const Step& step : steps_)
    if (step.counts && !repeated_) out.push_back(step.end_ns - step.start_ns);
  return out;
}

void SpanRuns::repeat(std::uint32_t process, const std::vector<std::int64_t>& starts_ns) {
  for (std::size_t i = 0; i < starts_ns.size(); ++i)
    steps_.push_back({process, starts_ns[i],
                      i + 1 < starts_ns.size() ? starts_ns[i + 1] - 1
                                               : std::numeric_limits<std::int64_t>::max()});
  repeated_ = true;
  std::ranges::stable_sort(steps_, {}, &Step::process);
  number();
}

void SpanRuns::leave_out(const std::vector<bool>& runs) {
  for (Step& step : steps_)
    if (step.counts && step.run < runs.size() && runs[step.run]) step.counts = false;
  number();
}

void mark_steps(profile::Timeline& timeline) {
  for (Span& s : timeline.spans())
    if (s.level == Level::kApplication && on_host(s) && is_step_name(timeline.text(s.name)))
      s.level = Level::kModel;
}

std::size_t period_of(const std::vector<std::uint64_t>& sequence) {
  // For each prefix, its longest proper prefix that is also a suffix (Knuth, Morris, Pratt).
  std::vector<std::size_t> border(sequence.size(), 0);
  for (std::size_t i = 1, k = 0; i < sequence.size(); ++i) {
    while (k > 0 && sequence[i] != sequence[k]) k = border[k - 1];
    if (sequence[i] == sequence[k]) ++k;
    border[i] = k;
  }
  if (sequence.empty()) return 0;
  const std::size_t period = sequence.size() - border.back();
  return sequence.size() % period == 0 ? period : sequence.size();
}

}  // namespace ridge::imports
