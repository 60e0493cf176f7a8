// SPDX-License-Identifier: Apache-2.0
// Measures points of requests on the nodes of a Slurm cluster, and collects their results in one
// store.
//
//   const Partition part{.partition = "lab", .folder = "/shared/ridge"};
//   const Job job{.program = program, .points = {{"bench", "/shared/m.toml", key, "batch=1"}}};
//   const Summary done = TRY(run_on_slurm(part, job, store, environment));
//
// Points of equal needs are submitted as an array of jobs, each of which runs `ridge VERB --request
// FILE --point KEY --store OWN` on a node and leaves a run database in the shared folder
// (job_script.h); a result is merged into the store here, so that nodes need no access to it.
// Slurm's own second tries are off: a job holds its point by a sign of life (a lease), one that was
// lost is submitted again, and of results that come twice the first that was accepted counts
// (job_folder.h).
//
// The call may be killed at any moment; the same call goes on. Jobs that still wait or run are
// found again by their name and are not submitted twice; results that came meanwhile are merged. A
// point whose result is in the folder is not measured again; a failed one is. When the stop flag of
// the environment is set, all jobs are canceled. A controller that does not answer is waited for.
//
// Failures of single points are in the summary. Errors that end the call: command.h, job_folder.h
// and the store. Thread rule: one thread. Cost: a few small files for each point and second, squeue
// every poll_s; on the nodes a shell that wakes every few seconds.
#pragma once

#include <string>

#include "base/result.h"
#include "lab/slurm/node_log.h"
#include "lab/slurm/partition.h"
#include "lab/slurm/summary.h"
#include "session/environment.h"
#include "store/store.h"

namespace ridge::lab::slurm {

/// `logged`: the points in their experiment, whose log is told what is seen of jobs and nodes.
Result<Summary> run_on_slurm(const Partition& partition, const Job& job, store::Store& store,
                             const session::Environment& environment, LoggedPoints logged = {});

/// Returns what would be submitted, a call of sbatch and its points. Needs no cluster and makes no
/// folder.
Result<std::string> planned_text(const Partition& partition, const Job& job);

}  // namespace ridge::lab::slurm
