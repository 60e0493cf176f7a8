// SPDX-License-Identifier: Apache-2.0
#include "bricks/suite_runner.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "base/clock.h"
#include "bricks/ballast.h"
#include "bricks/kernels.h"
#include "bricks/suite_times.h"
#include "measure/calibrate.h"
#include "measure/collect.h"
#include "measure/join.h"
#include "measure/material.h"
#include "measure/runtime_layers.h"
#include "runtime/abi.h"
#include "runtime/means.h"
#include "runtime/protocol.h"

namespace ridge::bricks {
namespace {

using runtime::Measurement;

/// Plan of a chain: a plain run too, so that the two can be subtracted.
constexpr runtime::Plan kChainPlan{
    .warmup_runs = 1, .unprofiled_per_round = 1, .profiled_per_round = 1, .max_rounds = 1'000'000};
/// Turns of each chain in a round, because the cost of every event follows from them.
constexpr std::uint32_t kChainTurns = 5;
/// Ballast of a whole batch is divided into so many kernels.
constexpr std::int64_t kBallastParts = 8;
/// Plan of ballast, whose time does not count.
constexpr runtime::Plan kBallastPlan{
    .warmup_runs = 0, .profiled_per_round = 0, .max_rounds = 1'000'000};
/// Turns of a batch that count, in every round of which the number is a multiple of it.
constexpr std::uint32_t kBatchTurns = 4;
/// Turns of a batch before those. A processor that keeps in its last-level cache what it has seen
/// return needs several: in batches of up to 32 MiB, kernels took 20, 7 and 2 % longer in the
/// second, third and fourth turn than from the fifth on; in batches of 128 MiB there was no
/// difference.
constexpr std::uint32_t settling_turns(std::int64_t reuse_bytes) {
  return reuse_bytes <= std::int64_t{32} << 20 ? 3 : 1;
}
/// Turns of a whole model in a round; an even number.
constexpr std::uint32_t kWholeTurns = 40;
/// Limits on the weights and on all tensors of a small brick.
constexpr std::int64_t kFewWeights = std::int64_t{16} << 10, kFewBytes = std::int64_t{64} << 10;
/// Time of turns that follow each other without a pause.
constexpr double kTogetherNs = 150e6;

}  // namespace

SuiteRunner::SuiteRunner(runtime::Runtime runtime, const runtime::Options& options,
                         std::uint64_t seed)
    : runtime_(std::make_unique<runtime::Runtime>(std::move(runtime))),
      reference_(options),
      random_(seed) {
  meter_ = std::make_unique<runtime::LoadMeter>(
      [child = runtime_.get()] {
        std::optional<runtime::CpuTimes> times = runtime::read_cpu_times();
        if (times) times->own += child->cpu_time().value_or(Nanos{0});
        return times;
      },
      steady_clock());
}

Result<SuiteRunner> SuiteRunner::start(const runtime::Options& options, std::uint64_t seed) {
  runtime::Runtime runtime = TRY(runtime::Runtime::spawn(options));
  SuiteRunner runner(std::move(runtime), options, seed);
  TRY(runner.load_chains());
  return runner;
}

/// Plan of a brick: a profiled run per turn, and nothing that would warm its caches before.
runtime::Plan SuiteRunner::brick_plan(bool whole) const {
  if (whole) return {.warmup_runs = 0, .profiled_per_round = 0, .max_rounds = 1'000'000};
  const bool keep = (runtime_->info().capabilities & RIDGE_KEEPS_PROFILING) != 0;
  return {.warmup_runs = 0,
          .unprofiled_per_round = 0,
          .profiled_per_round = 1,
          .max_rounds = 1'000'000,
          .keep_profiling = keep};
}

Result<void> SuiteRunner::load_chains() {
  const runtime::RuntimeInfo& info = runtime_->info();
  for (const measure::ChainKind& kind : {measure::near_chain(info), measure::streaming_chain(info)})
    for (const int kernels : {kind.brief, kind.lengthy}) {
      Chain chain;
      chain.session = TRY(measure::load_chain(*runtime_, kind.node, kernels));
      chain.kernels = static_cast<std::uint32_t>(kernels);
      chain.bytes = measure::bytes_of(kind.node);
      TRY(take(chain, runtime_->warm_up(chain.session, kChainPlan)));
      chains_.push_back(std::move(chain));
    }
  return {};
}

/// Loads kernels that touch what the bricks of a distance lack of it.
Result<void> SuiteRunner::load_ballast() {
  for (const auto& [reuse, bricks] : bricks_at_) {
    if (reuse == 0) continue;
    std::vector<BrickBytes> of_bricks;
    for (const std::size_t i : bricks) of_bricks.push_back(loaded_[i].bytes);
    const std::vector<Batching>& all = batchings_[reuse] = batchings(of_bricks, reuse);
    for (std::size_t b = 0; b < all.size(); ++b) {
      const std::int64_t bytes = all[b].distance / kBallastParts;
      for (std::int64_t lacking = all[b].lacking; lacking > bytes / 2; lacking -= bytes) {
        Ballast ballast;
        ballast.session = TRY(bricks::load_ballast(*runtime_, bytes));
        ballast.reuse_bytes = reuse;
        ballast.batching = b;
        TRY(take(ballast, runtime_->warm_up(ballast.session, kBallastPlan)));
        ballast_.push_back(std::move(ballast));
      }
    }
  }
  return {};
}

Result<std::size_t> SuiteRunner::load(const analysis::Resolved& brick, const BrickState& state,
                                      std::shared_ptr<const Network> network) {
  constexpr auto kStatic = attribution::CanonicalOptions::Sizes::kStatic;
  measure::Material material = network != nullptr ? TRY(measure::prepare(brick, {}, network->copy))
                                                  : TRY(measure::prepare(brick, {}, kStatic));
  const runtime::Dump dump =
      network != nullptr ? runtime::Dump::kNothing : runtime::Dump::kStructure;
  const runtime::Loaded loaded =
      TRY(runtime_->load({.model = material.copy.bytes,
                          .weights = material.weights,
                          .dump = dump,
                          .arena_reach = state.whole ? 0 : state.live_bytes}));
  Loaded one;
  one.session = loaded.session;
  one.load_ns = static_cast<double>(loaded.load.count);
  one.whole = state.whole;
  const std::int64_t resident = resident_bytes(brick);
  one.bytes = {
      .resident = resident, .weights = brick.totals().weight_bytes, .far = state.far_bytes};
  if (!state.whole && brick.totals().weight_bytes <= kFewWeights && resident <= kFewBytes)
    one.repeats = 2;
  TRY(runtime_->set_inputs(one.session, material.inputs));
  if (network == nullptr) {
    attribution::OptimizedGraph optimized =
        TRY(measure::optimized_of(loaded.graph, runtime_->info()));
    network = std::make_shared<const Network>(
        TRY(reference_.network(brick, std::move(material.copy), std::move(optimized))));
  }
  one.network = std::move(network);
  TRY(take(one, runtime_->warm_up(one.session, brick_plan(state.whole))));
  const std::size_t at = loaded_.size();
  loaded_.push_back(std::move(one));
  if (state.whole)
    wholes_.push_back(at);
  else
    for (const std::int64_t reuse : state.reuse_bytes) bricks_at_[reuse].push_back(at);
  return at;
}

Result<void> SuiteRunner::take(Turned& turned, Result<Measurement> part) {
  if (!part.ok()) return std::move(part).error();
  if (part->failure) return std::move(*part->failure);
  if (!part->samples.empty()) turned.last_ns = 0;
  for (const runtime::Sample& s : part->samples)
    turned.last_ns += static_cast<double>(s.wall.count);
  if (!runtime::append(turned.measured, std::move(*part)))
    return bug("a turn points nowhere", "SuiteRunner");
  return {};
}

SuiteRunner::Turned& SuiteRunner::turned(std::size_t i) {
  if (i < loaded_.size()) return loaded_[i];
  i -= loaded_.size();
  if (i < chains_.size()) return chains_[i];
  return ballast_[i - chains_.size()];
}

/// Turns of a round: bricks without a reuse distance and chains, then, in rounds that have them,
/// each batch several times, then whole models.
std::vector<SuiteRunner::Turn> SuiteRunner::draw_order() {
  std::vector<Turn> order;
  for (const std::size_t i : bricks_at_[0]) order.push_back({i, {.round = rounds_}});
  for (std::size_t i = 0; i < chains_.size(); ++i)
    order.insert(order.end(), kChainTurns, {.of = loaded_.size() + i, .purpose = {}});
  stats::shuffle(order, random_);
  if (rounds_ % kBatchTurns == 0)
    for (const auto& [reuse, all] : batchings_)
      for (std::size_t b = 0; b < all.size(); ++b) append_batches(reuse, b, order);
  for (const std::size_t i : wholes_)
    for (std::uint32_t turn = 0; turn < kWholeTurns; ++turn) {
      Turn& whole = order.emplace_back(i);
      if (turn >= kWholeTurns / 2) whole.purpose.round = rounds_;
    }
  std::vector<Turn> turns;
  for (const Turn& turn : order) {
    const std::uint32_t repeats = turn.of < loaded_.size() ? loaded_[turn.of].repeats : 1;
    turns.insert(turns.end(), repeats, turn);
    for (std::uint32_t i = 1; i < repeats; ++i) turns[turns.size() - 1 - i].purpose.round.reset();
  }
  return turns;
}

/// Divides bricks into batches of nearly equal size, about their distance, in an order drawn anew.
/// Bricks with ballast are one batch.
void SuiteRunner::append_batches(std::int64_t reuse_bytes, std::size_t batching,
                                 std::vector<Turn>& order) {
  const Batching& together = batchings_[reuse_bytes][batching];
  const std::vector<std::size_t>& at_distance = bricks_at_[reuse_bytes];
  std::vector<std::size_t> bricks(together.members.size());  // positions in `together`
  std::iota(bricks.begin(), bricks.end(), std::size_t{0});
  stats::shuffle(bricks, random_);
  double all = 0, before = 0;
  for (const std::int64_t bytes : together.bytes) all += static_cast<double>(bytes);
  const double size = all / std::max(1.0, std::round(all / static_cast<double>(together.distance)));
  for (std::size_t begin = 0; begin < bricks.size();) {
    std::vector<std::size_t> batch;
    const double end = before + size;
    while (begin < bricks.size()) {
      const auto next = static_cast<double>(together.bytes[bricks[begin]]);
      if (!batch.empty() && before + next / 2 > end) break;
      before += next;
      batch.push_back(at_distance[together.members[bricks[begin++]]]);
    }
    for (std::size_t i = 0; i < ballast_.size(); ++i)
      if (ballast_[i].reuse_bytes == reuse_bytes && ballast_[i].batching == batching)
        batch.push_back(loaded_.size() + chains_.size() + i);
    stats::shuffle(batch, random_);
    const std::uint32_t settling = settling_turns(together.distance);
    for (std::uint32_t turn = 0; turn < settling + kBatchTurns; ++turn)
      for (const std::size_t i : batch) {
        Turn& next = order.emplace_back(i);
        next.purpose.reuse_bytes = reuse_bytes;
        if (turn >= settling) next.purpose.round = rounds_ + turn - settling;
      }
  }
}

Result<void> SuiteRunner::round() {
  if (rounds_ == 0) {
    TRY(load_ballast());
    meter_->begin();
  }
  const std::vector<Turn> order = draw_order();
  for (std::size_t begin = 0; begin < order.size();) {
    // Turns without a pause, up to about the window in which foreign load is metered.
    std::vector<runtime::SessionId> sessions;
    double expected_ns = 0;
    std::size_t end = begin;
    while (end < order.size() && (end == begin || (!singly_ && expected_ns < kTogetherNs))) {
      const Turned& next = turned(order[end++].of);
      sessions.push_back(next.session);
      expected_ns += next.last_ns;
    }
    running_ = singly_ ? std::min(order[begin].of, loaded_.size()) : loaded_.size();
    std::vector<Measurement> parts = TRY(runtime_->take_turns(sessions));
    for (std::size_t i = begin; i < end; ++i) {
      TRY(take(turned(order[i].of), std::move(parts[i - begin])));
      if (order[i].of < loaded_.size()) loaded_[order[i].of].purposes.push_back(order[i].purpose);
    }
    begin = end;
    if (meter_->due()) note_load();
  }
  ++rounds_;
  return {};
}

/// Sets the load of the last window in the samples taken during it.
void SuiteRunner::note_load() {
  const runtime::Load load = meter_->lap();
  const auto note = [&](Turned& turned) {
    for (std::size_t& i = turned.metered; i < turned.measured.samples.size(); ++i)
      turned.measured.samples[i].foreign_cpus = load.foreign_cpus;
  };
  for (Loaded& brick : loaded_) note(brick);
  for (Chain& chain : chains_) note(chain);
}

std::vector<profile::BrickRun> SuiteRunner::runs(std::size_t brick,
                                                 std::int64_t reuse_bytes) const {
  const Loaded& one = loaded_[brick];
  if (one.whole) return whole_runs(one);
  std::vector<measure::ProcessMeasurement> measured;
  measured.push_back({0, one.measured});
  runtime::resolve_means(measured[0].measurement);
  const measure::Collected collected = measure::collect(measured);
  const std::vector<graph::NodeId> kernels = measure::kernels_of(collected, one.network->optimized);
  std::vector<bool> counts(one.network->attribution.kernels.size(), false);
  for (const graph::NodeId k : core_kernels(*one.network)) counts[k] = true;
  std::vector<profile::BrickRun> out;
  for (const runtime::ProfiledRun& run : measured[0].measurement.profiled) {
    const runtime::Sample& sample = one.measured.samples[run.sample];
    const Purpose& purpose = one.purposes[sample.round];
    if (!purpose.round || purpose.reuse_bytes != reuse_bytes) continue;
    profile::BrickRun r{.round = *purpose.round, .foreign_cpus = sample.foreign_cpus};
    for (const runtime::KernelEvent& e : run.events) {
      const std::uint32_t same = collected.same_kernel[0][e.kernel];
      if (kernels[same] == graph::kNone || !counts[kernels[same]]) continue;
      r.reported_ns += e.exclusive_ns;
      ++r.events;
    }
    out.push_back(r);
  }
  return out;
}

/// Runs without events.
std::vector<profile::BrickRun> SuiteRunner::whole_runs(const Loaded& one) {
  std::vector<profile::BrickRun> out;
  for (const runtime::Sample& s : one.measured.samples)
    if (const std::optional<std::uint32_t> round = one.purposes[s.round].round)
      out.push_back({.round = *round,
                     .reported_ns = s.wall.count,
                     .events = 0,
                     .foreign_cpus = s.foreign_cpus});
  return out;
}

std::vector<double> SuiteRunner::walls_ns(std::size_t brick, std::int64_t reuse_bytes) const {
  const Loaded& one = loaded_[brick];
  std::vector<double> out;
  for (const runtime::ProfiledRun& run : one.measured.profiled) {
    const runtime::Sample& sample = one.measured.samples[run.sample];
    const Purpose& purpose = one.purposes[sample.round];
    if (purpose.round && purpose.reuse_bytes == reuse_bytes)
      out.push_back(static_cast<double>(sample.wall.count));
  }
  return out;
}

std::vector<profile::ChainRun> SuiteRunner::chain_runs() const {
  std::vector<profile::ChainRun> out;
  for (const Chain& chain : chains_) {
    std::unordered_map<std::uint32_t, std::int64_t> plain;  // by round
    for (const runtime::Sample& s : chain.measured.samples)
      if (s.mode == runtime::Mode::kUnprofiled) plain.emplace(s.round, s.wall.count);
    for (const runtime::ProfiledRun& run : chain.measured.profiled) {
      const runtime::Sample& sample = chain.measured.samples[run.sample];
      const auto beside = plain.find(sample.round);
      if (beside == plain.end()) continue;
      profile::ChainRun r{
          .kernels = chain.kernels,
          .round = sample.round / kChainTurns,
          .plain_ns = beside->second,
          .profiled_ns = run.model_run_ns > 0 ? run.model_run_ns : sample.wall.count,
          .foreign_cpus = sample.foreign_cpus,
          .bytes = chain.bytes};
      for (const runtime::KernelEvent& e : run.events) r.reported_ns += e.duration_ns;
      out.push_back(r);
    }
  }
  return out;
}

}  // namespace ridge::bricks
