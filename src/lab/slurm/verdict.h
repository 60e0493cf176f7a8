// SPDX-License-Identifier: Apache-2.0
// What became of a job, from the marks that it left, the queue, and the time that it was silent.
//
//   switch (judge({marks, queue.task(name, 7), words, silent, true}, lease)) ...
//
// Marks outweigh the queue: with node daemon and step gone, Slurm calls a job over whose process
// lives on to its end. Slurm outweighs silence: a job that waits is not lost. What is only silent
// is lost after the lease, and only while the queue can be read. Thread rule: pure.
#pragma once

#include <cstdint>
#include <string>

#include "base/units.h"
#include "lab/slurm/job_folder.h"
#include "lab/slurm/queue.h"

namespace ridge::lab::slurm {

enum class Verdict : std::uint8_t {
  kWait,
  kResult,      ///< over, and its database may have a result
  kFailed,      ///< ridge ended with an error
  kOverTime,    ///< ended by Slurm at its time limit
  kOverMemory,  ///< ended by Slurm for its memory
  kNeverRuns,   ///< waits for what the partition never has
  kNotBegun,    ///< over for Slurm, without a mark
  kLost         ///< no sign of life
};

/// All that is known of a job now.
struct Seen {
  Marks marks;
  QueuedTask queue;
  std::string slurm_words;  ///< the end of what Slurm said of it
  Nanos silent{0};          ///< since its last sign of life
  bool queue_is_read = true;
};

Verdict judge(const Seen& seen, Nanos lease);

}  // namespace ridge::lab::slurm
