// SPDX-License-Identifier: Apache-2.0
#include "lab/submit/partitions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/clock.h"
#include "base/list.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "ipc/process.h"
#include "lab/agent/plan.h"
#include "lab/slurm/slurm.h"
#include "session/matrix.h"

namespace ridge::lab {
namespace {

constexpr Nanos kPlanLimit{600'000'000'000};
constexpr std::string_view kSelf = "/proc/self/exe";

std::string partition_name(const Partition& partition) {
  return partition.slurm.partition.empty() ? "slurm" : partition.slurm.partition;
}

/// Asks this ridge for the points of a request.
Result<Plan> points_of(const std::string& program, const std::string& verb,
                       const std::string& request) {
  const TemporaryFolder folder = TRY(TemporaryFolder::make());
  const std::string path = folder.path() + "/plan.json";
  std::vector<std::string> command = plan_command(verb, request, path);
  command.insert(command.begin(), program);
  ipc::Process process = TRY(ipc::Process::start_command(command));
  const auto status = process.wait(steady_clock().now() + kPlanLimit);
  return read_plan(status.value_or(-1), path, process.last_words());
}

/// Sentences for the tags that a partition lacks.
std::vector<std::string> lacking_tags(const Needs& needs, const Partition& partition) {
  std::vector<std::string> out;
  for (const std::string& tag : needs.tags)
    if (std::ranges::count(partition.tags, tag) == 0)
      out.push_back(fmt::format(
          "needs tag {}; {} has {}", printable(tag), partition_name(partition),
          partition.tags.empty() ? "no tags" : fmt::format("{}", fmt::join(partition.tags, " "))));
  return out;
}

/// The points of the jobs, listed once for all partitions.
struct OpenPoint {
  std::size_t job = 0;
  slurm::Point point;
  bool taken = false;  ///< by a partition
};

Result<std::vector<OpenPoint>> list_points(const PartitionPlan& asked, const std::string& program) {
  std::vector<OpenPoint> out;
  for (std::size_t job = 0; job < asked.plan.jobs.size(); ++job) {
    const std::string& verb = asked.plan.jobs[job].job.verb;
    const Plan plan = TRY(points_of(program, verb, asked.requests[job]));
    for (const PlannedPoint& p : plan.points)
      if (!p.key.empty())
        out.push_back(
            {job, {verb, asked.requests[job], p.key, p.label, slurm_needs(asked.plan.needs[job])}});
  }
  return out;
}

void add_point(const std::string& machine, const slurm::Point& point, const slurm::Outcome& outcome,
               Submission& out) {
  SubmittedPoint& row = out.points.emplace_back();
  row.point = point.label;
  row.machines = {machine};
  switch (outcome.end) {
    case slurm::PointEnd::kOpen:
      return;
    case slurm::PointEnd::kBefore:
      row.state = TaskState::kHeld;
      return;
    case slurm::PointEnd::kStored:
      row.state = TaskState::kDone;
      row.machine = machine;
      ++out.machines.back().done;
      return;
    case slurm::PointEnd::kFailed:
      row.state = TaskState::kFailed;
      row.reason = session::reason_of(*outcome.error);
      return;
  }
}

/// Tells an experiment of the points of a partition, whose nodes' keys are known from their results
/// on.
Result<slurm::LoggedPoints> log_points(ExperimentLog* log, const std::string& machine,
                                       const slurm::Job& job) {
  slurm::LoggedPoints out{.log = log, .partition = machine, .numbers = {}};
  if (log == nullptr) return out;
  std::vector<store::PlannedPoint> points;
  for (const slurm::Point& p : job.points)
    points.push_back({.name = fmt::format("{}/{}/{}", machine, p.request, p.key),
                      .label = p.label,
                      .error = {},
                      .places = {{.machine = machine, .key = {}}}});
  out.numbers = TRY(log->plan(points));
  return out;
}

Result<void> submit_to(const Partition& partition, const slurm::Job& job, store::Store* store,
                       const session::Environment& environment, ExperimentLog* log,
                       Submission& out) {
  const std::string machine = partition_name(partition);
  if (store == nullptr) {
    const std::string text = TRY(slurm::planned_text(partition.slurm, job));
    for (const std::string_view line : items(text, "\n")) environment.notices.status(line);
    for (const slurm::Point& point : job.points) add_point(machine, point, {}, out);
    return {};
  }
  const slurm::Summary done =
      TRY_IN(machine, slurm::run_on_slurm(partition.slurm, job, *store, environment,
                                          TRY(log_points(log, machine, job))));
  for (std::size_t i = 0; i < job.points.size(); ++i)
    add_point(machine, job.points[i], done.points[i], out);
  return {};
}

}  // namespace

slurm::Needs slurm_needs(const Needs& needs) {
  slurm::Needs out{.features = needs.machine.isa};
  if (!needs.machine.architecture.empty()) out.features.push_back(needs.machine.architecture);
  if (!needs.machine.device.empty() && needs.machine.device != "cpu")
    out.features.push_back(needs.machine.device);
  if (needs.machine.memory_bytes) out.memory = Bytes{*needs.machine.memory_bytes};
  out.cpus = needs.machine.cores;
  return out;
}

Result<void> submit_to_partitions(const PartitionPlan& asked, store::Store* store,
                                  const session::Environment& environment, Submission& out) {
  if (asked.partitions.empty()) return {};
  std::error_code failed;
  const std::string program = std::filesystem::read_symlink(kSelf, failed).string();
  std::vector<OpenPoint> points = TRY(list_points(asked, program));
  for (const Partition& partition : asked.partitions) {
    SubmittedMachine& machine = out.machines.emplace_back();
    machine.name = partition_name(partition);
    slurm::Job job{.program = program};
    for (OpenPoint& listed : points) {
      if (listed.taken && asked.plan.spread == Spread::kAny) continue;
      const auto reasons = lacking_tags(asked.plan.needs[listed.job], partition);
      for (const std::string& reason : reasons)
        if (std::ranges::count(machine.reasons, reason) == 0) machine.reasons.push_back(reason);
      if (!reasons.empty()) continue;
      listed.taken = true;
      job.points.push_back(listed.point);
    }
    if (job.points.empty() && !machine.reasons.empty()) machine.state = MachineState::kUnfit;
    if (job.points.empty() || environment.stopped()) continue;
    TRY(submit_to(partition, job, store, environment, asked.log, out));
  }
  return {};
}

}  // namespace ridge::lab
