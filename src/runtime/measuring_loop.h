// The measuring loop, as it runs inside the child: warm-up, then rounds of unprofiled and profiled
// runs as the Plan says, and of runs that carry deeper levels where it asks for them.
//
//   MeasuringLoop loop(target, plan, meter, clock);
//   while (loop.more()) { loop.step(); if (loop.batch_due()) send(loop.take_batch()); }
//
// Where several take turns (turns.h) their conductor calls step() and decides when there were
// enough; only stopped() matters then.
//
// Nothing is computed from the samples here. Between runs the loop does bookkeeping of well under a
// microsecond per event; it sends batches, which wake another process, only when a window of the
// load meter ends. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "runtime/counter_meter.h"
#include "runtime/events.h"
#include "runtime/load_meter.h"
#include "runtime/measurement.h"
#include "runtime/thread_meter.h"
#include "stats/random.h"

namespace ridge::runtime {

/// What is measured: a loaded model in a plug-in, or a test's own.
class Target {
 public:
  virtual ~Target() = default;
  virtual Result<void> run() = 0;
  /// Events of the runs that follow go to `sink` (copied); nullptr ends it, and all events have
  /// come.
  virtual Result<void> profile(const RidgeProfileSink* sink) = 0;
  virtual bool cancelled() const = 0;
  /// The system's number of a thread of ours that has no part in runs; 0: there is none.
  virtual std::int64_t helper_thread() const { return 0; }
};

class MeasuringLoop {
 public:
  MeasuringLoop(Target& target, const Plan& plan, LoadMeter& meter, const Clock& clock);

  /// Something is left to do.
  bool more() const;
  /// Warm-up the first time, then one round. After a failure or a cancellation more() is false.
  void step();
  /// It failed or was cancelled.
  bool stopped() const { return batch_.failure.has_value() || batch_.cancelled; }
  /// A load window ended: samples are complete and can be sent.
  bool batch_due() const { return meter_.due(); }
  /// What came since the last call, in the form of a Measurement; ProfiledRun::sample counts from
  /// the start of the loop.
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
  stats::Random random_{1};  ///< who goes first; the same in every run, so that runs compare
  std::vector<Mode> order_;  ///< of the present round
  std::uint32_t round_ = 0;
  bool warm_ = false;
};

}  // namespace ridge::runtime
