// SPDX-License-Identifier: Apache-2.0
#include "lab/submit/coordinator.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/text.h"
#include "lab/agent/words.h"
#include "lab/submit/seat.h"
#include "lab/submit/submission_log.h"
#include "session/matrix.h"
#include "session/run_recorder.h"

namespace ridge::lab {
namespace {

using Stage = Seat::Stage;
using What = WorkerEvent::What;

/// Starts in a row without a result before a machine counts as gone; pauses double.
constexpr int kStarts = 6;
constexpr Nanos kFirstPause{100'000'000};
constexpr int kSignalStatus = 128, kPollMs = 100;
/// Exit status of a ridge that its machine prevents (docs/reference/messages.md).
constexpr int kMachineStatus = 4;
/// A login and the facts of a machine take less.
constexpr std::int64_t kClocksApartS = 120;

struct Times {
  std::int64_t wall_ns = 0, dispatch_ns = 0;
};

class Coordinator {
 public:
  Coordinator(const SubmitPlan& plan, std::vector<std::unique_ptr<Worker>>& workers,
              Results* results, const SubmitWatch& watch)
      : plan_(plan),
        results_(results),
        watch_(watch),
        ledger_(watch.clock, plan.terms),
        log_(watch.log) {
    for (const auto& worker : workers) seats_.push_back({.worker = worker.get()});
  }

  Result<Submission> run() {
    for (std::size_t i = 0; i < seats_.size(); ++i) start(i);
    while (!finished() && !stopped()) {
      wait();
      for (std::size_t i = 0; i < seats_.size(); ++i)
        for (WorkerEvent& event : seats_[i].worker->step()) TRY(take(i, event));
      for (const LeaseId lease : ledger_.expire())
        seats_[ledger_.worker_of(lease)].worker->stop(lease);
      start_again();
      if (all_settled_once()) {
        TRY(log_.plan(seats_, ledger_));
        hand_out();
      }
      log_.tell(seats_, ledger_);
      show_progress();
    }
    TRY(log_.plan(seats_, ledger_));
    log_.finish(seats_, ledger_);
    if (watch_.progress != nullptr) watch_.progress->hide();
    for (Seat& seat : seats_) seat.worker->end();
    return submission();
  }

 private:
  bool stopped() const { return watch_.stop != nullptr && watch_.stop->load(); }

  void wait() const {
    std::vector<pollfd> on;
    for (const Seat& seat : seats_)
      for (const pollfd& one : seat.worker->wait_for()) on.push_back(one);
    ::poll(on.data(), on.size(), kPollMs);
  }

  /// Points are handed out once every machine answered: one that comes late may have some done.
  bool all_settled_once() {
    started_ = started_ || std::ranges::all_of(seats_, &Seat::settled);
    return started_;
  }

  bool finished() {
    if (!all_settled_once()) return false;
    if (plan_.dry_run) return true;
    const bool open = ledger_.count(TaskState::kWaiting) + ledger_.count(TaskState::kLeased) > 0;
    if (!open && !ledger_.tasks().empty()) return true;
    return std::ranges::all_of(seats_, [&](const Seat& seat) {
      const auto i = static_cast<std::size_t>(&seat - seats_.data());
      return seat.ended() ||
             (seat.stage == Stage::kReady && seat.leases.empty() && !ledger_.has_work(i));
    });
  }

  // Machines

  void start(std::size_t i) {
    Seat& seat = seats_[i];
    seat.stage = Stage::kStarting;
    seat.job = 0;
    if (const Result<void> started = seat.worker->start(); !started.ok())
      give_up(seat, started.error());
  }

  void give_up(Seat& seat, const Error& error) {
    seat.stage = Stage::kGone;
    seat.add_reason(session::reason_of(error));
    watch_.notices.failed(error);
  }

  void start_again() {
    for (std::size_t i = 0; i < seats_.size(); ++i)
      if (seats_[i].stage == Stage::kLost && watch_.clock.now() >= seats_[i].retry_at) start(i);
  }

  void lose(std::size_t i, const Error& error) {
    Seat& seat = seats_[i];
    seat.away = session::reason_of(error);
    for (const auto& [lease, since] : std::exchange(seat.leases, {}))
      ledger_.lose(lease, seat.away);
    if (!seat.candidate || ++seat.failures >= kStarts) return give_up(seat, error);
    seat.stage = Stage::kLost;
    seat.retry_at = watch_.clock.now() + kFirstPause * (std::int64_t{1} << seat.failures);
    watch_.notices.status(
        fmt::format("{} is lost and started again: {}", seat.worker->name(), error.summary()));
  }

  // Jobs

  Result<void> take_facts(std::size_t i, WorkerEvent& event) {
    Seat& seat = seats_[i];
    Result<Candidate> told =
        candidate_of(seat.worker->name(), seat.worker->tags(), std::move(event.facts));
    if (!told.ok()) return give_up(seat, told.error()), Result<void>();
    seat.candidate = std::move(*told);
    tell_clock(*seat.candidate);
    seat.away.clear();
    seat.stage = Stage::kPlanning;
    give_job(seat);
    return {};
  }

  /// Leases follow this machine's clock alone, but results carry the times of those that measured.
  void tell_clock(const Candidate& candidate) const {
    const std::int64_t apart = candidate.facts.time_s - session::seconds_now();
    if (std::abs(apart) <= kClocksApartS) return;
    watch_.notices.status(fmt::format(
        "the clock of {} is {} h {} min {} this one; its results carry its times", candidate.name,
        std::abs(apart) / 3600, std::abs(apart) / 60 % 60, apart > 0 ? "ahead of" : "behind"));
  }

  /// Hands over the next job that the machine fits.
  void give_job(Seat& seat) {
    for (; seat.job < plan_.jobs.size(); ++seat.job) {
      const auto reasons = reasons_against(plan_.needs[seat.job], *seat.candidate);
      if (reasons.empty())
        return seat.worker->give(plan_.jobs[seat.job], seat.listed.contains(seat.job));
      for (const std::string& reason : reasons) seat.add_reason(reason);
    }
    seat.stage = seat.points.empty() ? Stage::kUnfit : Stage::kReady;
    if (seat.stage == Stage::kUnfit) seat.worker->end();
  }

  Result<void> take_plan(std::size_t i, const Plan& plan) {
    Seat& seat = seats_[i];
    if (seat.stage != Stage::kPlanning || plan.job != seat.job) return {};
    for (const PlannedPoint& point : plan.points) TRY(add_point(i, point));
    seat.listed.insert(seat.job++);
    give_job(seat);
    return {};
  }

  Result<void> add_point(std::size_t i, const PlannedPoint& point) {
    Seat& seat = seats_[i];
    const auto against = runtime_against(plan_.needs[seat.job], point.runtime, *seat.candidate);
    if (against) return seat.add_reason(*against), Result<void>();
    if (point.key.empty() || point.store_key.empty()) {
      seat.add_reason(
          fmt::format("{} cannot measure {}", seat.worker->name(), printable(point.label)));
      return {};
    }
    const std::string name =
        plan_.spread == Spread::kEach ? point.store_key : fmt::format("{}/{}", seat.job, point.key);
    const auto [at, fresh] = tasks_.try_emplace(name, ledger_.tasks().size());
    if (fresh)
      ledger_.add({.name = name, .label = point.label, .workers = {}, .reason = {}, .by = {}});
    seat.models.try_emplace(point.model, model_of(point.model, plan_.jobs[seat.job].job));
    Task& task = ledger_.task(at->second);
    if (std::ranges::count(task.workers, i) == 0) task.workers.push_back(i);
    seat.points[at->second] = {static_cast<std::uint32_t>(seat.job), point.key, point.store_key};
    const bool held = results_ != nullptr && TRY(results_->has(point.store_key));
    if (held && task.state == TaskState::kWaiting) task.state = TaskState::kHeld;
    return {};
  }

  // Points

  void hand_out() {
    if (plan_.dry_run) return;
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      Seat& seat = seats_[i];
      while (seat.stage == Stage::kReady && seat.leases.size() < seat.worker->slots()) {
        const auto lease = ledger_.lease(i);
        if (!lease) break;
        seat.leases[*lease] = watch_.clock.now();
        const PointNames& names = seat.points.at(ledger_.task_of(*lease));
        seat.worker->run({*lease, names.job, names.key});
      }
    }
  }

  Result<void> take_result(std::size_t i, const WorkerEvent& event) {
    Seat& seat = seats_[i];
    const auto held = seat.leases.find(event.lease);
    if (held == seat.leases.end()) return {};
    const Nanos since = held->second;
    seat.leases.erase(held);
    const std::size_t task = ledger_.task_of(event.lease);
    if (ledger_.tasks()[task].state == TaskState::kDone) {  // by another machine, meanwhile
      ledger_.finish(event.lease);
      discard_result(event.store);
      return {};
    }
    Taken taken = Taken::kIncomplete;
    if (!event.store.empty())
      taken = TRY(results_->take(event.store, seat.points.at(task).store_key));
    if (taken == Taken::kNew || taken == Taken::kDuplicate) {
      ledger_.finish(event.lease);
      times_[task] = {event.done.wall_ns, (watch_.clock.now() - since).count - event.done.wall_ns};
      ++seat.done;
      seat.failures = 0;
      tell_done(task, seat);
      return {};
    }
    if (event.done.status >= kSignalStatus)
      ledger_.lose(event.lease, fmt::format("its ridge was ended by signal {}",
                                            event.done.status - kSignalStatus));
    else if (event.done.status == 0 && taken == Taken::kUnreadable)
      fail(event.lease, seat, "what came is no run database", true);
    else
      fail(event.lease, seat, last_words(event.done.words), event.done.status == kMachineStatus);
    return {};
  }

  void tell_done(std::size_t task, const Seat& seat) const {
    if (watch_.progress != nullptr) watch_.progress->hide();
    watch_.notices.status(fmt::format("{} of {}: {}: {}, {}", settled(), ledger_.tasks().size(),
                                      printable(ledger_.tasks()[task].label), seat.worker->name(),
                                      duration(times_.at(task).wall_ns)));
  }

  /// `here`: the machine is the reason, and another may measure the point.
  void fail(LeaseId lease, const Seat& seat, const std::string& reason, bool here) {
    if (here)
      ledger_.decline(lease, reason);
    else
      ledger_.fail(lease, reason);
    watch_.notices.status(fmt::format("{}: failed on {}: {}",
                                      printable(ledger_.tasks()[ledger_.task_of(lease)].label),
                                      seat.worker->name(), reason));
  }

  void take_fault(std::size_t i, const WorkerEvent& event) {
    Seat& seat = seats_[i];
    if (event.lease != 0) {
      if (seat.leases.erase(event.lease) > 0)
        fail(event.lease, seat, session::reason_of(*event.error),
             event.error->error_class() == ErrorClass::kEnvironment);
      return;
    }
    if (seat.stage != Stage::kPlanning) return;
    seat.add_reason(session::reason_of(*event.error));
    watch_.notices.failed(*event.error);
    ++seat.job;
    give_job(seat);
  }

  Result<void> take(std::size_t i, WorkerEvent& event) {
    if (event.lease != 0 && ledger_.knows(event.lease)) ledger_.renew(event.lease);
    if (event.what != What::kLost) seats_[i].last_s = session::seconds_now();
    switch (event.what) {
      case What::kFacts:
        return take_facts(i, event);
      case What::kPlan:
        return take_plan(i, event.plan);
      case What::kResult:
        return take_result(i, event);
      case What::kFault:
        take_fault(i, event);
        return {};
      case What::kLost:
        lose(i, *event.error);
        return {};
      case What::kProgress:
        line_ = fmt::format("{}: {}", seats_[i].worker->name(), event.text);
        return {};
      case What::kSign:
        return {};
    }
    return {};
  }

  std::size_t settled() const {
    return ledger_.count(TaskState::kDone) + ledger_.count(TaskState::kFailed) +
           ledger_.count(TaskState::kHeld);
  }

  void show_progress() const {
    if (watch_.progress == nullptr) return;
    watch_.progress->show(line_.empty() ? "asking machines" : line_,
                          static_cast<std::int64_t>(settled()),
                          static_cast<std::int64_t>(ledger_.tasks().size()));
  }

  Submission submission() const {
    Submission out;
    for (const Seat& seat : seats_)
      out.machines.push_back({.name = seat.worker->name(),
                              .state = seat.stage == Stage::kUnfit   ? MachineState::kUnfit
                                       : seat.stage == Stage::kReady ? MachineState::kReady
                                                                     : MachineState::kGone,
                              .done = seat.done,
                              .reasons = seat.reasons});
    for (std::size_t t = 0; t < ledger_.tasks().size(); ++t) {
      const Task& task = ledger_.tasks()[t];
      SubmittedPoint& point = out.points.emplace_back();
      point.point = task.label;
      point.state = task.state;
      point.reason = task.reason;
      if (task.by) point.machine = seats_[*task.by].worker->name();
      for (const std::size_t i : task.workers) point.machines.push_back(seats_[i].worker->name());
      const auto times = times_.find(t);
      if (times == times_.end()) continue;
      point.wall_ns = times->second.wall_ns;
      point.dispatch_ns = times->second.dispatch_ns;
    }
    return out;
  }

  const SubmitPlan& plan_;
  Results* results_;
  const SubmitWatch& watch_;
  Ledger ledger_;
  SubmissionLog log_;
  std::vector<Seat> seats_;
  std::map<std::string, std::size_t> tasks_;  ///< by what they are called
  std::map<std::size_t, Times> times_;        ///< by task
  std::string line_;                          ///< the last line of progress
  bool started_ = false;
};

}  // namespace

Result<Submission> submit(const SubmitPlan& plan, std::vector<std::unique_ptr<Worker>>& workers,
                          Results* results, const SubmitWatch& watch) {
  return Coordinator(plan, workers, results, watch).run();
}

}  // namespace ridge::lab
