// SPDX-License-Identifier: Apache-2.0
// Arguments of sbatch for points of equal needs: one array of jobs.
//
//   TRY(check(partition)); TRY(check(point));
//   const std::vector<std::string> arguments = sbatch_arguments(partition, job, submission);
//
// Names of files, points and features reach sbatch and the job as arguments of their own, and the
// script is the same for all (job_script.h): no text becomes a part of a command. What sbatch would
// read as syntax of its own (a constraint, a partition) is checked for its characters.
//
// Errors: input class, RIDGE-LAB-0300, for a text that cannot be one of Slurm's names. Thread rule:
// pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/slurm/partition.h"

namespace ridge::lab::slurm {

/// Points in one array; Slurm's default limit is 1001.
inline constexpr std::size_t kArrayLimit = 1000;

/// Points that one call of sbatch submits.
struct Submission {
  std::string name;    ///< name of its folder: "000001"
  std::string job;     ///< name of the job in the queue
  std::string folder;  ///< absolute
  std::size_t tasks = 0;
  Needs needs;
};

/// Indices of points by their needs, those of an array together, each at most kArrayLimit.
std::vector<std::vector<std::size_t>> arrays_of(const std::vector<Point>& points,
                                                const std::vector<std::size_t>& waiting);

Result<void> check(const Partition& partition);
Result<void> check(const Point& point);

/// All but the name of the program.
std::vector<std::string> sbatch_arguments(const Partition& partition, const Job& job,
                                          const Submission& submission);

/// The arguments that say which nodes fit: "--partition=short --mem=100M"; "any node".
std::string resources_text(const Partition& partition, const Needs& needs);

/// Arguments as a line for people, quoted for a shell.
std::string sbatch_line(const std::vector<std::string>& arguments);

/// Seconds between two signs of life of a job.
std::int64_t beat_s(const Partition& partition);

}  // namespace ridge::lab::slurm
