// SPDX-License-Identifier: Apache-2.0
// Runs the bricks of a suite in turns in one process: every round runs each of them once, in an
// order drawn anew, so that a brick finds caches and memory as the other bricks leave them, as a
// layer does behind the other layers of its model.
//
//   SuiteRunner runner = TRY(SuiteRunner::start(options));
//   for (const Source& brick : sources) TRY(runner.load(brick));
//   while (...) TRY(runner.round());
//   runner.runs(0, 0)                     // of the first brick, in order of time
//   runner.chain_runs()                   // what a run spends outside its kernels
//
// In ONNX Runtime, `options` should have the entry session.use_env_allocators = 1: sessions then
// take their memory from one arena, as the layers of one model do. With an arena for each, the
// layers of MobileNetV2 took a fifth longer.
//
// Bricks with a reuse distance (suite_times.h) follow the others, in batches that touch so many
// bytes together. In every fourth round a batch runs several times in the same order, so that
// between two runs of a brick that many bytes are touched, as in a model that runs again and
// again. The last four runs count: before them, caches adapt. Where the bricks of a distance touch
// fewer bytes, such as the bricks of a model that repeats a few layers, ballast runs among them:
// kernels that read memory which nothing else uses. Bricks with large weights have batches of their
// own (batches.h).
//
// The activations of a model are spread over its memory: a kernel writes where something else was
// many kernels ago. Those of bricks would all lie at the beginning of the shared arena, which is in
// the near caches. So each run takes a block of random size from the arena before it, up to the
// bytes of the tensors that are alive in the model at that layer (runtime: arena_reach). Without
// it, six networks on an Intel Xeon were 4.0 % too short in the mean.
//
// A small brick without weights, such as the product of two short vectors, runs twice in
// succession, and the second run counts: a model runs the same code at every occurrence, and what
// is small is in the near caches. (With cold code the 500 such kernels of llama_decode took 9 us
// instead of 2.)
//
// Whole models (whole.h) come last. Each takes forty turns in succession, without profiling, of
// which the second half counts.
//
// A run is profiled, and the kernels that stand for the piece make its time: donors run before and
// after them and do not count. Runs in which other programs had the processor are marked with their
// load; the caller drops them. Chains of equal kernels, of two lengths and two sizes of tensors,
// take turns with the bricks: they measure the cost of events and the time outside kernels
// (brick_times.h).
//
// Thread rule: one thread. Errors: the runtime's.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "base/result.h"
#include "bricks/batches.h"
#include "bricks/loader.h"
#include "bricks/network.h"
#include "profile/suite.h"
#include "runtime/load_meter.h"
#include "runtime/runtime.h"
#include "stats/random.h"

namespace ridge::bricks {

/// Ways of running a brick.
struct BrickState {
  bool whole = false;  ///< measured by its runs
  /// Reuse distances at which it runs, each once (profile::SuiteBrick::reuse_bytes).
  std::vector<std::int64_t> reuse_bytes = {0};
  std::int64_t live_bytes = 0;  ///< Wanted::live_bytes
  std::int64_t far_bytes = 0;   ///< Wanted::far_bytes
};

class SuiteRunner {
 public:
  /// Starts the process and loads the chains.
  static Result<SuiteRunner> start(const runtime::Options& options, std::uint64_t seed = 1);

  /// Loads a brick and runs it a few times; its position in runs(). `network`: network() of an
  /// earlier process, which saves finding out its kernels again. Errors: the runtime rejects it, or
  /// there is too little memory.
  Result<std::size_t> load(const analysis::Resolved& brick, const BrickState& state = {},
                           std::shared_ptr<const Network> network = nullptr);
  /// The kernels of a brick.
  const std::shared_ptr<const Network>& network(std::size_t brick) const {
    return loaded_[brick].network;
  }
  /// Runs every brick once, those with a reuse distance several times in every fourth round, whole
  /// models forty times. After an error there are no further rounds.
  Result<void> round();

  /// Notes the load of others during the last turns; after the last round.
  void finish() { note_load(); }

  std::size_t size() const { return loaded_.size(); }
  std::uint32_t rounds() const { return rounds_; }
  /// Kernels that make up for bytes; loaded with the first round.
  std::size_t ballast() const { return ballast_.size(); }
  /// False once its process has ended.
  bool alive() const { return runtime_->alive(); }
  /// The brick whose turn it was when a round failed, if turns were taken singly(); size() if that
  /// is not known, or for a chain.
  std::size_t running() const { return running_; }
  /// From now on waits for each turn, so that a brick that ends the process can be named. Otherwise
  /// turns follow each other without a pause, as layers of a model do: after one, processors slow
  /// down and caches are lost.
  void singly() { singly_ = true; }

  /// Runs of a brick at a reuse distance so far that count.
  std::vector<profile::BrickRun> runs(std::size_t brick, std::int64_t reuse_bytes) const;
  /// Duration of whole runs of a brick, donors included, in the order of runs().
  std::vector<double> walls_ns(std::size_t brick, std::int64_t reuse_bytes) const;
  std::vector<profile::ChainRun> chain_runs() const;
  double load_ns(std::size_t brick) const { return loaded_[brick].load_ns; }

 private:
  /// Session that takes turns.
  struct Turned {
    runtime::SessionId session = 0;
    runtime::Measurement measured;
    std::size_t metered = 0;  ///< samples whose foreign load is known
    double last_ns = 0;       ///< duration of its last turn
  };
  /// Reason for a turn of a brick.
  struct Purpose {
    std::int64_t reuse_bytes = 0;
    std::optional<std::uint32_t> round;  ///< nullopt: it does not count
  };
  struct Loaded : Turned {
    double load_ns = 0;
    bool whole = false;
    BrickBytes bytes;
    std::uint32_t repeats = 1;      ///< runs in succession of which the last counts
    std::vector<Purpose> purposes;  ///< by turn
    std::shared_ptr<const Network> network;
  };
  struct Turn {
    std::size_t of = 0;  ///< argument of turned()
    Purpose purpose;
  };
  struct Chain : Turned {
    std::uint32_t kernels = 0;
    std::int64_t bytes = 0;  ///< profile::ChainRun::bytes
  };
  struct Ballast : Turned {
    std::int64_t reuse_bytes = 0;  ///< distance at which it runs
    std::size_t batching = 0;      ///< position in batchings_ of that distance
  };
  SuiteRunner(runtime::Runtime runtime, const runtime::Options& options, std::uint64_t seed);
  runtime::Plan brick_plan(bool whole) const;
  Result<void> load_chains();
  Result<void> load_ballast();
  Turned& turned(std::size_t i);
  std::vector<Turn> draw_order();
  void append_batches(std::int64_t reuse_bytes, std::size_t batching, std::vector<Turn>& order);
  static std::vector<profile::BrickRun> whole_runs(const Loaded& one);
  static Result<void> take(Turned& turned, Result<runtime::Measurement> part);
  void note_load();

  std::unique_ptr<runtime::Runtime> runtime_;
  Loader reference_;  ///< for kernels that only a lower optimization level explains
  stats::Random random_;
  std::unique_ptr<runtime::LoadMeter> meter_;
  std::vector<Loaded> loaded_;
  std::map<std::int64_t, std::vector<std::size_t>> bricks_at_;  ///< by reuse distance
  std::map<std::int64_t, std::vector<Batching>>
      batchings_;  ///< by reuse distance; from the first round on
  std::vector<std::size_t> wholes_;
  std::vector<Chain> chains_;
  std::vector<Ballast> ballast_;
  std::size_t running_ = 0;
  bool singly_ = false;
  std::uint32_t rounds_ = 0;
};

}  // namespace ridge::bricks
