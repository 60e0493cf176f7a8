// SPDX-License-Identifier: Apache-2.0
// Keep-alive by each object's own idle times (idle_histogram.h), with pre-warming where the spec
// asks for it. When memory is short, the object that would leave first is the victim. What is known
// of an object outlives its stay. Internal to policy/.
#pragma once

#include <vector>

#include "sharing/policy/idle_histogram.h"
#include "sharing/policy/rank_heap.h"
#include "sharing/policy/tracked.h"

namespace ridge::sharing {

class KeepAlive final : public Tracked {
 public:
  explicit KeepAlive(const HistogramSpec& spec) : spec_(spec) {}

  std::optional<ObjectId> victim() const override { return ends_.top(); }
  void expired(Nanos now, std::vector<ObjectId>& out) override;
  void due(Nanos now, std::vector<ObjectId>& out) override;
  Nanos next() const override;

 private:
  struct History {
    IdleHistogram idle;
    Nanos ended = kNoMoment;   ///< end of the last lease; kNoMoment: none yet
    Nanos end{0};              ///< until when it is kept
    Nanos warmed = kNoMoment;  ///< moment at which due() listed it
  };

  void on_admitted(ObjectId id, const ObjectFacts& facts, Nanos now) override;
  void on_requested(ObjectId id, Nanos now) override;
  void on_idle(ObjectId id, Nanos now, Idle why) override;
  void on_busy(ObjectId id) override { ends_.erase(id); }
  void count_idle(History& history, Nanos now);
  /// Plans what follows the end of a lease.
  void plan(ObjectId id, History& history, Nanos now);

  HistogramSpec spec_;
  std::vector<History> histories_;
  RankHeap ends_, warmings_;  ///< idle objects by their end; objects by when they are loaded again
  std::uint64_t order_ = 0;
};

}  // namespace ridge::sharing
