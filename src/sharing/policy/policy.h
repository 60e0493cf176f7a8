// SPDX-License-Identifier: Apache-2.0
// Which object of a cache leaves when memory is short.
//
//   const auto policy = make_policy({.kind = PolicyKind::kLru});
//   policy->admitted(id, {.bytes = size, .reload = cost}, now);
//   while (too_full)
//     if (const auto victim = policy->victim()) evict(*victim);   // tells removed()
//
// One per level of a cache; it never sees who leases. Objects have dense numbers, given by the
// owner of the cache, and keep them when they leave and come back. Thread rule: one thread. Cost:
// O(log n) a call or less.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "base/units.h"
#include "sharing/record/policy_spec.h"

namespace ridge::sharing {

using ObjectId = std::uint32_t;

struct ObjectFacts {
  Bytes bytes{0};
  Nanos reload{0};  ///< measured cost of loading it again
};

/// A moment that does not come.
inline constexpr Nanos kNoMoment{std::numeric_limits<std::int64_t>::max()};

class Policy {
 public:
  virtual ~Policy() = default;
  virtual void admitted(ObjectId id, const ObjectFacts& facts, Nanos now) = 0;
  /// A hit.
  virtual void requested(ObjectId id, Nanos now) = 0;
  /// From now on it is no victim.
  virtual void leased(ObjectId id) = 0;
  /// The last lease of it has ended.
  virtual void released(ObjectId id, Nanos now) = 0;
  virtual void removed(ObjectId id) = 0;
  /// One of those that are not leased; nullopt: none may go.
  virtual std::optional<ObjectId> victim() const = 0;
  /// Appends those whose time is over; leased ones are never among them.
  virtual void expired(Nanos now, std::vector<ObjectId>& out) = 0;
  /// The first moment at which expired() lists something; kNoMoment: never, as it stands.
  virtual Nanos next() const = 0;
};

std::unique_ptr<Policy> make_policy(const PolicySpec& spec);

}  // namespace ridge::sharing
