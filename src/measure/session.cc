// SPDX-License-Identifier: Apache-2.0
#include "measure/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "machine/reference.h"
#include "measure/job.h"
#include "profile/drift.h"
#include "runtime/turns.h"

namespace ridge::measure {
namespace {

using runtime::Measurement;

/// Runs at the start of each turn whose times are discarded: meanwhile the other processes have
/// displaced the caches (docs/measuring.md).
constexpr std::uint32_t kSettleRuns = 1;

/// Times of the reference kernels between processes, while no measured process is running.
class Reference {
 public:
  void read(std::uint32_t processes) {
    for (const machine::ReferenceTime& t : kernels_.read())
      readings_.push_back({processes, std::string(t.kernel), t.ns});
  }
  void tell(profile::Profile& p) const {
    p.reference = readings_;
    if (std::string note = profile::drift_note(readings_); !note.empty())
      p.notes.push_back(std::move(note));
  }

 private:
  machine::ReferenceKernels kernels_;
  std::vector<profile::ReferenceTime> readings_;
};

/// One entry per column: the job, or the error that ended it.
using Jobs = std::vector<Result<Job>>;
using Group = std::vector<Result<Job>*>;

void settle(Result<Job>& job, Result<void> taken) {
  if (!taken.ok()) job = std::move(taken).error();
}

void show_measuring(const Group& group, std::uint32_t number, const runtime::Progress& p) {
  const Job& first = **group[0];
  const std::string text =
      fmt::format("process {} of {}: measuring", number, first.request().processes);
  if (group.size() == 1) return first.show(text + ", " + rounds_text(p));
  if (Progress* progress = first.request().progress)
    progress->show(fmt::format("{} {} in turns, {}", text, group.size(), rounds_text(p)));
}

/// Starts one process of each job and measures them in turns, all alive at once.
void measure_together(const Group& group, std::uint32_t number) {
  Group here;
  std::vector<Job::Started> started;
  for (Result<Job>* job : group) {
    if (!job->ok() || (*job)->interrupted()) continue;
    Result<Job::Started> one = (*job)->start(number);
    if (one.ok()) {
      started.push_back(std::move(*one));
      here.push_back(job);
    } else {
      settle(*job, (*job)->take(number, 0, std::move(one).error()));
    }
  }
  if (here.empty()) return;
  const Request& request = (*here[0])->request();
  runtime::Plan plan = request.plan;
  if (here.size() > 1) plan.settle_runs = std::max(plan.settle_runs, kSettleRuns);
  std::vector<runtime::Party> parties;
  for (Job::Started& one : started) parties.push_back({&one.runtime, one.session});
  std::vector<Result<Measurement>> measured = runtime::measure_in_turns(
      parties, plan, [&](const runtime::Progress& p) { show_measuring(here, number, p); },
      request.runtime.interrupted);
  for (std::size_t i = 0; i < here.size(); ++i)
    settle(*here[i], (*here[i])->take(number, started[i].load_ns, std::move(measured[i])));
}

/// Selects the pairs that count for each job's processes; for jobs in turns by run, the same
/// rounds.
std::vector<std::vector<Kept>> kept_of(Jobs& jobs, Turns turns) {
  std::vector<std::vector<Kept>> out(jobs.size());
  std::vector<const std::vector<ProcessRuns>*> runs(jobs.size(), nullptr);
  Host host{.processors = 1, .threads = 1};
  std::size_t processes = 0;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    if (!jobs[j].ok()) continue;
    runs[j] = &jobs[j]->collect();
    processes = std::max(processes, runs[j]->size());
    host = {.processors = jobs[j]->host().processors,
            .threads = std::max(host.threads, jobs[j]->host().threads)};
    if (turns == Turns::kProcesses)
      for (const ProcessRuns& process : *runs[j]) out[j].push_back(gate(process, jobs[j]->host()));
  }
  if (turns == Turns::kProcesses) return out;
  for (std::size_t p = 0; p < processes; ++p) {
    std::vector<const ProcessRuns*> beside;
    std::vector<std::size_t> of;
    for (std::size_t j = 0; j < jobs.size(); ++j)
      if (runs[j] != nullptr && p < runs[j]->size()) {
        beside.push_back(&(*runs[j])[p]);
        of.push_back(j);
      }
    std::vector<Kept> kept = gate_in_turns(beside, host);
    for (std::size_t i = 0; i < of.size(); ++i) out[of[i]].push_back(std::move(kept[i]));
  }
  return out;
}

}  // namespace

std::vector<Result<profile::Profile>> profile_in_turns(std::span<const Column> columns,
                                                       Turns turns) {
  Jobs jobs;
  std::uint32_t processes = 0;
  for (const Column& column : columns) {
    jobs.push_back(Job::begin(*column.resolved, column.request));
    processes = std::max(processes, column.request.processes);
  }
  Group all;
  for (Result<Job>& job : jobs) all.push_back(&job);
  Reference reference;
  for (std::uint32_t n = 1; n <= processes; ++n) {
    reference.read(n - 1);
    if (turns == Turns::kRuns)
      measure_together(all, n);
    else
      for (std::size_t i = 0; i < all.size(); ++i)
        measure_together({all[n % 2 == 1 ? i : all.size() - 1 - i]}, n);
  }
  reference.read(processes);
  const std::vector<std::vector<Kept>> kept = kept_of(jobs, turns);
  std::vector<Result<profile::Profile>> out;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    if (jobs[j].ok())
      out.push_back(jobs[j]->finish(kept[j]));
    else
      out.emplace_back(std::move(jobs[j]).error());
    if (out.back().ok()) reference.tell(*out.back());
  }
  return out;
}

Result<profile::Profile> profile_model(const analysis::Resolved& resolved, const Request& request) {
  const Column alone{&resolved, request};
  Result<profile::Profile> p = std::move(profile_in_turns({&alone, 1}, Turns::kProcesses)[0]);
  // A process that produced no samples needs an entry only to align with partners.
  if (p.ok())
    std::erase_if(p->latency.processes,
                  [](const profile::Process& process) { return process.samples_ns.empty(); });
  return p;
}

}  // namespace ridge::measure
