// SPDX-License-Identifier: Apache-2.0
// Maps a time in a recording to the run of the model it belongs to.
//
//   SpanRuns runs(spans);                     // the steps, ProfilerStep#N, process by process
//   runs.of(process, start_ns);               // nullopt: outside of all runs
//
// Steps are spans of level model (mark_steps); a step in which no operator or call begins is not a
// run. A recording without steps has one run per process, covering everything. If the operators of
// such a recording repeat, repeat() sets the runs found that way. Cost: O(n log n) once, O(log n)
// per lookup.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "import/span_facts.h"

namespace ridge::imports {

class SpanRuns {
 public:
  explicit SpanRuns(const Spans& spans);

  std::optional<std::size_t> of(std::uint32_t process, std::int64_t ns) const;
  std::size_t count() const { return count_; }
  std::uint32_t process_of(std::size_t run) const { return process_of_[run]; }
  /// Step of a run; kNoSpan if the run is not a step.
  profile::SpanId step(std::size_t run) const { return step_of_[run]; }
  /// Durations of the steps; empty if there are none or runs were detected by repetition.
  std::vector<std::int64_t> steps_ns() const;
  /// True if the recording marks runs, or repeat() set them.
  bool known() const { return !steps_.empty(); }
  bool repeated() const { return repeated_; }

  /// Adds runs of one process that begin at these times; each ends where the next one begins.
  void repeat(std::uint32_t process, const std::vector<std::int64_t>& starts_ns);
  /// Drops the runs marked true; times inside them then count as outside.
  void leave_out(const std::vector<bool>& runs);

 private:
  struct Step {
    std::uint32_t process = 0;
    std::int64_t start_ns = 0, end_ns = 0;
    profile::SpanId span = profile::kNoSpan;
    bool counts = true;
    std::size_t run = 0;
  };
  void number();
  void leave_out_empty(const Spans& spans);

  std::vector<Step> steps_;                // by process, then start
  std::vector<std::uint32_t> process_of_;  // by run
  std::vector<profile::SpanId> step_of_;   // by run
  std::size_t count_ = 1, processes_ = 1;
  bool repeated_ = false;
};

/// True for names like "ProfilerStep#3".
bool is_step_name(std::string_view name);

/// Gives host spans that are steps level model, the level that queries treat as runs.
void mark_steps(profile::Timeline& timeline);

/// Length of the block that a sequence repeats from beginning to end; its full length if it does
/// not repeat. Cost: linear.
std::size_t period_of(const std::vector<std::uint64_t>& sequence);

}  // namespace ridge::imports
