// Which run of the model a moment of a recording belongs to.
//
//   SpanRuns runs(spans);                     // the steps, ProfilerStep#N, process by process
//   runs.of(process, start_ns);               // nullopt: outside of all runs
//
// Steps are spans of level model (mark_steps); one in which no operator or call begins is no run.
// A recording without any has one run per process: all of it. Where the operators of such a
// recording repeat, runs are told by that: repeat(). Cost: O(n log n) once, O(log n) a look-up.
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
  /// The step that a run is; kNoSpan where it is none.
  profile::SpanId step(std::size_t run) const { return step_of_[run]; }
  /// Durations of the steps; empty where there are none, or what repeats told the runs.
  std::vector<std::int64_t> steps_ns() const;
  /// Whether a recording says where runs begin, or that was told.
  bool known() const { return !steps_.empty(); }
  bool repeated() const { return repeated_; }

  /// Runs that begin at these moments of one process, and end where the next one begins.
  void repeat(std::uint32_t process, const std::vector<std::int64_t>& starts_ns);
  /// Leaves runs out: what lies in them is outside. By run.
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

/// "ProfilerStep#3"
bool is_step_name(std::string_view name);

/// Makes the steps of the host spans of level model: they are what queries call runs.
void mark_steps(profile::Timeline& timeline);

/// The period with which a sequence repeats from its beginning to its end; its length where it does
/// not. Cost: linear.
std::size_t period_of(const std::vector<std::uint64_t>& sequence);

}  // namespace ridge::imports
