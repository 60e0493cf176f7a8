// SPDX-License-Identifier: Apache-2.0
// What simulator.h describes, as its text reads: lists that are scanned, and a policy that scans.
// Tests compare the simulator with it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "sharing/policy/testing/naive_policy.h"
#include "sharing/replay/simulator.h"

namespace ridge::sharing::testing {

class NaiveSimulation {
 public:
  NaiveSimulation(const Trace& trace, std::span<const Simulated> models,
                  const SimulatorOptions& options)
      : trace_(trace), models_(models), options_(options), policy_(options.policy) {}

  Simulation run() {
    if (options_.clients > 0)
      for (std::uint32_t i = 0; i < options_.clients; ++i) serve();
    else
      begin_ = now_ = Nanos{trace_.requests[0].at_ns};
    for (;;) {
      const auto end = std::ranges::min_element(
          ends_, {}, [](const End& e) { return std::pair(e.at, e.request); });
      const Nanos ended = end == ends_.end() ? kNoMoment : end->at;
      const Nanos come = options_.clients == 0 && next_ < trace_.requests.size()
                             ? Nanos{trace_.requests[next_].at_ns}
                             : kNoMoment;
      const Nanos timer = std::max(policy_.next(), now_);
      if (ended == kNoMoment && come == kNoMoment && timer > now_) break;
      if (timer <= std::min(ended, come)) {
        pass(timer);
        for (const ObjectId model : policy_.expired(now_)) leave(model), ++out_.expirations;
      } else if (ended <= come) {
        pass(ended);
        if (end->leased) policy_.released(end->model, now_);
        ends_.erase(end);
        if (options_.clients > 0) serve();
      } else {
        pass(come);
        serve();
      }
    }
    return finished();
  }

 private:
  struct End {
    Nanos at;
    std::size_t request = 0;
    std::uint32_t model = 0;
    bool leased = false;
  };

  std::int64_t used() const {
    std::int64_t bytes = 0;
    for (const auto& [model, ready] : in_memory_) bytes += models_[model].bytes.count;
    return bytes;
  }
  std::int64_t idle() const {
    std::int64_t bytes = 0;
    for (const auto& [model, ready] : in_memory_)
      if (!policy_.leased_now(model)) bytes += models_[model].bytes.count;
    return bytes;
  }
  void pass(Nanos until) {
    out_.byte_seconds += static_cast<double>(used()) * static_cast<double>((until - now_).count);
    now_ = until;
  }
  void leave(std::uint32_t model) {
    in_memory_.erase(model);
    policy_.removed(model);
  }

  bool enter(std::uint32_t model, Nanos ready) {
    const std::int64_t bytes = models_[model].bytes.count, budget = options_.memory.count;
    if (used() - idle() + bytes > budget) return false;
    while (used() + bytes > budget) {
      const auto victim = policy_.victim();
      if (!victim) return false;
      leave(*victim);
      ++out_.evictions;
    }
    in_memory_[model] = ready;
    out_.peak = std::max(out_.peak, Bytes{used()});
    policy_.admitted(model, {models_[model].bytes, models_[model].prepared_load}, now_);
    return true;
  }

  void put_on_disk(std::uint32_t model) {
    std::erase(disk_, model);
    if (options_.disk && models_[model].bytes > *options_.disk) return;
    disk_.push_back(model);
    const auto bytes = [&] {
      std::int64_t sum = 0;
      for (const std::uint32_t m : disk_) sum += models_[m].bytes.count;
      return sum;
    };
    while (options_.disk && bytes() > options_.disk->count) disk_.erase(disk_.begin());
  }

  void serve() {
    if (next_ == trace_.requests.size()) return;
    const Request& request = trace_.requests[next_];
    const Simulated& costs = models_[request.model];
    Nanos wait{0};
    bool leased = true;
    if (const auto at = in_memory_.find(request.model); at != in_memory_.end()) {
      policy_.requested(request.model, now_);
      const bool hit = at->second <= now_;
      ++(hit ? out_.hits : out_.joined);
      wait = hit ? costs.lease : at->second - now_ + costs.lease;
      if (!hit) cold_.push_back(wait.count);
    } else {
      const bool prepared = std::ranges::count(disk_, request.model) > 0;
      ++(prepared ? out_.disk_loads : out_.misses);
      wait = prepared ? costs.prepared_load : options_.ask + costs.own_load;
      cold_.push_back(wait.count);
      put_on_disk(request.model);
      leased = enter(request.model, now_ + wait);
      if (!leased) ++out_.unadmitted;
    }
    if (leased) policy_.leased(request.model);
    waits_.push_back(wait.count);
    const Nanos run = request.run_ns < 0 ? costs.run : Nanos{request.run_ns};
    ends_.push_back({now_ + wait + run, next_, request.model, leased});
    ++next_;
  }

  static ReadyTimes times(std::vector<std::int64_t> waits) {
    std::ranges::sort(waits);
    const auto at = [&](double share) {
      if (waits.empty()) return Nanos{0};
      const auto rank = std::ceil(share * static_cast<double>(waits.size()));
      return Nanos{waits[static_cast<std::size_t>(rank) - 1]};
    };
    return {at(0.5), at(0.99)};
  }

  Simulation finished() {
    out_.requests = next_;
    out_.ready = times(waits_);
    out_.cold = times(cold_);
    out_.duration = now_ - begin_;
    out_.byte_seconds *= 1e-9;
    return out_;
  }

  const Trace& trace_;
  std::span<const Simulated> models_;
  SimulatorOptions options_;
  NaivePolicy policy_;
  std::map<std::uint32_t, Nanos> in_memory_;  ///< and when each is ready
  std::vector<std::uint32_t> disk_;           ///< least recently used first
  std::vector<End> ends_;
  std::vector<std::int64_t> waits_, cold_;
  std::size_t next_ = 0;
  Nanos now_{0}, begin_{0};
  Simulation out_;
};

}  // namespace ridge::sharing::testing
