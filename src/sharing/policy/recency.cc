// SPDX-License-Identifier: Apache-2.0
#include "sharing/policy/recency.h"

#include "base/checked.h"

namespace ridge::sharing {

void TimeToLive::on_idle(ObjectId id, Nanos now, Idle why) {
  Recency::on_idle(id, now, why);
  if (id >= since_.size()) since_.resize(std::size_t{id} + 1);
  since_[id] = now;
}

Nanos TimeToLive::end(ObjectId id) const {
  return {checked_add(since_[id].count, ttl_.count).value_or(kNoMoment.count)};
}

// The list is in the order in which objects became idle, so those that expire first are in front.
void TimeToLive::expired(Nanos now, std::vector<ObjectId>& out) {
  for (auto id = idle().front(); id && end(*id) <= now; id = idle().after(*id)) out.push_back(*id);
}

Nanos TimeToLive::next() const {
  const auto first = idle().front();
  return first ? end(*first) : kNoMoment;
}

}  // namespace ridge::sharing
