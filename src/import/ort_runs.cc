// SPDX-License-Identifier: Apache-2.0
#include "import/ort_runs.h"

#include <algorithm>

namespace ridge::imports {
namespace {

/// Last run in `runs` (sorted by start) that encloses the event; nullptr if none does. Tolerates
/// rounding of both ends to microseconds.
const OrtRun* holder(const std::vector<OrtRun>& runs, const profile::OrtInterval& event) {
  auto after = std::ranges::upper_bound(runs, event.start_us + 1, {}, &OrtRun::start_us);
  if (after == runs.begin()) return nullptr;
  --after;
  return event.start_us + event.duration_us <= after->end_us + 1 ? &*after : nullptr;
}

}  // namespace

void OrtRuns::order() {
  std::ranges::stable_sort(runs_, {}, &OrtRun::start_us);
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    runs_[i].index = i;
    by_thread_[runs_[i].thread].push_back(runs_[i]);
    overlap_ |= i > 0 && runs_[i].start_us < runs_[i - 1].end_us;
  }
}

const OrtRun* OrtRuns::of(const profile::OrtInterval& event) const {
  if (const auto own = by_thread_.find(event.thread); own != by_thread_.end())
    if (const OrtRun* run = holder(own->second, event)) return run;
  return by_thread_.size() == 1 || !overlap_ ? holder(runs_, event) : nullptr;
}

}  // namespace ridge::imports
