// SPDX-License-Identifier: Apache-2.0
#include "sharing/policy/tracked.h"

#include <cstddef>

namespace ridge::sharing {

void Tracked::admitted(ObjectId id, const ObjectFacts& facts, Nanos now) {
  if (present(id)) return;
  if (id >= objects_.size()) objects_.resize(std::size_t{id} + 1);
  objects_[id] = {.present = true, .leases = 0};
  on_admitted(id, facts, now);
  on_idle(id, now, Idle::kAdmitted);
}

void Tracked::requested(ObjectId id, Nanos now) {
  if (!present(id)) return;
  on_requested(id, now);
  if (objects_[id].leases == 0) on_idle(id, now, Idle::kTouched);
}

void Tracked::leased(ObjectId id) {
  if (present(id) && objects_[id].leases++ == 0) on_busy(id);
}

void Tracked::released(ObjectId id, Nanos now) {
  if (!present(id) || objects_[id].leases == 0) return;
  if (--objects_[id].leases == 0) on_idle(id, now, Idle::kReleased);
}

void Tracked::removed(ObjectId id) {
  if (!present(id)) return;
  on_removed(id);
  if (objects_[id].leases == 0) on_busy(id);
  objects_[id] = {};
}

}  // namespace ridge::sharing
