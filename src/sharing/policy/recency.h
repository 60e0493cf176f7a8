// SPDX-License-Identifier: Apache-2.0
// Policies that go by how long an object has been idle: least recently used, a fixed time to live,
// eager, and never. Internal to policy/.
#pragma once

#include "sharing/policy/idle_list.h"
#include "sharing/policy/tracked.h"

namespace ridge::sharing {

/// The one that has been idle for longest.
class Recency : public Tracked {
 public:
  std::optional<ObjectId> victim() const override { return idle_.front(); }

 protected:
  void on_idle(ObjectId id, Nanos, Idle) override { idle_.push_back(id); }
  void on_busy(ObjectId id) override { idle_.erase(id); }
  const IdleList& idle() const { return idle_; }

 private:
  IdleList idle_;
};

/// Nothing leaves by itself.
class Never final : public Recency {
 public:
  std::optional<ObjectId> victim() const override { return std::nullopt; }
};

/// Recency, and out after `ttl` without a lease; eager: after no time at all.
class TimeToLive final : public Recency {
 public:
  explicit TimeToLive(Nanos ttl) : ttl_(ttl) {}
  void expired(Nanos now, std::vector<ObjectId>& out) override;
  Nanos next() const override;

 private:
  void on_idle(ObjectId id, Nanos now, Idle why) override;
  Nanos end(ObjectId id) const;

  Nanos ttl_;
  std::vector<Nanos> since_;  ///< when each became idle
};

}  // namespace ridge::sharing
