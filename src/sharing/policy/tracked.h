// SPDX-License-Identifier: Apache-2.0
// What all policies have in common: which objects are in the level, and how many leases each has.
// A policy derives from it and is told when an object becomes idle, and when it no longer is.
//
// Internal to policy/. Thread rule and cost: as policy.h.
#pragma once

#include <cstdint>
#include <vector>

#include "sharing/policy/policy.h"

namespace ridge::sharing {

class Tracked : public Policy {
 public:
  void admitted(ObjectId id, const ObjectFacts& facts, Nanos now) final;
  void requested(ObjectId id, Nanos now) final;
  void leased(ObjectId id) final;
  void released(ObjectId id, Nanos now) final;
  void removed(ObjectId id) final;

  void expired(Nanos, std::vector<ObjectId>&) override {}
  void due(Nanos, std::vector<ObjectId>&) override {}
  Nanos next() const override { return kNoMoment; }

 protected:
  /// Why an object is idle.
  enum class Idle : std::uint8_t { kAdmitted, kReleased, kTouched };

  /// All precede on_idle() or on_busy() of the same call.
  virtual void on_admitted(ObjectId, const ObjectFacts&, Nanos) {}
  virtual void on_requested(ObjectId, Nanos) {}
  virtual void on_removed(ObjectId) {}
  /// `id` may be a victim from now on. After kTouched it was one before.
  virtual void on_idle(ObjectId id, Nanos now, Idle why) = 0;
  /// `id`, which was idle, is leased or gone.
  virtual void on_busy(ObjectId id) = 0;

 private:
  struct Presence {
    bool present = false;
    std::uint32_t leases = 0;
  };

  bool present(ObjectId id) const { return id < objects_.size() && objects_[id].present; }

  std::vector<Presence> objects_;
};

}  // namespace ridge::sharing
