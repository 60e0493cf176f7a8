// SPDX-License-Identifier: Apache-2.0
#include "lab/slurm/queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/list.h"
#include "base/number.h"
#include "record/json_tree.h"

namespace ridge::lab::slurm {
namespace {

using record::JsonNode;
using record::JsonTree;

constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();

struct StateWord {
  std::string_view word;
  TaskState state;
};

/// "JOB STATE CODES" of squeue(1). A state may have flags, each a word of its own.
constexpr std::array kStates{
    StateWord{"PENDING", TaskState::kWaiting},
    StateWord{"CONFIGURING", TaskState::kWaiting},
    StateWord{"SUSPENDED", TaskState::kWaiting},
    StateWord{"STOPPED", TaskState::kWaiting},
    StateWord{"REQUEUED", TaskState::kWaiting},
    StateWord{"REQUEUE_HOLD", TaskState::kWaiting},
    StateWord{"RUNNING", TaskState::kRunning},
    StateWord{"COMPLETING", TaskState::kRunning},
    StateWord{"SIGNALING", TaskState::kRunning},
    StateWord{"STAGE_OUT", TaskState::kRunning},
    StateWord{"TIMEOUT", TaskState::kOverTime},
    StateWord{"DEADLINE", TaskState::kOverTime},
    StateWord{"OUT_OF_MEMORY", TaskState::kOverMemory},
};

Error not_a_queue(std::string what) {
  return environment_error("RIDGE-LAB-0308",
                           "squeue --json prints something else than a list of jobs")
      .evidence(std::move(what))
      .hint("Slurm 22.05 and newer have --json; its plug-in serializer/json must be installed");
}

/// 7, or since Slurm 23.02 {"set": true, "infinite": false, "number": 7}.
std::optional<std::int64_t> number(const JsonTree& tree, std::uint32_t object,
                                   std::string_view key) {
  auto at = tree.member(object, key);
  if (at && tree[*at].kind == JsonNode::Kind::kObject) {
    const auto set = tree.member(*at, "set");
    if (set && tree.raw(*set) == "false") return std::nullopt;
    at = tree.member(*at, "number");
  }
  if (!at || tree[*at].kind != JsonNode::Kind::kInteger) return std::nullopt;
  return whole_number<std::int64_t>(tree.raw(*at));
}

std::string text(const JsonTree& tree, std::uint32_t object, std::string_view key) {
  const auto at = tree.member(object, key);
  if (!at || tree[*at].kind != JsonNode::Kind::kText) return {};
  return tree.text(*at);
}

TaskState state_of(std::string_view word) {
  for (const StateWord& s : kStates)
    if (s.word == word) return s.state;
  return TaskState::kEnded;
}

/// "RUNNING", or since Slurm 23.02 ["RUNNING", "COMPLETING"]: the state, then its flags. A job
/// whose end is known is ended, though its processes may still be cleaned up.
std::optional<TaskState> state(const JsonTree& tree, std::uint32_t job) {
  const auto at = tree.member(job, "job_state");
  if (!at) return std::nullopt;
  if (tree[*at].kind == JsonNode::Kind::kText) return state_of(tree.text(*at));
  if (tree[*at].kind != JsonNode::Kind::kList || tree[*at].end == *at + 1) return std::nullopt;
  return state_of(tree.text(*at + 1));
}

/// "2-3,7" or "0-8:2%4". One that was cut ("1-3,...") stands for all tasks.
std::vector<std::pair<std::int64_t, std::int64_t>> ranges(std::string_view text) {
  std::vector<std::pair<std::int64_t, std::int64_t>> out;
  for (std::string_view item : items(text.substr(0, text.find('%')))) {
    item = item.substr(0, item.find(':'));
    const std::size_t dash = item.find('-');
    const auto first = whole_number<std::int64_t>(item.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : whole_number<std::int64_t>(item.substr(dash + 1));
    if (!first || !last) return {{0, kLast}};
    out.emplace_back(*first, *last);
  }
  return out;
}

}  // namespace

QueuedTask Queue::task(const std::string& job, std::int64_t task) const {
  const auto array = jobs_.find(job);
  if (array == jobs_.end()) return {};
  const auto own = array->second.tasks.find(task);
  if (own != array->second.tasks.end()) return own->second;
  for (const auto& [first, last] : array->second.ranges) {
    if (task < first || task > last) continue;
    QueuedTask out = array->second.rest;
    out.id += fmt::format("_{}", task);
    return out;
  }
  return {};
}

Result<Queue> read_queue(std::string_view json) {
  auto parsed = JsonTree::parse(json, {});
  if (!parsed.ok()) return not_a_queue(parsed.error().summary());
  const JsonTree& tree = *parsed;
  const auto jobs = tree.member(0, "jobs");
  if (!jobs || tree[*jobs].kind != JsonNode::Kind::kList)
    return not_a_queue("it has no list 'jobs'");
  Queue out;
  for (std::uint32_t job = *jobs + 1; job < tree[*jobs].end; job = tree[job].end) {
    const auto known = state(tree, job);
    if (!known) return not_a_queue("a job has no 'job_state'");
    QueuedTask task{*known, fmt::format("{}", number(tree, job, "array_job_id").value_or(0)),
                    text(tree, job, "state_reason")};
    Queue::Array& array = out.jobs_[text(tree, job, "name")];
    if (const auto n = number(tree, job, "array_task_id")) {
      task.id += fmt::format("_{}", *n);
      array.tasks[*n] = std::move(task);
    } else {
      array.rest = std::move(task);
      array.ranges = ranges(text(tree, job, "array_task_string"));
    }
  }
  return out;
}

bool waits_forever(std::string_view reason) {
  constexpr std::array<std::string_view, 6> kReasons{"BadConstraints",     "PartitionConfig",
                                                     "PartitionNodeLimit", "PartitionTimeLimit",
                                                     "InvalidAccount",     "InvalidQOS"};
  return std::find(kReasons.begin(), kReasons.end(), reason) != kReasons.end();
}

}  // namespace ridge::lab::slurm
