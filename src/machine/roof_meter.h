// SPDX-License-Identifier: Apache-2.0
// Measurement of one roof: many short bursts of one kernel on pinned threads, alternating with a
// chain of adds that measures the clock.
//
//   RoofMeter meter(cpus, steady_clock());
//   const RoofSamples s = TRY(meter.compute(kernel));
//   // s.best in FLOP/s, s.rates per burst, s.clock_hz
//
// Disturbances only lower a roof, so the best burst is the estimate, and measuring continues,
// within limits of rounds and time, until three undisturbed bursts lie within 2 % of the best.
// Ownership: owns the memory of the streams, one block per thread, placed on that thread's node.
// Thread rule: one measurement at a time.
// Errors: as run_together; RIDGE-MACH-0002 if memory cannot be allocated.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "kernels/cpu/compute.h"
#include "kernels/cpu/stream.h"

namespace ridge::machine {

struct RoofSamples {
  std::vector<double> rates;  ///< FLOP/s or B/s of all threads together, per burst
  double best = 0;
  std::optional<double> clock_hz;  ///< mean over the threads of each thread's highest clock
};

struct MeterOptions {
  int bursts = 24;  ///< per round; a roof needs at least 20
  int max_rounds = 12;
  Nanos max_time = {250'000'000};  ///< no further round after this time
  Nanos burst = {500'000};  ///< target duration of a burst; at least one pass over the memory
};

class RoofMeter {
 public:
  RoofMeter(std::vector<int> cpus, const Clock& clock, MeterOptions options = {});
  ~RoofMeter();

  Result<RoofSamples> compute(const kernels::ComputeKernel& kernel);
  /// Measures a bandwidth. `bytes_per_thread`: over all arrays of the kernel, rounded down to whole
  /// blocks.
  Result<RoofSamples> stream(const kernels::StreamKernel& kernel, std::int64_t bytes_per_thread);

  /// Short measurement to choose between kernels.
  Result<double> try_compute(const kernels::ComputeKernel& kernel);
  Result<double> try_stream(const kernels::StreamKernel& kernel, std::int64_t bytes_per_thread);

 private:
  struct Job;
  class Block;

  Result<std::int64_t> repetitions_for(const Job& job);
  Result<RoofSamples> measure(const Job& job, int bursts, int max_rounds);
  Result<Job> compute_job(const kernels::ComputeKernel& kernel);
  Result<Job> stream_job(const kernels::StreamKernel& kernel, std::int64_t bytes_per_thread);

  std::vector<int> cpus_;
  const Clock& clock_;
  MeterOptions options_;
  std::vector<std::unique_ptr<Block>> blocks_;  ///< one per thread, reused while large enough
};

}  // namespace ridge::machine
