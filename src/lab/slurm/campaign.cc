// SPDX-License-Identifier: Apache-2.0
#include "lab/slurm/campaign.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "base/trim.h"
#include "lab/slurm/job_script.h"
#include "lab/slurm/submission.h"
#include "runtime/paths.h"

namespace ridge::lab::slurm {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::string runtime_title(const std::string& name) {
  const runtime::KnownRuntime* known = runtime::known_runtime(name);
  return known != nullptr ? std::string(known->title) : name;
}

/// "17 n1" -> "n1"
std::string node_of(const Marks& marks) {
  return marks.started.substr(std::min(marks.started.find(' ') + 1, marks.started.size()));
}

Error ridge_failed(const Seen& seen, const std::string& words) {
  const int status = *seen.marks.status;
  const std::string message =
      fmt::format("ridge ended with status {} on {}", status, printable(node_of(seen.marks)));
  constexpr int kRefused = 3;
  return (status == kRefused ? input_error("RIDGE-LAB-0312", message)
                             : environment_error("RIDGE-LAB-0312", message))
      .evidence(one_line(words));
}

Error limit_error(Verdict verdict, const Partition& partition, const Seen& seen) {
  if (verdict == Verdict::kOverTime)
    return environment_error(
               "RIDGE-LAB-0313",
               fmt::format("Slurm ended the job at its time limit of {} s", partition.time_limit_s))
        .evidence(one_line(seen.slurm_words))
        .hint("raise time_limit_s in lab.toml, or lower --budget");
  return environment_error("RIDGE-LAB-0314", "Slurm ended the job for its memory")
      .evidence(one_line(seen.slurm_words))
      .hint("state a larger need of memory for the point");
}

}  // namespace

/// A job's own run database, as a copy on this machine: SQLite's files are no good neighbors on
/// network file systems.
struct Campaign::OwnStore {
  TemporaryFolder folder;
  store::Store store;
};

Result<Campaign::OwnStore> Campaign::open_own(const std::string& path) {
  TemporaryFolder folder = TRY(TemporaryFolder::make());
  const std::string copy = folder.path() + "/runs.db";
  std::error_code failed;
  std::filesystem::copy_file(path, copy, failed);
  if (failed) return cannot_read_jobs(path, failed.message());
  store::Store store = TRY(store::Store::open(copy, store::Access::kRead));
  return OwnStore{std::move(folder), std::move(store)};
}

Result<Campaign> Campaign::open(const Partition& partition, const Job& job, store::Store& store,
                                const session::Environment& environment, LoggedPoints logged) {
  JobFolder folder = TRY(JobFolder::open(
      partition.folder, [&](const std::string& line) { environment.notices.status(line); }));
  Campaign out(partition, job, store, environment, std::move(folder), std::move(logged));
  for (const Point& point : job.points) {
    PointFolder place = TRY(out.folder_.point(point));
    out.entries_.push_back({.point = &point, .folder = std::move(place)});
  }
  TRY(out.find_earlier());
  return out;
}

/// Finds what an earlier call left: results to merge, and jobs that may still wait or run.
Result<void> Campaign::find_earlier() {
  const Nanos now = steady_clock().now();
  for (Entry& entry : entries_) {
    entry.last_sign = entry.changed = now;
    if (const std::string accepted = entry.folder.accepted(); !accepted.empty()) {
      const bool had = entry.folder.is_merged(store_.path());
      const OwnStore own = TRY(open_own(entry.folder.database(accepted)));
      if (had)
        log_.stored(index_of(entry), node_of(entry.folder.marks(accepted)),
                    TRY(results_in(own.store)));
      else
        TRY(merge(entry, accepted, own));
      entry.state = State::kDone;
      entry.outcome.end = had ? PointEnd::kBefore : PointEnd::kStored;
    } else if (const auto& task = entry.folder.task();
               task && entry.folder.revoked(task->submission) == Revoked::kNo) {
      entry.state = State::kAway;
    }
  }
  return {};
}

Result<Summary> Campaign::run() {
  environment_.notices.status(fmt::format(
      "Slurm: {}, {} stored by an earlier call, {} submitted by one",
      counted(std::ssize(entries_), "point"), count(State::kDone), count(State::kAway)));
  while (count(State::kDone) < entries_.size()) {
    if (environment_.stopped()) {
      TRY(stop());
      interrupted_ = true;
      break;
    }
    TRY(round());
    log_.tell(count(State::kWaiting), count(State::kAway));
    if (environment_.progress != nullptr)
      environment_.progress->show("points on Slurm", static_cast<std::int64_t>(count(State::kDone)),
                                  std::ssize(entries_));
    if (count(State::kDone) < entries_.size()) pause();
  }
  environment_.hide_progress();
  log_.tell(count(State::kWaiting), count(State::kAway));
  return summary();
}

Result<void> Campaign::round() {
  TRY(look_at_queue());
  for (Entry& entry : entries_)
    if (entry.state == State::kAway) TRY(look_at(entry));
  return submit_waiting();
}

std::vector<std::string> Campaign::squeue_command() const {
  std::set<std::string> names;
  for (const Entry& entry : entries_)
    if (entry.state == State::kAway)
      names.insert(folder_.job_name(entry.folder.task()->submission));
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ",") + name;
  std::vector<std::string> out = {"squeue", "--json", "--states=all"};
  if (!names.empty()) out.push_back("--name=" + list);
  return out;
}

Result<void> Campaign::look_at_queue() {
  const Nanos now = steady_clock().now();
  if (queue_at_.count != 0 && now - queue_at_ < Nanos{partition_.poll_s * kSecond}) return {};
  const Ended ended = TRY(run_command(squeue_command()));
  queue_at_ = now;
  queue_read_ = ended.status == 0;
  if (queue_read_) {
    queue_ = TRY(read_queue(ended.output));
    log_.queue_answered();
    if (said_unreachable_) environment_.notices.status("Slurm's controller answers again");
    said_unreachable_ = false;
    return {};
  }
  if (environment_.stopped()) return {};  // Ctrl-C reached squeue as well
  const Error error = refusal("squeue", ended);
  if (!unreachable(error)) return error;
  not_reachable(error);
  return {};
}

void Campaign::not_reachable(const Error& error) {
  queue_read_ = false;
  log_.unreachable(error);
  if (said_unreachable_) return;
  said_unreachable_ = true;
  environment_.hide_progress();
  environment_.notices.status(error.message() + "; waiting for it");
}

/// Gathers what is known of a point that is away; whatever shows life counts from now.
Seen Campaign::seen(Entry& entry) {
  const Task& task = *entry.folder.task();
  const std::string name = folder_.job_name(task.submission);
  Seen out;
  out.queue = queue_.task(name, static_cast<std::int64_t>(task.number));
  const Nanos now = steady_clock().now();
  out.marks = entry.folder.marks(task.submission);
  if (out.marks.status && !entry.is_over) entry.changed = now;
  entry.is_over = out.marks.status.has_value();
  out.queue_is_read = queue_read_ && queue_at_ > entry.changed;
  const bool waits = queue_read_ && out.queue.state == TaskState::kWaiting;
  const std::string signs = out.marks.started + "\n" + out.marks.alive;
  const bool starts =
      out.queue.state == TaskState::kRunning && out.marks.started.empty() && queue_read_;
  if (waits || starts || signs != entry.signs) entry.last_sign = now;
  if (signs != entry.signs && !out.marks.started.empty() && !entry.is_over)
    log_.alive(node_of(out.marks), entry.point->label);
  entry.signs = signs;
  out.silent = now - entry.last_sign;
  if (out.queue.state != TaskState::kWaiting) out.slurm_words = folder_.slurm_words(task);
  return out;
}

Result<void> Campaign::look_at(Entry& entry) {
  const Seen now = seen(entry);
  return act(entry, judge(now, Nanos{partition_.lease_s * kSecond}), now);
}

Result<void> Campaign::act(Entry& entry, Verdict verdict, const Seen& seen) {
  switch (verdict) {
    case Verdict::kWait:
      return {};
    case Verdict::kResult:
      return take_result(entry, seen);
    case Verdict::kFailed:
      return take_failure(entry, seen);
    case Verdict::kOverTime:
    case Verdict::kOverMemory:
      return fail(entry, limit_error(verdict, partition_, seen));
    case Verdict::kNeverRuns:
      cancel({seen.queue.id});
      return fail(entry, no_such_node().evidence(
                             "asked for " + resources_text(partition_, entry.point->needs) +
                             ": Slurm waits without end, " + printable(seen.queue.reason)));
    case Verdict::kNotBegun:
    case Verdict::kLost:
      return lose(entry, verdict, seen);
  }
  return {};
}

/// The job is over, with a result or with a recorded failure (bench's status 1 may be both).
Result<void> Campaign::take_result(Entry& entry, const Seen& seen) {
  const std::string submission = entry.folder.task()->submission;
  const Result<OwnStore> own = open_own(entry.folder.database(submission));
  if (!own.ok()) return fail(entry, own.error());
  if (!TRY(merge(entry, submission, *own)))
    return fail(entry, ridge_failed(seen, entry.folder.words(submission)));
  entry.state = State::kDone;
  entry.outcome.end = PointEnd::kStored;
  return {};
}

/// ridge ended with an error; the store is told of it where the job's own was.
Result<void> Campaign::take_failure(Entry& entry, const Seen& seen) {
  const std::string submission = entry.folder.task()->submission;
  if (file_exists(entry.folder.database(submission)))
    if (const Result<OwnStore> own = open_own(entry.folder.database(submission)); own.ok())
      TRY(merge(entry, submission, *own));
  return fail(entry, ridge_failed(seen, entry.folder.words(submission)));
}

/// Merges what a job left; true if there is a result in it, which is then the one that counts.
/// Interrupted anywhere it is repeated, and adds nothing that the store has.
Result<bool> Campaign::merge(const Entry& entry, const std::string& submission,
                             const OwnStore& own) {
  const OwnResults results = TRY(results_in(own.store));
  const bool has_result = !results.keys.empty();
  if (has_result) TRY(entry.folder.accept(submission));
  TRY(store_.merge(own.store, runtime_title));
  if (!has_result) return false;
  TRY(entry.folder.set_merged(store_.path()));
  log_.stored(index_of(entry), node_of(entry.folder.marks(submission)), results);
  return true;
}

Result<void> Campaign::lose(Entry& entry, Verdict verdict, const Seen& seen) {
  const Task task = *entry.folder.task();
  TRY(entry.folder.revoke(task.submission, Revoked::kLost));
  if (seen.queue.state == TaskState::kRunning) cancel({seen.queue.id});
  ++lost_;
  log_.lost(node_of(seen.marks), "its job is lost: " + entry.point->label);
  if (verdict == Verdict::kNotBegun) ++entry.not_begun;
  if (entry.not_begun >= kMostNotBegun || entry.folder.lost() >= kMostLost)
    return fail(entry,
                environment_error("RIDGE-LAB-0315", entry.not_begun >= kMostNotBegun
                                                        ? "its job ends before it begins"
                                                        : "its jobs are lost again and again")
                    .evidence(seen.slurm_words.empty()
                                  ? fmt::format("Slurm's reason: {}", printable(seen.queue.reason))
                                  : one_line(seen.slurm_words))
                    .hint("the folder of lab.toml must be the same on the nodes and here"));
  environment_.hide_progress();
  environment_.notices.status(
      fmt::format("{}: lost{}; it is submitted again", printable(entry.point->label),
                  seen.marks.started.empty() ? std::string(" before it began")
                                             : " on " + printable(node_of(seen.marks))));
  entry.state = State::kWaiting;
  return {};
}

Result<void> Campaign::fail(Entry& entry, Error error) {
  const auto& task = entry.folder.task();
  if (task) TRY(entry.folder.revoke(task->submission, Revoked::kFailed));
  entry.state = State::kDone;
  log_.failed(index_of(entry), task ? node_of(entry.folder.marks(task->submission)) : "", error);
  environment_.hide_progress();
  environment_.notices.failed(Error(error).in(printable(entry.point->label)));
  entry.outcome = {PointEnd::kFailed, std::move(error)};
  return {};
}

Result<void> Campaign::submit_waiting() {
  if (!queue_read_) return {};
  std::vector<std::size_t> waiting;
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].state == State::kWaiting) waiting.push_back(i);
  for (const std::vector<std::size_t>& array : arrays_of(job_.points, waiting)) {
    if (environment_.stopped() || !queue_read_) return {};
    TRY(submit(array));
  }
  return {};
}

Result<void> Campaign::submit(const std::vector<std::size_t>& array) {
  std::vector<PointFolder*> places;
  for (const std::size_t i : array) places.push_back(&entries_[i].folder);
  const std::string name = TRY(folder_.add_submission(places));
  const Submission submission{name, folder_.job_name(name), folder_.path(), array.size(),
                              job_.points[array[0]].needs};
  std::vector<std::string> command = sbatch_arguments(partition_, job_, submission);
  command.insert(command.begin(), "sbatch");
  const Ended ended = TRY(run_command(command));
  for (const std::size_t i : array) {
    entries_[i].state = State::kAway;
    entries_[i].signs.clear();
    entries_[i].is_over = false;
    entries_[i].last_sign = entries_[i].changed = steady_clock().now();
  }
  if (ended.status != 0 && environment_.stopped()) return {};  // Ctrl-C reached sbatch as well
  if (ended.status != 0) return refused(array, submission.needs, refusal("sbatch", ended));
  const std::string_view number = trimmed(std::string_view(ended.output));
  environment_.hide_progress();
  environment_.notices.status(fmt::format("submitted {} as job {}",
                                          counted(std::ssize(array), "point"),
                                          printable(number.substr(0, number.find(';')))));
  return {};
}

/// Whether a controller that went away has the jobs, the queue tells later: they are away until
/// then.
Result<void> Campaign::refused(const std::vector<std::size_t>& array, const Needs& needs,
                               Error error) {
  if (unreachable(error)) {
    not_reachable(error);
    return {};
  }
  for (const std::size_t i : array)
    TRY(entries_[i].folder.revoke(entries_[i].folder.task()->submission, Revoked::kFailed));
  if (!concerns_needs(error)) return error;
  const std::string evidence =
      fmt::format("asked for {}: {}", resources_text(partition_, needs), error.evidence());
  const Error full = std::move(error).evidence(evidence);
  for (const std::size_t i : array) TRY(fail(entries_[i], full));
  return {};
}

/// Cancels all jobs. One that Slurm does not reach ends by its revocation.
Result<void> Campaign::stop() {
  std::set<std::string> names;
  for (const Entry& entry : entries_) {
    if (entry.state != State::kAway) continue;
    names.insert(folder_.job_name(entry.folder.task()->submission));
    TRY(entry.folder.revoke(entry.folder.task()->submission, Revoked::kStopped));
  }
  for (const std::string& name : names) cancel({"--name=" + name});
  return {};
}

void Campaign::cancel(const std::vector<std::string>& arguments) const {
  std::vector<std::string> command = {"scancel", "--quiet"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const Result<Ended> ended = run_command(command);
  if (ended.ok() && ended->status == 0) return;
  environment_.notices.warn(
      "", "a job could not be cancelled: " +
              (ended.ok() ? refusal("scancel", *ended).summary() : ended.error().summary()) +
              "; it ends by itself as soon as it looks into the folder");
}

void Campaign::pause() const {
  constexpr int kSlices = 10;
  const timespec slice{0, kSecond / 2 / kSlices};
  for (int i = 0; i < kSlices && !environment_.stopped(); ++i) ::nanosleep(&slice, nullptr);
}

Summary Campaign::summary() const {
  Summary out{.points = {}, .lost = lost_, .interrupted = interrupted_};
  for (const Entry& entry : entries_) out.points.push_back(entry.outcome);
  return out;
}

std::size_t Campaign::count(State state) const {
  return static_cast<std::size_t>(std::count_if(entries_.begin(), entries_.end(),
                                                [&](const Entry& e) { return e.state == state; }));
}

}  // namespace ridge::lab::slurm
