// SPDX-License-Identifier: Apache-2.0
// Which object leaves a level of a cache when memory is short or its time has come. A policy is
// told what happens and decides; the owner of the level loads, counts bytes and removes.
//
//   const std::unique_ptr<Policy> policy = make_policy({.kind = PolicyKind::kGdsf});
//   policy->admitted(id, {bytes, reload}, now);       // loaded because of a request
//   policy->leased(id);                               // from here on it is no victim
//   policy->released(id, now);
//   while (used + wanted > budget) {
//     const std::optional<ObjectId> out = policy->victim();
//     if (!out) break;                                // all that is left is leased
//     policy->removed(*out), used -= bytes_of(*out);
//   }
//
// An object that is leased is never a victim and never expires, whatever its place: TrIMS frees a
// model in use where it is the first one or where all are (platform notes, section 2.4). Leases are
// counted: an object is idle again when each was released. Time never goes back. Calls about an
// object that is not in the level, and a release without a lease, change nothing.
//
// Ids are dense; a policy's memory grows with the largest. Thread rule: one thread. Cost: O(log n)
// or better for each call; of expired() and due() for each object that they list.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/units.h"

namespace ridge::sharing {

/// Given by the owner of the level: 0, 1, 2, ...
using ObjectId = std::uint32_t;

struct ObjectFacts {
  Bytes bytes{0};   ///< size in the level
  Nanos reload{0};  ///< measured time that loading it again takes
};

/// A moment that does not come.
inline constexpr Nanos kNoMoment{std::numeric_limits<std::int64_t>::max()};

class Policy {
 public:
  virtual ~Policy() = default;

  /// It is in the level now, idle. It counts as requested, unless due() has just listed it.
  virtual void admitted(ObjectId id, const ObjectFacts& facts, Nanos now) = 0;
  /// A request that found it there.
  virtual void requested(ObjectId id, Nanos now) = 0;
  virtual void leased(ObjectId id) = 0;
  virtual void released(ObjectId id, Nanos now) = 0;
  /// It is no longer there: the victim, an expired one, or one that the owner takes out.
  virtual void removed(ObjectId id) = 0;

  /// The idle object that should leave first; nullopt: none may.
  virtual std::optional<ObjectId> victim() const = 0;
  /// Appends the idle objects whose time is over, in no particular order. They stay in the level,
  /// and are listed again, until removed().
  virtual void expired(Nanos now, std::vector<ObjectId>& out) = 0;
  /// Appends objects outside the level that should be loaded now, each once. Only pre-warming does.
  virtual void due(Nanos now, std::vector<ObjectId>& out) = 0;
  /// The first moment at which expired() or due() lists something; kNoMoment: never, as it stands.
  virtual Nanos next() const = 0;
};

}  // namespace ridge::sharing
