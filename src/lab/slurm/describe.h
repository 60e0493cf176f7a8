// SPDX-License-Identifier: Apache-2.0
// Descriptions of the types of partition.h that are read from files.
#pragma once

#include <array>
#include <cstdint>

#include "lab/slurm/partition.h"
#include "lab/slurm/submission.h"
#include "record/describe.h"

namespace ridge {

template <>
struct record::Describe<lab::slurm::Partition> {
  using T = lab::slurm::Partition;
  static constexpr std::string_view name = "slurm";
  static constexpr std::int64_t kYear = 366 * 86'400;
  static constexpr std::array fields{
      field<&T::partition>("partition", "partition of the cluster; absent: its default",
                           or_default()),
      field<&T::constraint>("constraint", "features of nodes, in the words of sbatch --constraint",
                            or_default()),
      field<&T::account>("account", "account that is charged", or_default()),
      field<&T::qos>("qos", "quality of service", or_default()),
      field<&T::folder>("folder",
                        "folder that the nodes and this machine share, for what jobs leave",
                        required()),
      field<&T::time_limit_s>("time_limit_s", "of one point; Slurm rounds it up to minutes",
                              or_default(), between(1, kYear)),
      field<&T::exclusive>("exclusive", "a node for each point alone", or_default()),
      field<&T::lease_s>("lease_s", "a job without a sign of life for so long is taken for lost",
                         or_default(), between(2, 86'400)),
      field<&T::poll_s>("poll_s", "between two looks at the queue", or_default(),
                        between(1, 3'600))};

  static Result<void> check(const T& partition) { return lab::slurm::check(partition); }
};

}  // namespace ridge
