// SPDX-License-Identifier: Apache-2.0
#include "lab/slurm/verdict.h"

#include <array>
#include <optional>
#include <string_view>

#include "lab/slurm/job_script.h"

namespace ridge::lab::slurm {
namespace {

struct LimitWords {
  std::string_view text;  ///< words of slurmstepd
  Verdict verdict;
};

constexpr std::array kLimits{
    LimitWords{"DUE TO TIME LIMIT", Verdict::kOverTime},
    LimitWords{"exceeded memory limit", Verdict::kOverMemory},
    LimitWords{"Exceeded job memory limit", Verdict::kOverMemory},
    LimitWords{"oom_kill event", Verdict::kOverMemory},
    LimitWords{"oom-kill event", Verdict::kOverMemory},
};

/// Whether Slurm says that it ended the job at a limit.
std::optional<Verdict> over_limit(const Seen& seen) {
  if (seen.queue.state == TaskState::kOverTime) return Verdict::kOverTime;
  if (seen.queue.state == TaskState::kOverMemory) return Verdict::kOverMemory;
  for (const LimitWords& limit : kLimits)
    if (seen.slurm_words.find(limit.text) != std::string::npos) return limit.verdict;
  return std::nullopt;
}

/// Interrupted, or ended by a signal: nothing is known of the point itself.
bool was_ended(int status) {
  constexpr int kInterrupted = 130, kSignals = 128;
  return status == kInterrupted || status > kSignals || status == kNotCopied;
}

bool is_over(TaskState state) {
  return state != TaskState::kWaiting && state != TaskState::kRunning;
}

}  // namespace

Verdict judge(const Seen& seen, Nanos lease) {
  if (seen.marks.status == 0 || seen.marks.status == 1) return Verdict::kResult;
  const bool silent = seen.silent > lease && seen.queue_is_read;
  if (seen.marks.status) {
    // What Slurm says of a limit may come after the job's own last word.
    if (const auto limit = over_limit(seen)) return *limit;
    if (!silent && !(seen.queue_is_read && is_over(seen.queue.state))) return Verdict::kWait;
    return was_ended(*seen.marks.status) ? Verdict::kLost : Verdict::kFailed;
  }
  if (const auto limit = over_limit(seen)) return *limit;
  const bool begun = !seen.marks.started.empty();
  if (!begun && seen.queue_is_read && waits_forever(seen.queue.reason)) return Verdict::kNeverRuns;
  if (!silent) return Verdict::kWait;
  if (!begun && seen.queue.state == TaskState::kEnded) return Verdict::kNotBegun;
  return Verdict::kLost;
}

}  // namespace ridge::lab::slurm
