#include "bricks/suite_runner.h"

#include <numeric>

#include "attribution/attributor.h"
#include "base/clock.h"
#include "bricks/kernels.h"
#include "measure/collect.h"
#include "measure/join.h"
#include "measure/material.h"
#include "measure/runtime_layers.h"
#include "runtime/protocol.h"

namespace ridge::bricks {
namespace {

using runtime::Measurement;

/// Plan of a brick: a profiled run per turn.
constexpr runtime::Plan kPlan{
    .warmup_runs = 1, .unprofiled_per_round = 0, .profiled_per_round = 1, .max_rounds = 1'000'000};

}  // namespace

SuiteRunner::SuiteRunner(runtime::Runtime runtime, std::uint64_t seed)
    : runtime_(std::make_unique<runtime::Runtime>(std::move(runtime))), random_(seed) {
  meter_ = std::make_unique<runtime::LoadMeter>(
      [child = runtime_.get()] {
        std::optional<runtime::CpuTimes> times = runtime::read_cpu_times();
        if (times) times->own += child->cpu_time().value_or(Nanos{0});
        return times;
      },
      steady_clock());
  meter_->begin();
}

Result<SuiteRunner> SuiteRunner::start(const runtime::Options& options, std::uint64_t seed) {
  return SuiteRunner(TRY(runtime::Runtime::spawn(options)), seed);
}

Result<std::size_t> SuiteRunner::load(const analysis::Resolved& brick) {
  measure::Material material =
      TRY(measure::prepare(brick, {}, attribution::CanonicalOptions::Sizes::kStatic));
  const runtime::Loaded loaded = TRY(runtime_->load({.model = material.copy.bytes,
                                                     .weights = material.weights,
                                                     .dump = runtime::Dump::kStructure}));
  TRY(runtime_->set_inputs(loaded.session, material.inputs));
  attribution::OptimizedGraph optimized =
      TRY(measure::optimized_of(loaded.graph, runtime_->info()));
  attribution::Attribution attribution =
      TRY(attribution::attribute(brick, material.copy, optimized));
  Loaded one{.session = loaded.session,
             .load_ns = static_cast<double>(loaded.load.count),
             .network = TRY(make_network(brick, std::move(material.copy), std::move(optimized),
                                         std::move(attribution)))};
  TRY(take(one, runtime_->warm_up(one.session, kPlan)));
  loaded_.push_back(std::move(one));
  return loaded_.size() - 1;
}

Result<void> SuiteRunner::take(Loaded& brick, Result<Measurement> part) {
  if (!part.ok()) return std::move(part).error();
  if (part->failure) return std::move(*part->failure);
  if (!runtime::append(brick.measured, std::move(*part)))
    return bug("a turn points nowhere", "SuiteRunner");
  return {};
}

Result<void> SuiteRunner::round() {
  std::vector<std::size_t> order(loaded_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  stats::shuffle(order, random_);
  for (const std::size_t i : order) {
    TRY(take(loaded_[i], runtime_->take_turn(loaded_[i].session)));
    if (meter_->due()) note_load();
  }
  return {};
}

/// Sets the load of the last window in the samples taken during it.
void SuiteRunner::note_load() {
  const runtime::Load load = meter_->lap();
  for (Loaded& brick : loaded_)
    for (std::size_t& i = brick.metered; i < brick.measured.samples.size(); ++i)
      brick.measured.samples[i].foreign_cpus = load.foreign_cpus;
}

std::vector<BrickRun> SuiteRunner::runs(std::size_t brick) const {
  const Loaded& one = loaded_[brick];
  std::vector<measure::ProcessMeasurement> measured;
  measured.push_back({0, one.measured});
  const measure::Collected collected = measure::collect(measured);
  const std::vector<graph::NodeId> kernels = measure::kernels_of(collected, one.network.optimized);
  std::vector<bool> counts(one.network.attribution.kernels.size(), false);
  for (const graph::NodeId k : core_kernels(one.network)) counts[k] = true;
  std::vector<BrickRun> out;
  for (const runtime::ProfiledRun& run : one.measured.profiled) {
    const runtime::Sample& sample = one.measured.samples[run.sample];
    BrickRun r{.wall_ns = static_cast<double>(sample.wall.count),
               .foreign_cpus = sample.foreign_cpus};
    for (const runtime::KernelEvent& e : run.events) {
      const std::uint32_t same = collected.same_kernel[0][e.kernel];
      if (kernels[same] == graph::kNone || !counts[kernels[same]]) continue;
      r.reported_ns += static_cast<double>(e.exclusive_ns);
      ++r.events;
    }
    out.push_back(r);
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
