// SPDX-License-Identifier: Apache-2.0
// The queries of a load that wait to be run in batches (scenario/batching.h).
//
//   const std::optional<scenario::Batch> batch = queue.plan(free_ns);
//   ... wait until batch->at_ns; for the queries of clients, plan again when there are news ...
//   queue.take(batch->queries, worker.taken);
//
// A schedule is known ahead, but a plan does not make use of it: a batch is closed by what is there
// at that moment. What clients ask is known when their last query is done.
//
// Thread rule: one thread at a time (the worker that has the generator's turn); answer and news
// from any.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "runtime/load/query_source.h"
#include "scenario/batching.h"

namespace ridge::runtime {

class BatchQueue {
 public:
  /// Borrows both. Queries of a closed loop without batches run one by one.
  BatchQueue(const scenario::Scenario& scenario, QuerySource& source);

  void begin(std::int64_t now_ns);
  /// The next batch for a worker that is free since then; nullopt while nothing is there.
  std::optional<scenario::Batch> plan(std::int64_t free_ns);
  /// Moves the queries of a planned batch to `out`.
  void take(const scenario::Batch& batch, std::vector<Due>& out);
  /// True if no further queries come.
  bool ended() const { return ended_ && pending_.empty(); }
  /// Queries that were due and are not issued because the load had to end.
  std::uint64_t abandoned() const { return abandoned_; }

  /// The queries of so many clients are answered.
  void answer(std::size_t clients, std::int64_t now_ns);
  /// Changes when clients have asked.
  std::uint64_t news() const { return news_.load(std::memory_order_acquire); }
  /// True if queries come from clients.
  bool has_clients() const { return clients_ > 0; }

 private:
  void draw_scheduled(std::int64_t free_ns);
  void draw_of_clients();

  QuerySource& source_;
  const scenario::Batcher batcher_;
  const std::uint32_t clients_;
  std::vector<Due> pending_;             // ascending by their due times
  std::vector<std::int64_t> due_times_;  // of these
  std::int64_t last_at_ns_ = 0;
  std::uint64_t abandoned_ = 0;
  bool ended_ = false;

  std::mutex asking_;
  std::vector<std::int64_t> asked_;  // moments at which clients asked that were not drawn yet
  std::atomic<std::uint64_t> news_ = 0;
};

}  // namespace ridge::runtime
