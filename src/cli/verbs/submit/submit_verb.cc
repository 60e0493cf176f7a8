// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "base/temporary_folder.h"
#include "base/text.h"
#include "cli/flags/document_options.h"
#include "cli/interrupt.h"
#include "cli/measuring_environment.h"
#include "cli/verbs/submit/verb.h"
#include "evaluation/repeat/hashes.h"
#include "export/table.h"
#include "lab/submit/agent_worker.h"
#include "lab/submit/coordinator.h"
#include "lab/submit/lab_reader.h"
#include "lab/submit/partitions.h"

namespace ridge::cli {
namespace {

using exports::Align;
using lab::Submission;
using lab::TaskState;

struct SubmitOptions {
  std::vector<std::string> requests;
  std::string lab, hosts = "each", store, experiment;
  std::vector<std::string> needs;
  bool dry_run = false;
  std::string format = "table", output;
};

std::string machine_cell(const lab::SubmittedPoint& point) {
  if (point.state == TaskState::kDone) return point.machine.value_or("");
  return fmt::format("{}", fmt::join(point.machines, ", "));
}

void write_submission(const Submission& submission, Sink& sink) {
  exports::Table points({{"point", Align::kLeft, 60},
                         {"machine"},
                         {"state"},
                         {"time", Align::kRight},
                         {"why", Align::kLeft, exports::kWhole}});
  for (const lab::SubmittedPoint& p : submission.points)
    points.add({p.point, machine_cell(p), std::string(word(p.state)),
                p.wall_ns ? duration(*p.wall_ns) : "", p.reason});
  sink.write(points.empty() ? "no points\n" : points.text());
  exports::Table machines(
      {{"machine"}, {"state"}, {"points", Align::kRight}, {"why", Align::kLeft, exports::kWhole}});
  for (const lab::SubmittedMachine& m : submission.machines)
    machines.add({m.name, std::string(word(m.state)), fmt::format("{}", m.done),
                  fmt::format("{}", fmt::join(m.reasons, "; "))});
  sink.write("\n" + machines.text());
}

constexpr Document<const Submission&> kSubmissionDocument = {
    .table = write_submission,
    .described = [](auto& submission, auto& out) { out.write(submission); }};

Result<lab::SubmitPlan> plan_of(const SubmitOptions& options,
                                const session::Environment& environment) {
  lab::SubmitPlan out{.jobs = {}, .needs = {}, .dry_run = options.dry_run};
  out.spread = find_word<lab::Spread>(options.hosts).value_or(lab::Spread::kEach);
  for (const std::string& path : options.requests) {
    lab::JobSource job = TRY(lab::read_job(path, evaluation::hash_watch(environment)));
    job.job.id = static_cast<std::uint32_t>(out.jobs.size());
    out.needs.push_back(TRY(lab::needs_of(job, options.needs)));
    out.jobs.push_back(std::move(job));
  }
  return out;
}

Result<std::string> store_of(const SubmitOptions& options, const lab::Lab& lab) {
  const std::string& store = options.store.empty() ? lab.store : options.store;
  if (!store.empty() || options.dry_run) return store;
  return usage_error("RIDGE-CLI-0252", "there is no run database for the results")
      .hint("store = \"runs.db\" in the description of the laboratory, or --store runs.db");
}

Result<std::optional<store::Store>> open_store(const SubmitOptions& options,
                                               const std::string& path) {
  if (options.dry_run && path.empty()) return std::optional<store::Store>();
  if (options.dry_run) return store::Store::open_if_made(path);
  return std::optional(TRY(store::Store::open(path, store::Access::kCreate)));
}

int submission_status(const Submission& submission, const SubmitOptions& options) {
  if (Interruption::requested()) return kInterrupted;
  if (submission.points.empty()) return kEnvironment;
  if (options.dry_run) return kDone;
  for (const lab::SubmittedPoint& p : submission.points)
    if (p.state != TaskState::kDone && p.state != TaskState::kHeld) return kCheckFailed;
  return kDone;
}

/// The experiment that is asked for.
store::Experiment experiment_of(const SubmitOptions& options, const lab::SubmitPlan& plan) {
  store::Experiment out{.name = options.experiment, .spread = options.hosts, .lab = options.lab};
  if (out.name.empty()) out.name = std::filesystem::path(options.requests.front()).stem().string();
  for (std::size_t i = 0; i < plan.jobs.size(); ++i)
    out.requests.push_back({options.requests[i], plan.jobs[i].job.verb, plan.jobs[i].job.request});
  return out;
}

/// Starts the experiment of a submission; none in a dry run.
Result<std::optional<lab::ExperimentLog>> begin_experiment(const SubmitOptions& options,
                                                           const lab::SubmitPlan& plan,
                                                           std::optional<store::Store>& store) {
  if (options.dry_run) return std::optional<lab::ExperimentLog>();
  return std::optional(
      TRY(lab::ExperimentLog::begin(*store, experiment_of(options, plan), steady_clock())));
}

void end_experiment(lab::ExperimentLog& log, const Submission& done,
                    const session::Environment& environment) {
  const auto is_open = [](const lab::SubmittedPoint& p) {
    return p.state == TaskState::kWaiting || p.state == TaskState::kLeased;
  };
  const bool stopped = Interruption::requested() || std::ranges::any_of(done.points, is_open);
  const Result<void> told =
      log.end(stopped ? store::ExperimentState::kStopped : store::ExperimentState::kDone);
  if (!told.ok())
    environment.notices.warn(
        "", "the store was not told how the experiment ended: " + told.error().summary());
}

Result<int> run_submit(const SubmitOptions& options, Console& console) {
  const ConsoleEnvironment environment(console);
  const lab::Lab lab = TRY(lab::read_lab(options.lab));
  if (options.hosts == "any" && !lab.slurm.empty() && !lab.hosts.empty())
    return usage_error("RIDGE-CLI-0253", "--hosts any takes machines with agents, or partitions")
        .hint("leave out [[host]] or [[slurm]]")
        .in_file(options.lab);
  const lab::SubmitPlan plan = TRY(plan_of(options, *environment));
  std::optional<store::Store> store = TRY(open_store(options, TRY(store_of(options, lab))));
  std::optional<lab::Results> results;
  if (store) results.emplace(*store);
  std::optional<lab::ExperimentLog> log = TRY(begin_experiment(options, plan, store));
  Output output = TRY(Output::open(options.output, console));
  const TemporaryFolder folder = TRY(TemporaryFolder::make());
  std::vector<std::unique_ptr<lab::Worker>> workers;
  for (const lab::Host& host : lab.hosts)
    workers.push_back(std::make_unique<lab::AgentWorker>(host, folder.path(), steady_clock()));
  const Interruption interruption;
  Submission done = TRY(lab::submit(plan, workers, results ? &*results : nullptr,
                                    {.notices = environment->notices,
                                     .progress = environment->progress,
                                     .stop = environment->stop,
                                     .log = log ? &*log : nullptr}));
  TRY(lab::submit_to_partitions({options.requests, plan, lab.slurm, log ? &*log : nullptr},
                                options.dry_run ? nullptr : &*store, *environment, done));
  if (log) end_experiment(*log, done, *environment);
  kSubmissionDocument.write(options.format, done, output.sink());
  TRY(output.close());
  return submission_status(done, options);
}

}  // namespace

Run setup_submit(Flags& flags) {
  auto o = std::make_shared<SubmitOptions>();
  flags.add("MATRIX", o->requests, "requests of bench, eval or generate, as for --request")
      .required();
  flags.add("--on", o->lab, "description of the laboratory: its machines and its run database")
      .shown_as("LAB.toml")
      .required();
  flags
      .add("--hosts", o->hosts,
           "each: a point on every machine that fits; any: on one of them, whichever is free")
      .one_of(words<lab::Spread>());
  flags
      .add("--need", o->needs,
           "what machines must have beside what manifests require: an instruction set, "
           "memory=8GiB, cores=4, device=gpu, architecture=x86_64, tag=NAME")
      .separator(',');
  flags.add("--dry-run", o->dry_run, "ask machines and list who gets what; measure nothing");
  flags
      .add("--store", o->store,
           "run database for results in place of the laboratory's: a file or a postgresql:// "
           "server")
      .writes(Writes::kStore);
  flags
      .add("--experiment", o->experiment,
           "name under which the run database keeps what was asked and how it goes (the first "
           "request's)")
      .shown_as("NAME");
  add_document_options(flags, o->format, o->output, kSubmissionDocument.formats(),
                       "write the document to this file");
  return [o](Console& console) {
    const Result<int> status = run_submit(*o, console);
    if (status.ok()) return *status;
    const int code = report(console, status.error());
    return Interruption::requested() ? static_cast<int>(kInterrupted) : code;
  };
}

}  // namespace ridge::cli
