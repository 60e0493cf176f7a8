// Runs the bricks of a suite in turns in one process: every round runs each of them once, in an
// order drawn anew, so that a brick finds caches and memory as the other bricks leave them, as a
// layer does behind the other layers of its model.
//
//   SuiteRunner runner = TRY(SuiteRunner::start(options));
//   for (const Source& brick : sources) TRY(runner.load(brick));
//   while (...) TRY(runner.round());
//   runner.runs(0)                        // of the first brick, in order of time
//   runner.chain_runs()                   // what a run spends outside its kernels
//
// In ONNX Runtime, `options` should have the entry session.use_env_allocators = 1: sessions then
// take their memory from one arena, as the layers of one model do. With an arena for each, the
// layers of MobileNetV2 took a fifth longer.
//
// Warm bricks follow the others in batches that fit into the last-level cache together. In every
// third round a batch takes four turns, each in an order of its own, and all but the first count:
// their weights are in the cache, and the nearer caches are as other bricks leave them.
//
// Whole models (whole.h) come last. Each takes kWholeTurns turns in succession, without profiling,
// of which the second half counts.
//
// A run is profiled, and its time is that of the kernels that stand for the piece: donors run
// before and after them and do not count. Runs in which other programs had the processor are marked
// with their load; the caller drops them. Two chains of equal kernels take turns with the bricks:
// the cost of events and the time outside kernels are measured in the state that the bricks leave.
//
// Thread rule: one thread. Errors: those of the runtime.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "base/result.h"
#include "bricks/loader.h"
#include "bricks/network.h"
#include "profile/suite.h"
#include "runtime/load_meter.h"
#include "runtime/runtime.h"
#include "stats/random.h"

namespace ridge::bricks {

/// State in which a brick is run.
struct BrickState {
  bool whole = false;  ///< measured by its runs
  bool warm = false;
  std::int64_t bytes = 0;  ///< memory that a run touches
};

class SuiteRunner {
 public:
  /// Starts the process and loads the chains. `warm_bytes`: of a batch of warm bricks.
  static Result<SuiteRunner> start(const runtime::Options& options, std::uint64_t seed = 1,
                                   std::int64_t warm_bytes = 0);

  /// Loads a brick and runs it a few times; its position in runs(). Errors: the runtime rejects it,
  /// or there is too little memory.
  Result<std::size_t> load(const analysis::Resolved& brick, const BrickState& state = {});
  /// Runs every brick once, warm ones kWarmTurns times in every (kWarmTurns - 1)th round, whole
  /// models kWholeTurns times. After an error there are no further rounds.
  Result<void> round();

  /// Notes the load of others during the last turns; after the last round.
  void finish() { note_load(); }

  std::size_t size() const { return loaded_.size(); }
  std::uint32_t rounds() const { return rounds_; }
  /// False once its process has ended.
  bool alive() const { return runtime_->alive(); }
  /// The brick whose turn it was when a round failed, if turns were taken singly(); size() if that
  /// is not known, or for a chain.
  std::size_t running() const { return running_; }
  /// From now on waits for each turn, so that a brick that ends the process can be named. Otherwise
  /// turns follow each other without a pause, as layers of a model do: after one, processors slow
  /// down and caches are lost.
  void singly() { singly_ = true; }

  /// Runs of a brick so far, without its warm-up.
  std::vector<profile::BrickRun> runs(std::size_t brick) const;
  /// Duration of whole runs of a brick, donors included, in the order of runs().
  std::vector<double> walls_ns(std::size_t brick) const;
  std::vector<profile::ChainRun> chain_runs() const;
  /// Events of all runs of a brick, those of donors included.
  std::size_t all_events(std::size_t brick) const;
  double load_ns(std::size_t brick) const { return loaded_[brick].load_ns; }

 private:
  /// Session that takes turns.
  struct Turned {
    runtime::SessionId session = 0;
    runtime::Measurement measured;
    std::size_t metered = 0;  ///< samples whose foreign load is known
    double last_ns = 0;       ///< duration of its last turn
  };
  struct Loaded : Turned {
    double load_ns = 0;
    BrickState state;
    Network network;
  };
  struct Chain : Turned {
    std::uint32_t kernels = 0;
  };
  SuiteRunner(runtime::Runtime runtime, const runtime::Options& options, std::uint64_t seed,
              std::int64_t warm_bytes);
  runtime::Plan brick_plan(bool whole) const;
  Result<void> load_chains();
  Turned& turned(std::size_t i);
  std::vector<std::size_t> draw_order();
  static std::vector<profile::BrickRun> whole_runs(const Loaded& one);
  static Result<void> take(Turned& turned, Result<runtime::Measurement> part);
  void note_load();

  std::unique_ptr<runtime::Runtime> runtime_;
  Loader reference_;  ///< for kernels that only a lower optimization level explains
  stats::Random random_;
  std::int64_t warm_bytes_ = 0;
  std::unique_ptr<runtime::LoadMeter> meter_;
  std::vector<Loaded> loaded_;
  std::array<Chain, 2> chains_;
  std::size_t running_ = 0;
  bool singly_ = false;
  std::uint32_t rounds_ = 0;
};

}  // namespace ridge::bricks
