// SPDX-License-Identifier: Apache-2.0
#include "sharing/replay/simulator.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <queue>

#include "base/checked.h"
#include "sharing/policy/make_policy.h"
#include "sharing/replay/order_statistic.h"

namespace ridge::sharing {
namespace {

__extension__ using WideSum = unsigned __int128;

constexpr std::uint32_t kNoModel = std::numeric_limits<std::uint32_t>::max();

/// A later moment, or the last one that there is.
Nanos plus(Nanos moment, Nanos by) {
  return {checked_add(moment.count, by.count).value_or(kNoMoment.count)};
}

/// Prepared files: those used least recently leave.
class DiskLevel {
 public:
  DiskLevel(std::optional<Bytes> budget, std::size_t models)
      : budget_(budget), present_(models), order_(make_policy({.kind = PolicyKind::kLru})) {}

  bool contains(std::uint32_t model) const { return present_[model] != 0; }

  void use(std::uint32_t model, Bytes bytes, std::span<const Simulated> models, Nanos now) {
    if (!budget_) {
      present_[model] = 1;
    } else if (contains(model)) {
      order_->requested(model, now);
    } else if (bytes <= *budget_) {
      while (used_ + bytes > *budget_) {
        const ObjectId out = *order_->victim();  // nothing is leased here
        order_->removed(out);
        present_[out] = 0;
        used_ -= models[out].bytes;
      }
      order_->admitted(model, {.bytes = bytes, .reload = {}}, now);
      present_[model] = 1;
      used_ += bytes;
    }
  }

 private:
  std::optional<Bytes> budget_;
  std::vector<std::uint8_t> present_;
  std::unique_ptr<Policy> order_;
  Bytes used_{0};
};

/// The end of a run.
struct RunEnd {
  Nanos at;
  std::uint32_t order;  ///< number of its request: ends at one moment come in this order
  std::uint32_t model;  ///< whose lease ends; kNoModel: it had none

  friend bool operator>(const RunEnd& a, const RunEnd& b) {
    return a.at > b.at || (a.at == b.at && a.order > b.order);
  }
};

class Simulator {
 public:
  Simulator(const Trace& trace, std::span<const Simulated> models, const SimulatorOptions& options)
      : trace_(trace),
        models_(models),
        options_(options),
        policy_(make_policy(options.policy)),
        disk_(options.disk, models.size()),
        states_(models.size()) {
    waits_.reserve(trace.requests.size());
  }

  Simulation run();

 private:
  /// State of a model in memory.
  struct State {
    bool present = false;
    std::uint32_t leases = 0;
    Nanos ready{0};  ///< end of its load
  };

  void serve(Nanos now);
  void advance(Nanos until);
  void end_run();
  void keep_time(Nanos now);
  void hold(std::uint32_t model);
  void release(std::uint32_t model);
  Nanos find(std::uint32_t model, Nanos now);
  Nanos load(std::uint32_t model, Nanos now);
  bool make_room(Bytes bytes);
  void take_in(std::uint32_t model, Nanos now, Nanos ready);
  void take_out(std::uint32_t model);
  void prewarm(std::uint32_t model, Nanos now);
  void pass_to(Nanos now);
  void finish();

  const Trace& trace_;
  std::span<const Simulated> models_;
  const SimulatorOptions& options_;
  std::unique_ptr<Policy> policy_;
  DiskLevel disk_;
  std::vector<State> states_;
  std::priority_queue<RunEnd, std::vector<RunEnd>, std::greater<>> ends_;
  std::vector<ObjectId> listed_;
  std::vector<std::int64_t> waits_, cold_waits_;

  Simulation out_;
  std::size_t next_ = 0;  ///< request
  Nanos now_{0}, begin_{0};
  Bytes used_{0}, leased_{0};
  WideSum byte_nanos_ = 0;
  WideSum waited_ = 0, waited_alone_ = 0,
          waited_worst_ = 0;  ///< sums over requests, with their runs
};

/// Memory in use counts up to `now`, which is not before the last such call.
void Simulator::pass_to(Nanos now) {
  byte_nanos_ += static_cast<WideSum>(used_.count) * static_cast<WideSum>((now - now_).count);
  now_ = now;
}

/// Asks the policy what leaves and what is loaded ahead at a moment.
void Simulator::keep_time(Nanos now) {
  pass_to(now);
  listed_.clear();
  policy_->expired(now, listed_);
  for (const ObjectId model : listed_) take_out(model);
  out_.expirations += listed_.size();
  listed_.clear();
  policy_->due(now, listed_);
  for (const ObjectId model : listed_) prewarm(model, now);
}

/// Ends of runs and moments of the policy up to `until`, in their order; at one moment the policy
/// comes first.
void Simulator::advance(Nanos until) {
  for (;;) {
    const Nanos end = ends_.empty() ? kNoMoment : ends_.top().at;
    const Nanos timer = std::max(policy_->next(), now_);
    if (std::min(end, timer) > until) break;
    if (timer <= end && timer < kNoMoment)
      keep_time(timer);
    else if (!ends_.empty())
      end_run();
    else
      break;
  }
  pass_to(until);
}

void Simulator::end_run() {
  const RunEnd end = ends_.top();
  ends_.pop();
  pass_to(end.at);
  if (end.model != kNoModel) release(end.model);
  if (options_.clients > 0 && next_ < trace_.requests.size()) serve(end.at);
}

void Simulator::hold(std::uint32_t model) {
  if (states_[model].leases++ == 0) leased_ += models_[model].bytes;
  policy_->leased(model);
}

void Simulator::release(std::uint32_t model) {
  if (--states_[model].leases == 0) leased_ -= models_[model].bytes;
  policy_->released(model, now_);
}

void Simulator::take_out(std::uint32_t model) {
  states_[model].present = false;
  used_ -= models_[model].bytes;
  policy_->removed(model);
}

void Simulator::take_in(std::uint32_t model, Nanos now, Nanos ready) {
  states_[model].present = true;
  states_[model].ready = ready;
  used_ += models_[model].bytes;
  out_.peak = std::max(out_.peak, used_);
  policy_->admitted(model, {.bytes = models_[model].bytes, .reload = models_[model].prepared_load},
                    now);
}

/// Lets idle models go until there is room; none where there would not be enough.
bool Simulator::make_room(Bytes bytes) {
  if (leased_ + bytes > options_.memory) return false;
  while (used_ + bytes > options_.memory) {
    const auto out = policy_->victim();
    if (!out) return false;  // a policy from which nothing leaves
    take_out(*out);
    ++out_.evictions;
  }
  return true;
}

/// Into memory that is free, without evictions.
void Simulator::prewarm(std::uint32_t model, Nanos now) {
  const Simulated& costs = models_[model];
  if (states_[model].present || used_ + costs.bytes > options_.memory) return;
  take_in(model, now, plus(now, costs.prepared_load));
  ++out_.prewarms;
}

/// Waiting time of a request for a model that is in memory, or on its way there.
Nanos Simulator::find(std::uint32_t model, Nanos now) {
  const State& state = states_[model];
  hold(model);  // first, so that the policy moves the model only once
  policy_->requested(model, now);
  const Nanos lease = models_[model].lease;
  if (state.ready <= now) {
    ++out_.hits;
    return lease;
  }
  ++out_.joined;
  const Nanos wait = plus(state.ready - now, lease);
  cold_waits_.push_back(wait.count);
  return wait;
}

/// Waiting time of a request that finds nothing in memory.
Nanos Simulator::load(std::uint32_t model, Nanos now) {
  const Simulated& costs = models_[model];
  const bool prepared = costs.shared && disk_.contains(model);
  const Nanos wait = prepared       ? costs.prepared_load
                     : costs.shared ? plus(options_.ask, costs.own_load)
                                    : costs.own_load;
  ++(prepared ? out_.disk_loads : out_.misses);
  cold_waits_.push_back(wait.count);
  if (!costs.shared) return wait;
  disk_.use(model, costs.bytes, models_, now);
  if (make_room(costs.bytes)) {
    take_in(model, now, plus(now, wait));
    hold(model);
  } else {
    ++out_.unadmitted;
  }
  return wait;
}

/// Serves the next request of the trace.
void Simulator::serve(Nanos now) {
  const Request& request = trace_.requests[next_];
  const std::uint32_t model = request.model;
  const Simulated& costs = models_[model];
  const State& state = states_[model];
  const Nanos wait = state.present ? find(model, now) : load(model, now);
  waits_.push_back(wait.count);
  const Nanos run = request.run_ns == Request::kRunOfModel ? costs.run : Nanos{request.run_ns};
  const auto sum = [](Nanos a, Nanos b) { return static_cast<WideSum>(plus(a, b).count); };
  waited_ += sum(wait, run);
  waited_alone_ += sum(costs.own_load, run);
  waited_worst_ += sum(plus(costs.own_load, costs.shared ? options_.ask : Nanos{0}), run);
  ends_.push({plus(now, plus(wait, run)), static_cast<std::uint32_t>(next_),
              state.present ? model : kNoModel});
  ++next_;
}

ReadyTimes ready_times(std::vector<std::int64_t>& waits) {
  return {.p50 = {order_statistic(waits, 0.5)}, .p99 = {order_statistic(waits, 0.99)}};
}

void Simulator::finish() {
  const auto ratio = [](WideSum a, WideSum b) {
    return b == 0 ? 1 : static_cast<double>(a) / static_cast<double>(b);
  };
  out_.requests = next_;
  out_.ready = ready_times(waits_);
  out_.cold = ready_times(cold_waits_);
  out_.duration = now_ - begin_;
  out_.byte_seconds = static_cast<double>(byte_nanos_) * 1e-9;
  out_.speedup = ratio(waited_alone_, waited_);
  out_.all_miss_speedup = ratio(waited_alone_, waited_worst_);
}

Simulation Simulator::run() {
  if (trace_.requests.empty()) return out_;
  if (options_.clients > 0) {
    for (std::uint32_t i = 0; i < options_.clients && next_ < trace_.requests.size(); ++i)
      serve(now_);
  } else {
    now_ = begin_ = Nanos{trace_.requests.front().at_ns};
    while (next_ < trace_.requests.size()) {
      const Nanos at{trace_.requests[next_].at_ns};
      advance(at);
      serve(at);
    }
  }
  while (!ends_.empty()) advance(ends_.top().at);
  finish();
  return out_;
}

}  // namespace

Simulation simulate(const Trace& trace, std::span<const Simulated> models,
                    const SimulatorOptions& options) {
  return Simulator(trace, models, options).run();
}

}  // namespace ridge::sharing
