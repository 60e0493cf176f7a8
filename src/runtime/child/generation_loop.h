// SPDX-License-Identifier: Apache-2.0
// The loop of a generation inside the child: requests by their schedule to clients that each run
// one at a time, and the record of their steps.
//
//   GenerationLoop loop(plan, target, log, steady_clock());
//   TRY(loop.start());                                 // a thread for each client
//   while (!loop.wait_for(100 ms)) report(loop.progress());
//   const GenerationResult result = loop.result();
//
// A client that is free takes the next request, waits for its due time if requests have moments,
// and runs it to its end. Thread rule: start, wait_for and result from one thread. Errors of runs
// end the generation, except that errors of the model's input mark their request as failed.
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
#include "runtime/child/decoder.h"
#include "runtime/generation.h"
#include "runtime/load/due_time.h"
#include "runtime/load/generation_log.h"

namespace ridge::runtime {

class GenerationTarget {
 public:
  virtual ~GenerationTarget() = default;
  /// Called before the loop, from the thread that owns it.
  virtual Result<std::unique_ptr<TokenSource>> open() = 0;
  virtual bool canceled() const = 0;
};

class GenerationLoop {
 public:
  GenerationLoop(const GenerationPlan& plan, GenerationTarget& target, GenerationLog& log,
                 const Clock& clock)
      : plan_(plan), target_(target), log_(log), clock_(clock) {}
  ~GenerationLoop();

  /// Warms the clients up and starts them.
  Result<void> start();
  /// True if the generation has ended.
  bool wait_for(Nanos time);
  /// Tokens so far, of all sequences.
  std::uint64_t progress() const { return tokens_.load(std::memory_order_relaxed); }
  /// After the end.
  const GenerationResult& result() const { return result_; }

 private:
  struct Taken {
    std::uint32_t request = 0;
    std::int64_t scheduled_ns = 0;
  };

  void serve(TokenSource& source);
  std::optional<Taken> next(std::int64_t free_ns);
  Result<void> generate(TokenSource& source, const Taken& taken);
  Result<void> warm_up(TokenSource& source);
  bool wait_until(std::int64_t due_ns);
  std::int64_t now() const { return clock_.now().count; }
  bool ends() const { return stop_.load(std::memory_order_relaxed) || target_.canceled(); }

  const GenerationPlan& plan_;
  GenerationTarget& target_;
  GenerationLog& log_;
  const Clock& clock_;
  std::vector<std::unique_ptr<TokenSource>> sources_;
  std::vector<std::thread> threads_;
  std::mutex turn_;  // of the worker that takes a request, and waits for its due time
  Waiter waiter_;
  std::uint32_t taken_ = 0;
  std::atomic<std::uint64_t> tokens_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex ending_;
  std::condition_variable ended_;
  std::size_t running_ = 0;
  GenerationResult result_;
};

}  // namespace ridge::runtime
