// SPDX-License-Identifier: Apache-2.0
#include "lab/slurm/slurm.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "lab/slurm/campaign.h"
#include "lab/slurm/submission.h"

namespace ridge::lab::slurm {

Result<std::string> planned_text(const Partition& partition, const Job& job) {
  TRY(check(partition));
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < job.points.size(); ++i) {
    TRY(check(job.points[i]));
    all.push_back(i);
  }
  std::string out;
  for (const std::vector<std::size_t>& array : arrays_of(job.points, all)) {
    const Submission submission{"NUMBER", "ridge-NUMBER", partition.folder, array.size(),
                                job.points[array[0]].needs};
    out += sbatch_line(sbatch_arguments(partition, job, submission)) + "\n";
    for (std::size_t i = 0; i < array.size(); ++i)
      out +=
          fmt::format("  {}: ridge {} --request {} --point {}  # {}\n", i,
                      job.points[array[i]].verb, printable(job.points[array[i]].request),
                      printable(job.points[array[i]].key), printable(job.points[array[i]].label));
  }
  return out;
}

Result<Summary> run_on_slurm(const Partition& partition, const Job& job, store::Store& store,
                             const session::Environment& environment, LoggedPoints logged) {
  TRY(check(partition));
  for (const Point& point : job.points) TRY(check(point));
  Campaign campaign = TRY(Campaign::open(partition, job, store, environment, std::move(logged)));
  return campaign.run();
}

}  // namespace ridge::lab::slurm
