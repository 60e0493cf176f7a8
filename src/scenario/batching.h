// SPDX-License-Identifier: Apache-2.0
// Which queries a worker runs together (dynamic batching): a decision from the moments at which
// queries arrive, made without a clock.
//
//   const Batcher batcher({.most = 8, .wait = Nanos{2'000'000}});
//   const Batch b = batcher.close(due_times, free_ns);   // b.queries of them, to be run at b.at_ns
//
// The policy follows the batchers of Triton (dynamic_batching: max_queue_delay_microseconds,
// preferred_batch_size) and of TensorFlow Serving (max_batch_size, batch_timeout_micros,
// allowed_batch_sizes): a batch is closed as soon as `most` queries are there, or `wait` after the
// first of them arrived, and not before a worker is free. A first query that has waited that long
// behind others is not kept any longer.
//
//   most 4, wait 10   queries at 0 3 5 6 | 20 24 | 50 51 52 53 54
//   a worker is free at 0, then at 8, 40, 60: closed at 6 with 4, at 30 with 2, at 53 with 4
//
// A batch has one of the stated sizes: the largest that is full. What is beyond it stays in the
// queue, where it is the first of the next batch. Of five queries and the sizes 1, 2, 4, 8 four
// run, and one is left. Running eight with three of them padded would be one run in place of two,
// but on processors the time of a run grows nearly as its samples do, so that padding costs as much
// as queries do, and those that are left may go with queries that come meanwhile. Only fewer
// queries than the smallest size are padded, by repeating the last one. Where that is wrong (a
// GPU), state fewer sizes.
//
// Thread rule: immutable. Errors: usage class (RIDGE-SCEN-0102). Cost: O(most) per batch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace ridge::scenario {

struct Batching {
  std::uint32_t most = 1;  ///< queries in a batch
  Nanos wait{0};           ///< how long the first query waits for others
  /// Sizes of batches that can be run, ascending, `most` the last; empty: powers of two, `most`.
  std::vector<std::uint32_t> sizes;
};

inline constexpr std::uint32_t kMaxInBatch = 1024;

/// The sizes as stated, or 1, 2, 4, ... and `most`.
std::vector<std::uint32_t> sizes_of(const Batching& batching);

Result<void> check(const Batching& batching);

struct Batch {
  std::int64_t at_ns = 0;     ///< when it is to be run
  std::uint32_t queries = 0;  ///< the first so many
  std::uint32_t size = 0;     ///< samples of the run; more than queries if padded
};

class Batcher {
 public:
  explicit Batcher(const Batching& batching) : batching_(batching), sizes_(sizes_of(batching)) {}

  /// The next batch, of queries that arrive at `moments` (ascending, not empty; those after the
  /// first `most` do not matter), for a worker that is free at `free_ns`. If further queries can
  /// arrive before `at_ns`, it has to be asked again with them.
  Batch close(std::span<const std::int64_t> due_times, std::int64_t free_ns) const;

  std::uint32_t most() const { return batching_.most; }

 private:
  Batching batching_;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace ridge::scenario
