// SPDX-License-Identifier: Apache-2.0
// The load generator inside the child: issues queries by their schedule to workers that run the
// model at the same time, and records them.
//
//   Generator generator(scenario, target, prepared_inputs, log, steady_clock());
//   TRY(generator.start());                       // a thread for each worker
//   while (!generator.wait_for(100 ms)) report(generator.progress());
//   const LoadResult result = generator.result();
//
// No thread issues for others: a worker that is free takes the next query itself, waits for its
// moment (asleep, and for the last part awake, so that it is not late), runs it, records it, and
// asks again. So nothing is handed from thread to thread between a query's due time and its run,
// and a query that is due while all workers are busy waits as in any queue, first come, first
// served. Of several free workers one waits for the next moment, another one is awake when it
// comes, for a query right behind, and the others sleep.
//
//   workers      1        2
//   due_ns 0   waits    waits for 1
//   due_ns 5   runs     waits              query 1 was due at 5
//   due_ns 6   runs     takes query 2      due at 6
//   due_ns 9   takes query 3, which was due at 7: latency counts from 7
//
// Clients that wait for their answers, and the samples of an offline load, are not kept from each
// other: a worker draws as many queries as it runs in 20 us.
//
// With batches (scenario/batching.h) the worker that has the turn waits until its batch is closed,
// runs the queries of it together, and records each with its own due time. In a closed loop of more
// clients than workers their queries wait for a worker.
//
// Thread rule: start, wait_for and result from one thread. Errors of runs end the load, except that
// errors of the model's input (RIDGE_INPUT) mark the query as failed (all queries of its batch),
// which goes on.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "runtime/load.h"
#include "runtime/load/batch_queue.h"
#include "runtime/load/due_time.h"
#include "runtime/load/query_log.h"
#include "runtime/load/query_source.h"
#include "scenario/scenario.h"

namespace ridge::runtime {

/// One caller of the model.
class WorkerTarget {
 public:
  virtual ~WorkerTarget() = default;
  /// Runs the model on a prepared set of inputs.
  virtual Result<void> run(std::uint32_t prepared) = 0;
  /// Runs the model once on several sets as a batch of `size`; of fewer the last one is repeated.
  virtual Result<void> run_batch(std::span<const std::uint32_t> prepared_inputs,
                                 std::uint32_t size);
  /// Keeps the outputs of the last run, which has this number (Scenario::kept).
  virtual Result<void> keep(std::uint64_t run) = 0;
};

class LoadTarget {
 public:
  virtual ~LoadTarget() = default;
  /// Called before the load, from the thread that owns the generator.
  virtual Result<std::unique_ptr<WorkerTarget>> open_worker() = 0;
  virtual bool canceled() const = 0;
};

class Generator {
 public:
  /// `samples`: how many sets of inputs each model has, numbered one after the other; a query of
  /// several samples runs as many of them.
  Generator(const scenario::Scenario& scenario, LoadTarget& target,
            std::vector<std::uint32_t> samples, QueryLog& log, const Clock& clock);
  ~Generator();

  /// Warms the workers up and starts them.
  Result<void> start();
  /// True if the load has ended.
  bool wait_for(Nanos time);
  /// Queries done so far.
  std::uint64_t progress() const;
  /// After the end.
  const LoadResult& result() const { return result_; }

 private:
  struct alignas(128) Worker {
    Worker(std::unique_ptr<WorkerTarget> to, QueryLog::Writer writer)
        : target(std::move(to)), log(writer) {}
    std::unique_ptr<WorkerTarget> target;
    QueryLog::Writer log;
    std::int64_t last_done_ns = 0;
    std::vector<Due> drawn;     // ahead, the next one last
    std::size_t ahead = 1;      // as many at a time
    std::int64_t drawn_ns = 0;  // when they were
    std::vector<Due> taken;     // to be run now
    std::uint32_t batch = 0;    // as one batch of this size; 0: one by one
    std::vector<std::uint32_t> prepared_inputs;
    std::atomic<std::uint64_t> done = 0;
  };

  std::int64_t now() const { return clock_.now().count; }
  Result<void> warm_up(Worker& worker);
  void serve(Worker& worker);
  bool take(Worker& worker);
  std::unique_lock<std::mutex> scheduled_turn();
  bool take_scheduled(Worker& worker);
  bool take_own(Worker& worker);
  bool take_batch(Worker& worker);
  void draw_ahead(Worker& worker);
  bool run(Worker& worker);
  bool record(Worker& worker, bool failed);
  Result<void> run_taken(Worker& worker);
  Result<void> run_sample(Worker& worker, const Due& due, std::uint32_t i);
  bool wait_until(std::int64_t due_ns, std::optional<std::uint64_t> news = {});
  void fail(Error error);

  const scenario::Scenario scenario_;
  LoadTarget& target_;
  const std::vector<std::uint32_t> samples_;
  QueryLog& log_;
  const Clock& clock_;

  std::mutex turn_;  // the worker that has it draws queries, and waits for the next one
  Waiter waiter_;    // of that worker
  std::atomic<std::int64_t> awaited_ns_ = 0;  // the moment that it waits for, of a server
  std::mutex line_;                           // the worker that has it takes the turn next
  Waiter first_waiter_;                       // of that worker
  std::optional<QuerySource> source_;
  std::optional<BatchQueue> queue_;  // with batches, or with more clients than workers
  bool closed_ = false;              // no more queries

  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::thread> threads_;
  std::atomic<bool> stop_ = false;
  std::mutex ending_;
  std::condition_variable ended_;
  std::size_t running_ = 0;
  LoadResult result_;
};

}  // namespace ridge::runtime
