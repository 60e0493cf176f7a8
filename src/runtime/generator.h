// The load generator inside the child: issues queries by their schedule to lanes that run the model
// at the same time, and records them.
//
//   Generator generator(scenario, target, feeds, log, steady_clock());
//   TRY(generator.start());                       // a thread for each lane
//   while (!generator.wait_for(100 ms)) report(generator.progress());
//   const LoadResult result = generator.result();
//
// No thread issues for others: a lane that is free takes the next query itself, waits for its
// moment (asleep, and for the last part awake, so that it is not late), runs it, records it, and
// asks again. So nothing is handed from thread to thread between a query's moment and its run, and
// a query that is due while all lanes are busy waits as in any queue, first come, first served. Of
// several free lanes one waits for the next moment, the others for that one.
//
//   lanes      1        2
//   moment 0   waits    waits for 1
//   moment 5   runs     waits              query 1 was due at 5
//   moment 6   runs     takes query 2      due at 6
//   moment 9   takes query 3, which was due at 7: latency counts from 7
//
// Thread rule: start, wait_for and result from one thread. Errors of runs end the load, except that
// those of the model's input (RIDGE_INPUT) mark the query as failed, which goes on.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "runtime/load.h"
#include "runtime/query_log.h"
#include "scenario/scenario.h"
#include "stats/random.h"

namespace ridge::runtime {

/// One caller of the model.
class LaneTarget {
 public:
  virtual ~LaneTarget() = default;
  /// Runs the model on a prepared set of inputs.
  virtual Result<void> run(std::uint32_t feed) = 0;
  /// Keeps the outputs of the last run, which has this number (Scenario::kept).
  virtual Result<void> keep(std::uint64_t run) = 0;
};

class LoadTarget {
 public:
  virtual ~LoadTarget() = default;
  /// Called before the load, from the thread that owns the generator.
  virtual Result<std::unique_ptr<LaneTarget>> open_lane() = 0;
  virtual bool canceled() const = 0;
};

class Generator {
 public:
  /// `feeds`: how many sets of inputs there are; a query of several samples runs as many of them.
  Generator(const scenario::Scenario& scenario, LoadTarget& target, std::uint32_t feeds,
            QueryLog& log, const Clock& clock);
  ~Generator();

  /// Warms the lanes up and starts them.
  Result<void> start();
  /// True if the load has ended.
  bool wait_for(Nanos time);
  /// Queries done so far.
  std::uint64_t progress() const { return done_.load(std::memory_order_relaxed); }
  /// After the end.
  const LoadResult& result() const { return result_; }

 private:
  struct Due {
    std::int64_t moment_ns = 0;
    std::uint32_t sample = 0;
    std::uint32_t late_ns = 0;
    std::int64_t issued_ns = 0;
    std::uint64_t number = 0;
  };
  struct Lane {
    std::unique_ptr<LaneTarget> target;
    QueryLog::Writer log;
    std::int64_t last_done_ns = 0;
  };

  std::int64_t now() const { return clock_.now().count; }
  void serve(Lane& lane);
  bool run_query(Lane& lane, const Due& due);
  std::optional<Due> next(Lane& lane);
  std::optional<std::int64_t> moment(const Lane& lane);
  bool may_go_on(std::int64_t moment_ns) const;
  Result<void> run_sample(Lane& lane, const Due& due, std::uint32_t i);
  void abandon(std::int64_t from_ns);
  bool wait_until(std::int64_t moment_ns) const;
  std::uint32_t draw_sample();
  void fail(Error error);

  const scenario::Scenario scenario_;
  LoadTarget& target_;
  const std::uint32_t feeds_;
  std::unique_ptr<scenario::Arrivals> arrivals_;  // of a server
  QueryLog& log_;
  const Clock& clock_;

  std::mutex turn_;  // the lane that has it waits for the next query
  std::uint64_t scheduled_ = 0;
  std::int64_t last_after_ns_ = 0;  // moment of the last query, from the beginning
  std::uint32_t in_turn_ = 0;
  stats::Random random_;
  bool closed_ = false;  // no more queries

  std::vector<Lane> lanes_;
  std::vector<std::thread> threads_;
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex ending_;
  std::condition_variable ended_;
  std::size_t running_ = 0;
  LoadResult result_;
};

}  // namespace ridge::runtime
