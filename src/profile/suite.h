// SPDX-License-Identifier: Apache-2.0
// Processes of a suite of bricks, as recorded: bricks and chains that took turns in one process.
// Plain data; bricks/suite_runner.h records it and the store keeps it (store/store.h).
//
// A brick is identified by its key (bricks/form/form.h), so times that were recorded for one model
// stand for the same piece of any other. Raw values: disturbed runs are included, and nothing is
// corrected. Thread rule: value types.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ridge::profile {

/// One profiled run of a brick, or an unprofiled one of a brick that is a whole model.
struct BrickRun {
  std::uint32_t round = 0;       ///< from 0; runs of one round are neighbors
  std::int64_t reported_ns = 0;  ///< sum over the kernels of the piece, or duration of the run
  std::uint32_t events = 0;      ///< executions of these kernels; 0: unprofiled
  double foreign_cpus = -1;      ///< processors used by others meanwhile; negative: unknown

  bool operator==(const BrickRun&) const = default;
};

struct SuiteBrick {
  std::string key;
  std::string kind;  ///< kernels and types: bricks of one kind differ only in their sizes
  std::int64_t macs = 0;
  std::int64_t bytes = 0;    ///< read and written at least, weights included
  std::int64_t load_ns = 0;  ///< duration of the runtime's load call
  /// Reuse distance of its weights: bytes that other bricks touched between two of its runs, as
  /// planned. 0: the bytes of all other bricks.
  std::int64_t reuse_bytes = 0;
  std::vector<BrickRun> runs;  ///< ascending by round

  bool operator==(const SuiteBrick&) const = default;
};

/// One unprofiled and one profiled run, next to each other, of a chain of equal kernels. Chains
/// show the time that a run spends outside its kernels.
struct ChainRun {
  std::uint32_t kernels = 0;  ///< length of the chain
  std::uint32_t round = 0;
  std::int64_t plain_ns = 0;     ///< whole unprofiled run
  std::int64_t profiled_ns = 0;  ///< whole profiled run
  std::int64_t reported_ns = 0;  ///< sum over the kernels of the profiled run
  double foreign_cpus = -1;
  std::int64_t bytes = 0;  ///< read and written by each kernel, each tensor once

  bool operator==(const ChainRun&) const = default;
};

/// Brick that could not be measured: the runtime rejected it or its process ended.
struct LostBrick {
  std::string key;
  std::string why;

  bool operator==(const LostBrick&) const = default;
};

struct SuiteProcess {
  /// Runtime, version, options, threads and host, as JSON (bricks/run/point.h). Times of
  /// different points are not comparable.
  std::string point;
  std::int64_t recorded_s = 0;  ///< seconds since 1970, UTC
  double load_s = 0;            ///< time spent on starting the process and loading bricks
  double run_s = 0;             ///< time spent on runs
  std::vector<SuiteBrick> bricks;
  std::vector<ChainRun> chains;
  std::vector<LostBrick> lost;

  bool operator==(const SuiteProcess&) const = default;
};

}  // namespace ridge::profile
