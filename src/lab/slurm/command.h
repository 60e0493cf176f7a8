// SPDX-License-Identifier: Apache-2.0
// Slurm's commands: sbatch, squeue, scancel, sinfo, found in PATH.
//
//   const Ended ended = TRY(run_command({"squeue", "--json"}));
//   if (Error error = refusal("sbatch", ended); unreachable(error)) ...
//
// Arguments are handed over one by one; a shell only looks for the program and redirects its
// output. Errors (environment class): RIDGE-LAB-0301 (not installed), 0302 (did not end within two
// minutes, or cannot be started). Thread rule: plain functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace ridge::lab::slurm {

struct Ended {
  int status = 0;
  std::string output;  ///< standard output, at most 256 MiB
  std::string words;   ///< the end of standard error
};

Result<Ended> run_command(const std::vector<std::string>& command);

/// Names what a command that failed says:
///   RIDGE-LAB-0303  environment: the controller does not answer
///   RIDGE-LAB-0304  input: no such partition
///   RIDGE-LAB-0305  input: no node has such a feature
///   RIDGE-LAB-0306  input: no node has so much memory, so many processors, or so much time
///   RIDGE-LAB-0307  environment: anything else that Slurm refuses
Error refusal(const std::string& program, const Ended& ended);

/// RIDGE-LAB-0306, also for a job that waits for what is nowhere.
Error no_such_node();

/// Lines of a program as one line of evidence.
std::string one_line(const std::string& words);

/// Whether to try again later.
bool unreachable(const Error& error);
/// Whether another submission may be taken: it is about what the points need.
bool concerns_needs(const Error& error);

}  // namespace ridge::lab::slurm
