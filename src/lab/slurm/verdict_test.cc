// SPDX-License-Identifier: Apache-2.0
#include "lab/slurm/verdict.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace ridge::lab::slurm {
namespace {

constexpr Nanos kLease{60};
constexpr Nanos kShort{60}, kLong{61};

struct Case {
  const char* what;
  std::optional<int> status;
  bool begun;
  TaskState state;
  Nanos silent;
  Verdict verdict;
};

const std::vector<Case> kCases{
    {"waits", {}, false, TaskState::kWaiting, kShort, Verdict::kWait},
    {"runs", {}, true, TaskState::kRunning, kShort, Verdict::kWait},
    {"hangs or its node is gone", {}, true, TaskState::kRunning, kLong, Verdict::kLost},
    {"over for Slurm, but alive", {}, true, TaskState::kEnded, kShort, Verdict::kWait},
    {"over for Slurm, and silent", {}, true, TaskState::kEnded, kLong, Verdict::kLost},
    {"unknown to Slurm, but alive", {}, true, TaskState::kAbsent, kShort, Verdict::kWait},
    {"never submitted, or forgotten", {}, false, TaskState::kAbsent, kLong, Verdict::kLost},
    {"ended before it began", {}, false, TaskState::kEnded, kLong, Verdict::kNotBegun},
    {"time", {}, true, TaskState::kOverTime, kShort, Verdict::kOverTime},
    {"time, ended by SIGTERM", 143, true, TaskState::kOverTime, kShort, Verdict::kOverTime},
    {"memory", {}, true, TaskState::kOverMemory, kShort, Verdict::kOverMemory},
    {"done", 0, true, TaskState::kRunning, kShort, Verdict::kResult},
    {"done, over its memory as it ended", 0, true, TaskState::kOverMemory, kShort,
     Verdict::kResult},
    {"a check failed", 1, true, TaskState::kEnded, kShort, Verdict::kResult},
    {"failed, Slurm has not spoken", 3, true, TaskState::kRunning, kShort, Verdict::kWait},
    {"failed", 3, true, TaskState::kEnded, kShort, Verdict::kFailed},
    {"failed, forgotten", 3, true, TaskState::kAbsent, kShort, Verdict::kFailed},
    {"interrupted", 130, true, TaskState::kEnded, kShort, Verdict::kLost},
    {"killed", 137, true, TaskState::kEnded, kShort, Verdict::kLost},
    {"the folder was full", 74, true, TaskState::kEnded, kShort, Verdict::kLost},
};

Seen seen_of(const Case& c) {
  return {.marks = {c.begun ? "17 n1" : "", c.begun ? "5" : "", c.status},
          .queue = {c.state, "17_0", ""},
          .slurm_words = {},
          .silent = c.silent};
}

TEST(SlurmVerdict, MarksOutweighTheQueueAndTheQueueOutweighsSilence) {
  for (const Case& c : kCases) EXPECT_EQ(judge(seen_of(c), kLease), c.verdict) << c.what;
}

TEST(SlurmVerdict, NothingIsLostWhileTheQueueCannotBeRead) {
  for (const Case& c : kCases) {
    Seen seen = seen_of(c);
    seen.queue_is_read = false;
    const Verdict verdict = judge(seen, kLease);
    EXPECT_NE(verdict, Verdict::kLost) << c.what;
    EXPECT_NE(verdict, Verdict::kNotBegun) << c.what;
  }
}

TEST(SlurmVerdict, WordsOfTheStepTellALimit) {
  Seen seen = seen_of({"", 137, true, TaskState::kEnded, kShort, Verdict::kLost});
  seen.slurm_words = "slurmstepd-n1: error: StepId=9.batch exceeded memory limit (3 > 1)";
  EXPECT_EQ(judge(seen, kLease), Verdict::kOverMemory);
  seen.slurm_words = "slurmstepd: error: *** JOB 10 ON n1 CANCELLED AT ... DUE TO TIME LIMIT ***";
  EXPECT_EQ(judge(seen, kLease), Verdict::kOverTime);
}

TEST(SlurmVerdict, AJobThatWaitsForWhatIsNotThereNeverRuns) {
  Seen seen = seen_of({"", {}, false, TaskState::kWaiting, kShort, Verdict::kNeverRuns});
  seen.queue.reason = "PartitionConfig";
  EXPECT_EQ(judge(seen, kLease), Verdict::kNeverRuns);
  seen.queue.reason = "Priority";
  EXPECT_EQ(judge(seen, kLease), Verdict::kWait);
}

}  // namespace
}  // namespace ridge::lab::slurm
