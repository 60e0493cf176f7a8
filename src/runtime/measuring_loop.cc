#include "runtime/measuring_loop.h"

#include <utility>

namespace ridge::runtime {

MeasuringLoop::MeasuringLoop(Target& target, const Plan& plan, LoadMeter& meter, const Clock& clock)
    : target_(target), plan_(plan), meter_(meter), clock_(clock), start_(clock.now()) {
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
  unprofiled(Mode::kFirst, 1);
  const Nanos start = clock_.now();
  for (std::uint32_t i = 0; i < plan_.warmup_runs || clock_.now() - start < plan_.warmup_time;
       ++i) {
    unprofiled(Mode::kWarmup, 1);
    if (stopped() || clock_.now() - start_ >= plan_.limit) return;
  }
}

void MeasuringLoop::round() {
  unprofiled(Mode::kSettle, plan_.settle_runs);
  if (round_ % 2 == 0) swapped_ = random_.below(2) == 0;
  const bool profiled_first = (round_ % 2 == 1) != swapped_;
  if (!profiled_first) unprofiled(Mode::kUnprofiled, plan_.unprofiled_per_round);
  if (recorder_.events() < plan_.max_events) profiled(plan_.profiled_per_round);
  if (profiled_first) unprofiled(Mode::kUnprofiled, plan_.unprofiled_per_round);
  if (!stopped()) ++round_;
}

void MeasuringLoop::unprofiled(Mode mode, std::uint32_t runs) {
  for (std::uint32_t i = 0; i < runs && !stopped(); ++i) timed_run(mode);
}

void MeasuringLoop::profiled(std::uint32_t runs) {
  for (std::uint32_t i = 0; i < runs && !stopped(); ++i) {
    const RidgeProfileSink sink = recorder_.sink();
    if (Result<void> on = target_.profile(&sink); !on) return fail(std::move(on).error());
    const Nanos begun = clock_.now();
    recorder_.begin(begun);
    const bool ran = timed_run(Mode::kProfiled);
    if (Result<void> off = target_.profile(nullptr); !off) return fail(std::move(off).error());
    ProfiledRun run = recorder_.end();
    if (!ran) return;
    run.sample = samples_sent_ + static_cast<std::uint32_t>(batch_.samples.size()) - 1;
    const std::int64_t before = (batch_.samples.back().start - begun).count;
    for (KernelEvent& event : run.events) event.start_ns -= before;
    batch_.profiled.push_back(std::move(run));
  }
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
  if (target_.cancelled()) {
    batch_.cancelled = true;  // the run may have been cut short
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
  samples_sent_ += static_cast<std::uint32_t>(batch_.samples.size());
  const bool cancelled = batch_.cancelled;
  const std::optional<Error> failure = batch_.failure;
  Measurement batch = std::exchange(batch_, {});
  batch_.cancelled = cancelled;  // more() still has to know
  batch_.failure = failure;
  return batch;
}

}  // namespace ridge::runtime
