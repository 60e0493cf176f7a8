// Runs the bricks of a suite in turns in one process: every round runs each of them once, in an
// order drawn anew, so that a brick finds caches and memory as the other bricks leave them, as a
// layer does behind the other layers of its model.
//
//   SuiteRunner runner = TRY(SuiteRunner::start(options));
//   for (const Source& brick : sources) TRY(runner.load(brick));
//   while (...) TRY(runner.round());
//   runner.runs(0)                        // of the first brick, in order of time
//
// In ONNX Runtime, `options` should have the entry session.use_env_allocators = 1: sessions then
// take their memory from one arena, as the layers of one model do. With an arena for each, the
// layers of MobileNetV2 took a fifth longer.
//
// A run is profiled, and its time is that of the kernels that stand for the piece: donors run
// before and after them and do not count. Runs in which other programs had the processor are marked
// with their load; the caller drops them.
//
// Thread rule: one thread. Errors: those of the runtime.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "base/result.h"
#include "bricks/network.h"
#include "runtime/load_meter.h"
#include "runtime/runtime.h"
#include "stats/random.h"

namespace ridge::bricks {

/// One profiled run of a brick.
struct BrickRun {
  double reported_ns = 0;    ///< sum over the kernels that count
  std::uint32_t events = 0;  ///< their executions
  double wall_ns = 0;        ///< whole run, with donors
  double foreign_cpus = -1;  ///< processors used by others meanwhile; negative: unknown
};

class SuiteRunner {
 public:
  static Result<SuiteRunner> start(const runtime::Options& options, std::uint64_t seed = 1);

  /// Loads a brick and runs it a few times; its position in runs(). Errors: the runtime rejects it,
  /// or there is too little memory.
  Result<std::size_t> load(const analysis::Resolved& brick);
  /// Runs every brick once. After an error there are no further rounds.
  Result<void> round();

  std::size_t size() const { return loaded_.size(); }
  /// Runs of a brick so far, without its warm-up.
  std::vector<BrickRun> runs(std::size_t brick) const;
  /// Events of all runs of a brick, those of donors included.
  std::size_t all_events(std::size_t brick) const;
  double load_ns(std::size_t brick) const { return loaded_[brick].load_ns; }

 private:
  struct Loaded {
    runtime::SessionId session = 0;
    double load_ns = 0;
    Network network;
    runtime::Measurement measured;
    std::size_t metered = 0;  ///< samples whose foreign load is known
  };
  SuiteRunner(runtime::Runtime runtime, std::uint64_t seed);
  Result<void> take(Loaded& brick, Result<runtime::Measurement> part);
  void note_load();

  std::unique_ptr<runtime::Runtime> runtime_;
  stats::Random random_;
  std::unique_ptr<runtime::LoadMeter> meter_;
  std::vector<Loaded> loaded_;
};

}  // namespace ridge::bricks
