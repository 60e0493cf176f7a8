// SPDX-License-Identifier: Apache-2.0
#include "runtime/turns.h"

#include <numeric>
#include <optional>

#include "base/clock.h"
#include "runtime/load_meter.h"
#include "runtime/means.h"
#include "runtime/protocol.h"
#include "stats/random.h"

namespace ridge::runtime {
namespace {

class Conductor {
 public:
  Conductor(std::span<const Party> parties, const Plan& plan)
      : parties_(parties),
        plan_(plan),
        measured_(parties.size()),
        used_(parties.size()),
        metered_(parties.size(), 0),
        meter_([this] { return cpu_times(); }, steady_clock()) {}

  std::vector<Result<Measurement>> run(const OnProgress& progress,
                                       const std::atomic<bool>* interrupted) {
    const Nanos start = steady_clock().now();
    meter_.begin();
    for (std::size_t p = 0; p < parties_.size(); ++p)
      take(p, parties_[p].runtime->warm_up(parties_[p].session, plan_));
    const Nanos rounds_start = steady_clock().now();
    const auto budget = plan_.budget * static_cast<std::int64_t>(parties_.size());
    for (std::uint32_t round = 0; round < plan_.max_rounds && any_left(); ++round) {
      const Nanos now = steady_clock().now();
      if (interrupted != nullptr && interrupted->load(std::memory_order_relaxed)) break;
      if (round > 0 && now - start >= plan_.limit * std::ssize(parties_)) break;
      if (round >= plan_.min_rounds && now - rounds_start >= budget) break;
      play(round);
      if (progress) progress({Mode::kUnprofiled, round + 1, plan_.min_rounds, now - start});
    }
    tell_load();
    return results();
  }

 private:
  void play(std::uint32_t round) {
    if (round % 2 == 0) swapped_ = random_.below(2) == 0;
    const bool reverse = (round % 2 == 1) != swapped_;
    for (std::size_t i = 0; i < parties_.size(); ++i) {
      const std::size_t p = reverse ? parties_.size() - 1 - i : i;
      if (!measured_[p].ended) take(p, parties_[p].runtime->take_turn(parties_[p].session));
    }
    if (meter_.due()) tell_load();
  }

  void take(std::size_t p, Result<Measurement> part) {
    Own& own = measured_[p];
    if (!part.ok())
      own.total.failure = std::move(part).error();
    else if (!append(own.total, std::move(*part)))
      own.total.failure = bug("a turn points nowhere", "measure_in_turns");
    own.ended = own.total.failure.has_value() || own.total.canceled;
  }

  /// Sets the load of the last window in the samples taken during it.
  void tell_load() {
    const Load load = meter_.lap();
    for (std::size_t p = 0; p < parties_.size(); ++p) {
      std::vector<Sample>& samples = measured_[p].total.samples;
      for (std::size_t& i = metered_[p]; i < samples.size(); ++i) {
        samples[i].foreign_cpus = load.foreign_cpus;
        samples[i].stolen_cpus = load.stolen_cpus;
      }
    }
  }

  std::optional<CpuTimes> cpu_times() {
    std::optional<CpuTimes> times = read_cpu_times();
    for (std::size_t p = 0; p < parties_.size(); ++p)
      used_[p] = parties_[p].runtime->cpu_time().value_or(used_[p]);
    if (times) times->own = std::accumulate(used_.begin(), used_.end(), times->own);
    return times;
  }

  bool any_left() const {
    for (const Own& own : measured_)
      if (!own.ended) return true;
    return false;
  }

  std::vector<Result<Measurement>> results() {
    std::vector<Result<Measurement>> out;
    for (Own& own : measured_) {
      resolve_means(own.total);
      if (own.total.samples.empty() && own.total.failure)
        out.emplace_back(std::move(*own.total.failure));
      else
        out.emplace_back(std::move(own.total));
    }
    return out;
  }

  struct Own {
    Measurement total;
    bool ended = false;
  };

  std::span<const Party> parties_;
  const Plan& plan_;
  std::vector<Own> measured_;
  std::vector<Nanos> used_;           ///< CPU time of each party
  std::vector<std::size_t> metered_;  ///< number of each party's samples that have their load
  LoadMeter meter_;
  /// Draws which round goes first; the same in every run, so that runs are comparable.
  stats::Random random_{2};
  bool swapped_ = false;  ///< the first of the current two rounds goes in reverse
};

}  // namespace

std::vector<Result<Measurement>> measure_in_turns(std::span<const Party> parties, const Plan& plan,
                                                  const OnProgress& progress,
                                                  const std::atomic<bool>* interrupted) {
  std::vector<Result<Measurement>> out;
  if (parties.size() == 1) {
    out.push_back(parties[0].runtime->measure(parties[0].session, plan, progress));
    return out;
  }
  return Conductor(parties, plan).run(progress, interrupted);
}

}  // namespace ridge::runtime
