#include "bricks/suite_runner.h"

#include <algorithm>
#include <unordered_map>

#include "base/clock.h"
#include "bricks/kernels.h"
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
constexpr std::uint32_t kChainTurns = 3;
/// Turns of a batch of warm bricks that follow each other. The first brings its weights into the
/// cache.
constexpr std::uint32_t kWarmTurns = 4;
/// Turns of a whole model in a round; an even number.
constexpr std::uint32_t kWholeTurns = 8;
/// Time of turns that follow each other without a pause.
constexpr double kTogetherNs = 150e6;

}  // namespace

SuiteRunner::SuiteRunner(runtime::Runtime runtime, const runtime::Options& options,
                         std::uint64_t seed, std::int64_t warm_bytes)
    : runtime_(std::make_unique<runtime::Runtime>(std::move(runtime))),
      reference_(options),
      random_(seed),
      warm_bytes_(warm_bytes) {
  meter_ = std::make_unique<runtime::LoadMeter>(
      [child = runtime_.get()] {
        std::optional<runtime::CpuTimes> times = runtime::read_cpu_times();
        if (times) times->own += child->cpu_time().value_or(Nanos{0});
        return times;
      },
      steady_clock());
}

Result<SuiteRunner> SuiteRunner::start(const runtime::Options& options, std::uint64_t seed,
                                       std::int64_t warm_bytes) {
  runtime::Runtime runtime = TRY(runtime::Runtime::spawn(options));
  SuiteRunner runner(std::move(runtime), options, seed, warm_bytes);
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
  const measure::ChainKind kind = measure::streaming_chain(runtime_->info());
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    const int kernels = i == 0 ? kind.brief : kind.lengthy;
    chains_[i].session = TRY(measure::load_chain(*runtime_, kind.node, kernels));
    chains_[i].kernels = static_cast<std::uint32_t>(kernels);
    TRY(take(chains_[i], runtime_->warm_up(chains_[i].session, kChainPlan)));
  }
  return {};
}

Result<std::size_t> SuiteRunner::load(const analysis::Resolved& brick, const BrickState& state) {
  measure::Material material =
      TRY(measure::prepare(brick, {}, attribution::CanonicalOptions::Sizes::kStatic));
  const runtime::Loaded loaded = TRY(runtime_->load({.model = material.copy.bytes,
                                                     .weights = material.weights,
                                                     .dump = runtime::Dump::kStructure}));
  Loaded one;
  one.session = loaded.session;
  one.load_ns = static_cast<double>(loaded.load.count);
  one.state = state;
  TRY(runtime_->set_inputs(one.session, material.inputs));
  attribution::OptimizedGraph optimized =
      TRY(measure::optimized_of(loaded.graph, runtime_->info()));
  one.network = TRY(reference_.network(brick, std::move(material.copy), std::move(optimized)));
  TRY(take(one, runtime_->warm_up(one.session, brick_plan(state.whole))));
  loaded_.push_back(std::move(one));
  return loaded_.size() - 1;
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
  return i < loaded_.size() ? static_cast<Turned&>(loaded_[i]) : chains_[i - loaded_.size()];
}

/// Turns of a round: cold bricks and chains, then, in rounds that have them, each batch of warm
/// bricks kWarmTurns times, then whole models.
std::vector<std::size_t> SuiteRunner::draw_order() {
  std::vector<std::size_t> order, warm, whole;
  for (std::size_t i = 0; i < loaded_.size(); ++i) {
    const BrickState& state = loaded_[i].state;
    (state.whole ? whole : state.warm ? warm : order).push_back(i);
  }
  for (std::size_t i = 0; i < chains_.size(); ++i)
    order.insert(order.end(), kChainTurns, loaded_.size() + i);
  stats::shuffle(order, random_);
  stats::shuffle(warm, random_);
  if (rounds_ % (kWarmTurns - 1) != 0) warm.clear();
  for (std::size_t begin = 0; begin < warm.size();) {
    std::vector<std::size_t> batch;
    for (std::int64_t bytes = 0; begin < warm.size(); ++begin) {
      bytes += loaded_[warm[begin]].state.bytes;
      if (!batch.empty() && bytes > warm_bytes_) break;
      batch.push_back(warm[begin]);
    }
    for (std::uint32_t turn = 0; turn < kWarmTurns; ++turn) {
      stats::shuffle(batch, random_);
      order.insert(order.end(), batch.begin(), batch.end());
    }
  }
  for (const std::size_t i : whole) order.insert(order.end(), kWholeTurns, i);
  return order;
}

Result<void> SuiteRunner::round() {
  if (rounds_ == 0) meter_->begin();
  const std::vector<std::size_t> order = draw_order();
  for (std::size_t begin = 0; begin < order.size();) {
    // Turns without a pause, up to about the window in which foreign load is metered.
    std::vector<runtime::SessionId> sessions;
    double expected_ns = 0;
    std::size_t end = begin;
    while (end < order.size() && (end == begin || (!singly_ && expected_ns < kTogetherNs))) {
      const Turned& next = turned(order[end++]);
      sessions.push_back(next.session);
      expected_ns += next.last_ns;
    }
    running_ = singly_ ? std::min(order[begin], loaded_.size()) : loaded_.size();
    std::vector<Measurement> parts = TRY(runtime_->take_turns(sessions));
    for (std::size_t i = begin; i < end; ++i)
      TRY(take(turned(order[i]), std::move(parts[i - begin])));
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

std::vector<profile::BrickRun> SuiteRunner::runs(std::size_t brick) const {
  const Loaded& one = loaded_[brick];
  if (one.state.whole) return whole_runs(one);
  std::vector<measure::ProcessMeasurement> measured;
  measured.push_back({0, one.measured});
  runtime::resolve_means(measured[0].measurement);
  const measure::Collected collected = measure::collect(measured);
  const std::vector<graph::NodeId> kernels = measure::kernels_of(collected, one.network.optimized);
  std::vector<bool> counts(one.network.attribution.kernels.size(), false);
  for (const graph::NodeId k : core_kernels(one.network)) counts[k] = true;
  std::vector<profile::BrickRun> out;
  for (const runtime::ProfiledRun& run : measured[0].measurement.profiled) {
    const runtime::Sample& sample = one.measured.samples[run.sample];
    profile::BrickRun r{.round = sample.round, .foreign_cpus = sample.foreign_cpus};
    if (one.state.warm) {
      const std::uint32_t visit = sample.round / kWarmTurns, turn = sample.round % kWarmTurns;
      if (turn == 0) continue;  // it warms
      r.round = visit * (kWarmTurns - 1) + turn - 1;
    }
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
    if (s.round % kWholeTurns >= kWholeTurns / 2)
      out.push_back({.round = s.round / kWholeTurns,
                     .reported_ns = s.wall.count,
                     .events = 0,
                     .foreign_cpus = s.foreign_cpus});
  return out;
}

std::vector<double> SuiteRunner::walls_ns(std::size_t brick) const {
  const Measurement& measured = loaded_[brick].measured;
  std::vector<double> out;
  for (const runtime::ProfiledRun& run : measured.profiled)
    out.push_back(static_cast<double>(measured.samples[run.sample].wall.count));
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
          .foreign_cpus = sample.foreign_cpus};
      for (const runtime::KernelEvent& e : run.events) r.reported_ns += e.duration_ns;
      out.push_back(r);
    }
  }
  return out;
}

std::size_t SuiteRunner::all_events(std::size_t brick) const {
  std::size_t events = 0;
  for (const runtime::ProfiledRun& run : loaded_[brick].measured.profiled)
    events += run.events.size();
  return events;
}

}  // namespace ridge::bricks
