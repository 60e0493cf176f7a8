// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/measuring_loop.h"

#include <algorithm>
#include <utility>

namespace ridge::runtime {

namespace {

/// Kinds of runs in a round, before shuffling.
std::vector<Mode> kinds_of(const Plan& plan) {
  std::vector<Mode> out = {Mode::kUnprofiled, Mode::kProfiled};
  if (plan.threads) out.insert(out.end(), {Mode::kThreadPart, Mode::kThread});
  if (plan.counters) out.insert(out.end(), {Mode::kCounterPart, Mode::kCounter});
  if (plan.threads || plan.counters) out.push_back(Mode::kDeepest);
  return out;
}

}  // namespace

MeasuringLoop::MeasuringLoop(Target& target, const Plan& plan, LoadMeter& meter, const Clock& clock)
    : target_(target),
      plan_(plan),
      meter_(meter),
      clock_(clock),
      threads_(target.helper_thread()),
      counters_(target.helper_thread()),
      start_(clock.now()) {
  meter_.begin();
}

bool MeasuringLoop::more() const {
  if (stopped()) return false;
  if (!warm_ || round_ == 0) return plan_.max_rounds > 0 || !warm_;
  if (round_ >= plan_.max_rounds || clock_.now() - start_ >= plan_.limit) return false;
  return round_ < plan_.min_rounds || clock_.now() - rounds_start_ < plan_.budget;
}

void MeasuringLoop::step() {
  if (!warm_) {
    warm_up();
    warm_ = true;
    rounds_start_ = clock_.now();
  } else {
    round();
  }
}

void MeasuringLoop::warm_up() {
  runs(Mode::kFirst, 1);
  const Nanos start = clock_.now();
  for (std::uint32_t i = 0; i < plan_.warmup_runs || clock_.now() - start < plan_.warmup_time;
       ++i) {
    runs(Mode::kWarmup, 1);
    if (stopped() || clock_.now() - start_ >= plan_.limit) return;
  }
}

void MeasuringLoop::round() {
  runs(Mode::kSettle, plan_.settle_runs);
  if (round_ % 2 == 0) {
    order_ = kinds_of(plan_);
    stats::shuffle(order_, random_);
  } else {
    std::reverse(order_.begin(), order_.end());
  }
  for (const Mode mode : order_)
    runs(mode, mode == Mode::kUnprofiled ? plan_.unprofiled_per_round
               : mode == Mode::kProfiled ? plan_.profiled_per_round
                                         : 1);
  if (!stopped()) ++round_;
}

void MeasuringLoop::runs(Mode mode, std::uint32_t count) {
  const bool events = mode == Mode::kProfiled || mode == Mode::kDeepest;
  if (events && recorder_.events() >= plan_.max_events) return;
  for (std::uint32_t i = 0; i < count && !stopped(); ++i) {
    if (events)
      recorded_run(mode);
    else
      metered_run(mode);
  }
}

/// Runs with the runtime's own events.
void MeasuringLoop::recorded_run(Mode mode) {
  const RidgeProfileSink sink = recorder_.sink();
  if (!profiling_)
    if (Result<void> on = target_.profile(&sink); !on) return fail(std::move(on).error());
  profiling_ = plan_.keep_profiling;
  const Nanos begun = clock_.now();
  recorder_.begin(begun);
  const std::size_t before = batch_.samples.size();
  metered_run(mode);
  const bool ran = batch_.samples.size() > before;
  const RidgeProfileSink* next = profiling_ ? &sink : nullptr;
  if (Result<void> off = target_.profile(next); !off) return fail(std::move(off).error());
  ProfiledRun run = recorder_.end();
  if (!ran) return;
  run.sample = last_sample();
  const std::int64_t later = (batch_.samples.back().start - begun).count;
  for (KernelEvent& event : run.events) event.start_ns -= later;
  batch_.profiled.push_back(std::move(run));
}

/// Runs with the levels below the layers that the mode includes, if any.
void MeasuringLoop::metered_run(Mode mode) {
  const bool half = mode == Mode::kThreadPart || mode == Mode::kCounterPart;
  const bool all = mode == Mode::kDeepest;
  const bool threads = mode == Mode::kThread || mode == Mode::kThreadPart || (all && plan_.threads);
  const bool counters =
      mode == Mode::kCounter || mode == Mode::kCounterPart || (all && plan_.counters);
  const Share share = half ? Share::kHalf : Share::kAll;
  DeepRun run;
  // Expensive steps are outside of the interval that the other level measures.
  if (counters) counters_.open(share);
  if (threads) threads_.begin(share);
  if (counters) counters_.start();
  const bool ran = timed_run(mode);
  if (counters) counters_.stop();
  if (threads) run.threads = threads_.end(run.thread_readings);
  if (counters) run.counters = counters_.close(run.counter_readings);
  if (!ran || !(threads || counters)) return;
  run.sample = last_sample();
  if (half) {  // values from half of the readings are incomplete
    run.threads.clear();
    run.counters.clear();
  }
  batch_.deep.push_back(std::move(run));
}

bool MeasuringLoop::timed_run(Mode mode) {
  Sample sample;
  sample.mode = mode;
  sample.round = round_;
  const Nanos cpu = own_cpu_time();
  sample.start = clock_.now();
  Result<void> ran = target_.run();
  sample.wall = clock_.now() - sample.start;
  sample.cpu = own_cpu_time() - cpu;
  if (target_.canceled()) {
    batch_.canceled = true;  // the run may have been cut short
    return false;
  }
  if (!ran) {
    fail(std::move(ran).error());
    return false;
  }
  batch_.samples.push_back(sample);
  return true;
}

void MeasuringLoop::fail(Error error) {
  if (!stopped()) batch_.failure = std::move(error);
}

Measurement MeasuringLoop::take_batch() {
  const Load load = meter_.lap();
  for (Sample& sample : batch_.samples) {
    sample.foreign_cpus = load.foreign_cpus;
    sample.stolen_cpus = load.stolen_cpus;
  }
  batch_.kernels = recorder_.take_new_kernels();
  batch_.threads = threads_.take_new_threads();
  batch_.counters = counters_.take_new_counters();
  samples_sent_ += static_cast<std::uint32_t>(batch_.samples.size());
  const bool canceled = batch_.canceled;
  const std::optional<Error> failure = batch_.failure;
  Measurement batch = std::exchange(batch_, {});
  batch_.canceled = canceled;  // more() still needs these
  batch_.failure = failure;
  return batch;
}

}  // namespace ridge::runtime
