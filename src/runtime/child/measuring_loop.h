// SPDX-License-Identifier: Apache-2.0
// Measuring loop inside the child: warm-up, then rounds of unprofiled and profiled runs as set by
// the Plan, and of runs with deeper levels if it requests them.
//
//   MeasuringLoop loop(target, plan, meter, clock);
//   while (loop.more()) { loop.step(); if (loop.batch_due()) send(loop.take_batch()); }
//
// When sessions are measured in turns (turns.h), their conductor calls step() and decides when to
// end; only stopped() matters then.
//
// The samples are not evaluated here. Between runs the loop does bookkeeping of well under a
// microsecond per event; it sends batches, which wake another process, only when a window of the
// load meter ends. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "runtime/child/counter_meter.h"
#include "runtime/child/events.h"
#include "runtime/child/thread_meter.h"
#include "runtime/load_meter.h"
#include "runtime/measurement.h"
#include "stats/random.h"

namespace ridge::runtime {

/// Measured object: a loaded model in a plug-in, or a test's own.
class Target {
 public:
  virtual ~Target() = default;
  virtual Result<void> run() = 0;
  /// Sends the events of the following runs to `sink` (copied); nullptr ends that, and all events
  /// have been delivered on return.
  virtual Result<void> profile(const RidgeProfileSink* sink) = 0;
  virtual bool canceled() const = 0;
  /// System id of a thread of ours that takes no part in runs; 0: none.
  virtual std::int64_t helper_thread() const { return 0; }
};

class MeasuringLoop {
 public:
  MeasuringLoop(Target& target, const Plan& plan, LoadMeter& meter, const Clock& clock);

  /// True if more steps are due.
  bool more() const;
  /// Warms up on the first call, then runs one round. After a failure or cancellation more() is
  /// false.
  void step();
  /// True after a failure or cancellation.
  bool stopped() const { return batch_.failure.has_value() || batch_.canceled; }
  /// True if a load window has ended: samples are complete and can be sent.
  bool batch_due() const { return meter_.due(); }
  /// Returns the data since the last call, as a Measurement; ProfiledRun::sample counts from the
  /// start of the loop.
  Measurement take_batch();
  std::uint32_t rounds_done() const { return round_; }

 private:
  void warm_up();
  void round();
  void runs(Mode mode, std::uint32_t count);
  void recorded_run(Mode mode);
  void metered_run(Mode mode);
  bool timed_run(Mode mode);
  std::uint32_t last_sample() const {
    return samples_sent_ + static_cast<std::uint32_t>(batch_.samples.size()) - 1;
  }
  void fail(Error error);

  Target& target_;
  const Plan plan_;
  LoadMeter& meter_;
  const Clock& clock_;
  Recorder recorder_;
  ThreadMeter threads_;
  CounterMeter counters_;
  Measurement batch_;
  Nanos start_, rounds_start_;
  std::uint32_t samples_sent_ = 0;
  /// Draws the order of modes; the same in every run, so that runs are comparable.
  stats::Random random_{1};
  std::vector<Mode> order_;  ///< order of the current round
  std::uint32_t round_ = 0;
  bool warm_ = false;
  bool profiling_ = false;  ///< left on by the last run
};

}  // namespace ridge::runtime
