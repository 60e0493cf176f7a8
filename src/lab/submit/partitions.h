// SPDX-License-Identifier: Apache-2.0
// Points of requests on partitions of Slurm (lab/slurm/slurm.h), beside machines with agents.
//
//   TRY(submit_to_partitions({.requests = paths, .plan = plan, .partitions = lab.slurm}, store,
//                            environment, submission));
//
// This ridge lists the points of the requests; the nodes run the same file of the program, and read
// the requests and what they name under the names that these have here. Instruction sets,
// architecture and device that points need are features of Slurm's nodes; memory and cores are
// asked for; tags are those of the partition. With Spread::kAny all points go to the first
// partition that has the tags. Partitions take their turns.
//
// Adds a machine and its points to the submission. Errors: those of the requests' ridge
// (RIDGE-LAB-0106), of lab/slurm, and of the store. Thread rule: one thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "lab/submit/coordinator.h"
#include "lab/submit/lab_file.h"
#include "lab/submit/submission.h"
#include "session/environment.h"
#include "store/store.h"

namespace ridge::lab {

struct PartitionPlan {
  const std::vector<std::string>& requests;  ///< paths, of the plan's jobs in their order
  const SubmitPlan& plan;
  const std::vector<Partition>& partitions;
  ExperimentLog* log = nullptr;  ///< log of the experiment; null: there is none
};

/// `store`: null for a dry run.
Result<void> submit_to_partitions(const PartitionPlan& asked, store::Store* store,
                                  const session::Environment& environment, Submission& out);

/// Needs of points as Slurm's nodes are asked for them.
slurm::Needs slurm_needs(const Needs& needs);

}  // namespace ridge::lab
