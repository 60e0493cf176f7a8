// SPDX-License-Identifier: Apache-2.0
// Pushes the traces of runs that jobs of the server store to a collector, by OTLP over HTTP.
//
//   TracePusher pusher(collector, stores, jobs, [](const Error& e) { print(e.text("warning")); });
//   const store::RunId before = TRY(pusher.last_run());
//   pusher.watch(TRY(jobs.start(request)).id, before);
//   pusher.metrics();
//
// The runs of a job are those that come into the store while it runs, measured on this machine;
// each is pushed once it is stored, as `ridge export --to otlp` writes it, a batch of 512 spans a
// request. What is given up, rejected, or not yet pushed when the object ends is told by `warn`
// and counted. Ownership: borrows the stores and the jobs, which outlive it. Thread rule: any
// thread; `warn` is called from a thread of the object, and by its end.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "lab/serve/jobs.h"
#include "lab/serve/push/collector.h"
#include "lab/serve/stores.h"
#include "profile/profile.h"

namespace ridge::lab::serve {

using Warn = std::function<void(const Error&)>;

class TracePusher {
 public:
  TracePusher(Collector collector, StorePool& stores, Jobs& jobs, Warn warn);
  TracePusher(const TracePusher&) = delete;
  TracePusher& operator=(const TracePusher&) = delete;
  ~TracePusher();

  /// Id of the newest run; 0: none.
  Result<store::RunId> last_run() const;
  /// `before`: last_run() before the job was started.
  void watch(std::int64_t job, store::RunId before);
  /// OpenMetrics.
  std::string metrics() const;

 private:
  /// A job whose runs are those after one run, up to another once the next job starts.
  struct Watched {
    std::int64_t job = 0;
    store::RunId after = 0;
    store::RunId until = std::numeric_limits<store::RunId>::max();
  };

  void push_until_stopped();
  bool look(Watched& watched);
  store::RunId last_of_first();
  Result<std::vector<store::RunId>> new_runs(const Watched& watched) const;
  bool push(store::RunId id);
  bool push(store::RunId id, const profile::Profile& run);
  void give_up(store::RunId id, const std::string& why);

  const Collector collector_;
  StorePool& stores_;
  Jobs& jobs_;
  const Warn warn_;
  const std::string host_;
  std::atomic<bool> stopped_ = false;
  std::atomic<std::uint64_t> pushed_{0}, failed_{0}, rejected_spans_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Watched> watched_;  ///< oldest first
  std::thread thread_;
};

}  // namespace ridge::lab::serve
