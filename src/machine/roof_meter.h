// Measures one roof: many short bursts of one kernel on pinned threads, each beside a chain of adds
// that reads the clock.
//
//   RoofMeter meter(cpus, steady_clock());
//   const RoofSamples s = TRY(meter.compute(kernel));
//   // s.best in FLOP/s, s.rates per burst, s.clock_hz
//
// A roof is a property of the machine, disturbances only lower it: the best burst is the estimate,
// and measuring goes on, within limits of rounds and time, until three undisturbed bursts lie
// within 2 % of the best.
// Ownership: owns the memory it streams over, one block per thread on that thread's node.
// Thread rule: one measurement at a time.
// Errors: as run_together; RIDGE-MACH-0002 where memory is refused.
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
  std::optional<double> clock_hz;  ///< mean over the threads of each one's best burst
};

struct MeterOptions {
  int bursts = 24;  ///< per round; at least 20 make a roof
  int most_rounds = 12;
  Nanos most_time = {250'000'000};  ///< no further round after this
  Nanos burst = {500'000};          ///< aimed length of one; memory takes at least one pass
};

class RoofMeter {
 public:
  RoofMeter(std::vector<int> cpus, const Clock& clock, MeterOptions options = {});
  ~RoofMeter();

  Result<RoofSamples> compute(const kernels::ComputeKernel& kernel);
  /// `bytes_per_thread` over all arrays of the kernel, rounded down to whole blocks.
  Result<RoofSamples> stream(const kernels::StreamKernel& kernel, std::int64_t bytes_per_thread);

  /// A few bursts only, to choose between kernels.
  Result<double> try_compute(const kernels::ComputeKernel& kernel);
  Result<double> try_stream(const kernels::StreamKernel& kernel, std::int64_t bytes_per_thread);

 private:
  struct Job;
  class Block;

  Result<std::int64_t> repetitions_for(const Job& job);
  Result<RoofSamples> measure(const Job& job, int bursts, int most_rounds);
  Result<Job> compute_job(const kernels::ComputeKernel& kernel);
  Result<Job> stream_job(const kernels::StreamKernel& kernel, std::int64_t bytes_per_thread);

  std::vector<int> cpus_;
  const Clock& clock_;
  MeterOptions options_;
  std::vector<std::unique_ptr<Block>> blocks_;  ///< one per thread, kept while large enough
};

}  // namespace ridge::machine
