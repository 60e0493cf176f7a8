// SPDX-License-Identifier: Apache-2.0
#include "lab/submit/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace ridge::lab {
namespace {

bool may_measure(const Task& task, std::size_t worker) {
  return std::ranges::find(task.workers, worker) != task.workers.end();
}

bool is_settled(const Task& task) {
  return task.state == TaskState::kDone || task.state == TaskState::kHeld ||
         task.state == TaskState::kFailed;
}

}  // namespace

std::size_t Ledger::add(Task task) {
  tasks_.push_back(std::move(task));
  return tasks_.size() - 1;
}

bool Ledger::has_work(std::size_t worker) const {
  return std::ranges::any_of(tasks_, [&](const Task& task) {
    return task.state == TaskState::kWaiting && may_measure(task, worker);
  });
}

std::optional<LeaseId> Ledger::lease(std::size_t worker) {
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    Task& task = tasks_[i];
    if (task.state != TaskState::kWaiting || !may_measure(task, worker)) continue;
    task.state = TaskState::kLeased;
    task.by = worker;
    leases_[++last_] = {i, worker, clock_.now() + terms_.term};
    return last_;
  }
  return std::nullopt;
}

void Ledger::renew(LeaseId id) {
  const auto at = leases_.find(id);
  if (at != leases_.end() && at->second.live) at->second.until = clock_.now() + terms_.term;
}

Finished Ledger::finish(LeaseId id) {
  Lease& lease = leases_.at(id);
  lease.live = false;
  Task& task = tasks_[lease.task];
  if (is_settled(task)) return Finished::kAgain;
  // Another worker may have the point by now; what it sends will be kAgain.
  task.state = TaskState::kDone;
  task.by = lease.worker;
  return Finished::kFirst;
}

void Ledger::fail(LeaseId id, std::string reason) {
  Lease& lease = leases_.at(id);
  Task& task = tasks_[lease.task];
  const bool live = std::exchange(lease.live, false);
  if (!live || is_settled(task)) return;
  task.state = TaskState::kFailed;
  task.reason = std::move(reason);
}

void Ledger::decline(LeaseId id, std::string reason) {
  Lease& lease = leases_.at(id);
  Task& task = tasks_[lease.task];
  if (std::ranges::count(task.workers, lease.worker) == std::ssize(task.workers))
    return fail(id, std::move(reason));
  std::erase(task.workers, lease.worker);
  if (!std::exchange(lease.live, false) || is_settled(task)) return;
  task.by.reset();
  task.state = TaskState::kWaiting;
}

void Ledger::release(Lease& lease, const std::string& reason) {
  lease.live = false;
  Task& task = tasks_[lease.task];
  if (is_settled(task)) return;
  task.by.reset();
  task.state = TaskState::kWaiting;
  if (++task.lost < terms_.tries) return;
  task.state = TaskState::kFailed;
  task.reason =
      fmt::format("given up after {}; the last one: {}", counted(task.lost, "lost lease"), reason);
}

void Ledger::lose(LeaseId id, const std::string& reason) {
  Lease& lease = leases_.at(id);
  if (lease.live) release(lease, reason);
}

std::vector<LeaseId> Ledger::expire() {
  std::vector<LeaseId> out;
  const Nanos now = clock_.now();
  for (auto& [id, lease] : leases_) {
    if (!lease.live || now < lease.until) continue;
    release(lease, "no sign of life");
    out.push_back(id);
  }
  return out;
}

std::optional<LeaseId> Ledger::lease_of(std::size_t worker) const {
  for (const auto& [id, lease] : leases_)
    if (lease.live && lease.worker == worker) return id;
  return std::nullopt;
}

std::size_t Ledger::count(TaskState state) const {
  return static_cast<std::size_t>(std::ranges::count(tasks_, state, &Task::state));
}

}  // namespace ridge::lab
