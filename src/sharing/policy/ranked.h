// SPDX-License-Identifier: Apache-2.0
// Policies that rank objects: first in first out, least frequently used, and greedy dual by size
// and frequency. Equal ranks: the one that has been idle for longest. Internal to policy/.
#pragma once

#include <cstdint>
#include <vector>

#include "sharing/policy/rank_heap.h"
#include "sharing/policy/tracked.h"

namespace ridge::sharing {

/// The idle object of least rank.
class Ranked : public Tracked {
 public:
  std::optional<ObjectId> victim() const final { return idle_.top(); }

 protected:
  virtual double rank(ObjectId id) const = 0;
  const RankHeap& idle() const { return idle_; }

 private:
  void on_idle(ObjectId id, Nanos, Idle) final { idle_.put(id, {rank(id), ++order_}); }
  void on_busy(ObjectId id) final { idle_.erase(id); }

  RankHeap idle_;
  std::uint64_t order_ = 0;
};

/// By the order in which they came.
class Fifo final : public Ranked {
 private:
  void on_admitted(ObjectId id, const ObjectFacts& facts, Nanos now) override;
  double rank(ObjectId id) const override { return ranks_[id]; }

  std::vector<double> ranks_;
  double admissions_ = 0;
};

/// By requests since they came.
class Lfu final : public Ranked {
 private:
  void on_admitted(ObjectId id, const ObjectFacts& facts, Nanos now) override;
  void on_requested(ObjectId id, Nanos now) override;
  double rank(ObjectId id) const override { return requests_[id]; }

  std::vector<double> requests_;
};

/// GreedyDual-Size-Frequency (Cherkasova 1998, HP Laboratories HPL-98-69R1): an object's rank is
/// clock + requests x cost / size, with the clock as it was at its last request; the clock is the
/// rank of the last victim, so that what was once popular ages. The cost is the measured time of
/// loading it again.
class Gdsf final : public Ranked {
 private:
  struct Worth {
    double requests = 0, cost_per_byte = 0, rank = 0;
  };

  void on_admitted(ObjectId id, const ObjectFacts& facts, Nanos now) override;
  void on_requested(ObjectId id, Nanos now) override;
  void on_removed(ObjectId id) override;
  double rank(ObjectId id) const override { return worth_[id].rank; }
  void count_request(Worth& worth) const;

  std::vector<Worth> worth_;
  double clock_ = 0;
};

}  // namespace ridge::sharing
