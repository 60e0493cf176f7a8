// SPDX-License-Identifier: Apache-2.0
// The table of a daemon: which objects are there, who leases them, who waits for them. Pure state:
// it is told what happens, and says what follows from it.
//
//   Leases table({.memory = {Bytes{4'000}, make_policy({})}, ...});
//   table.ask({.key = "3f..", .level = Level::kMemory, .expected = size}, {client, ask, ...}, now);
//   for (const Effect& e : table.take_effects()) ...    // kLoad: start it; kGranted: answer
//   table.loaded(object, size, duration, now);           // once it has ended
//
// What holds after every call (leases_test.cc, against a naive model): an object that is leased or
// pinned is never evicted; the objects of a level, loads and those that leave included, take no
// more than its budget; an object is loaded once, however many ask; all who wait for a load are
// answered when it ends; a client that is gone has no lease and waits for nothing.
//
// States: absent -> loading -> ready -> evicting -> absent, and loading -> absent where a load
// fails. A load that waits for memory of objects that leave is loading, and not begun yet.
//
// Ownership: owns the policies. Thread rule: one thread. Cost: O(log n) a call; client_gone() and
// lost() besides look at the leases and loads that there are.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/units.h"
#include "sharing/policy/policy.h"
#include "sharing/record/messages.h"

namespace ridge::sharing {

using ClientId = std::uint64_t;

struct ObjectRef {
  Level level = Level::kMemory;
  ObjectId id = 0;
  bool operator==(const ObjectRef&) const = default;
};

/// An object that is asked for. `expected`: bytes that it takes at most.
struct Wanted {
  std::string key;
  Level level = Level::kMemory;
  Bytes expected{0};
};

/// A client that asks, and its aim.
struct Asker {
  enum class Aim : std::uint8_t { kLease, kPin };
  ClientId client = 0;
  std::uint64_t ask = 0;
  Aim aim = Aim::kLease;
  bool wait = false;  ///< until its load has ended
};

/// Something that the owner of the table has to do.
struct Effect {
  enum class Kind : std::uint8_t {
    kLoad,     ///< start to load `object`; tell loaded() or load_failed()
    kEvict,    ///< free `object`; tell gone()
    kGranted,  ///< answer `client`: it has `lease` of `object`
    kPinned,   ///< answer `client`: `object` is pinned
    kLater,    ///< answer `client`: it has to load by itself, because of `why`
    kFailed,   ///< answer `client`: the load of `object` failed
  };
  Kind kind = Kind::kLoad;
  ObjectRef object;
  ClientId client = 0;
  std::uint64_t ask = 0;
  LeaseId lease = 0;
  Why why = Why::kMiss;
  bool hit = false;
};

enum class Evicted : std::uint8_t { kDone, kAbsent, kLoading, kLeased, kPinned, kLeaving };

class Leases {
 public:
  /// Leases of one client, and its questions that wait, at most.
  static constexpr std::size_t kMostOfClient = 10'000;
  /// Objects of a level that are remembered, so that one that comes back keeps its number, by which
  /// policies know it.
  static constexpr std::size_t kMostObjects = 65'536;

  struct LevelSetup {
    Bytes budget{0};
    std::unique_ptr<Policy> policy;
  };
  struct Setup {
    LevelSetup memory, templates;
  };
  explicit Leases(Setup setup);

  void ask(const Wanted& wanted, const Asker& asker, Nanos now);
  /// `bytes`: what it takes; more than was expected stays only if there is room.
  void loaded(ObjectRef object, Bytes bytes, Nanos reload, Nanos now);
  void load_failed(ObjectRef object);
  /// The memory of an object that was to be freed is free.
  void gone(ObjectRef object);
  /// An object that was ready has ended by itself; leases of it are over.
  void lost(ObjectRef object);
  /// False if the client has no such lease.
  bool release(ClientId client, LeaseId lease, Nanos now);
  void client_gone(ClientId client, Nanos now);
  /// False if it is not pinned.
  bool unpin(std::string_view key, Level level, Nanos now);
  Evicted evict(std::string_view key, Level level);
  struct Flushed {
    std::uint64_t evicted = 0, spared = 0;
  };
  Flushed flush();
  /// Evicts what the policies keep no longer.
  void expire(Nanos now);

  /// Effects since the last call, in their order.
  std::vector<Effect> take_effects();

  struct Object {
    std::string key = {};
    State state = State::kAbsent;
    bool begun = false;  ///< a load that does not wait for memory any more
    Bytes bytes{0};
    Nanos reload{0};
    std::uint64_t leases = 0, hits = 0;
    bool pinned = false;
    std::vector<Asker> waiting = {};

    bool held() const { return leases > 0 || pinned; }
  };
  const Object& object(ObjectRef ref) const;
  std::optional<ObjectRef> find(std::string_view key, Level level) const;
  Bytes used(Level level) const { return room(level).used; }
  Bytes budget(Level level) const { return room(level).budget; }
  std::size_t lease_count() const { return leases_.size(); }
  bool any_pinned() const { return pinned_ > 0; }
  /// Whether all objects are absent.
  bool empty() const;
  /// When expire() has something to do; kNoMoment: never, as it stands.
  Nanos next_expiry() const;
  /// use(ObjectRef, const Object&)
  template <typename Use>
  void each(Use use) const {
    for (const Level level : kLevels) {
      const std::vector<Object>& objects = room(level).objects;
      for (ObjectId id = 0; id < objects.size(); ++id)
        if (objects[id].state != State::kAbsent) use(ObjectRef{level, id}, objects[id]);
    }
  }

 private:
  /// Looks up views without making strings.
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  struct Room {
    Bytes budget{0};
    Bytes used{0};       ///< objects, begun loads, and what leaves
    Bytes leaving{0};    ///< the last of these
    Bytes promised{0};   ///< loads that have not begun
    Bytes evictable{0};  ///< objects that are ready and not held
    std::unique_ptr<Policy> policy;
    std::vector<Object> objects;
    std::size_t present = 0;  ///< objects that are not absent
    std::unordered_map<std::string, ObjectId, TextHash, std::equal_to<>> by_key;
    std::deque<ObjectId> for_memory;  ///< loads that have not begun
  };
  struct Lease {
    ClientId client = 0;
    ObjectRef object;
  };

  Room& room(Level level) { return rooms_[static_cast<std::size_t>(level)]; }
  const Room& room(Level level) const { return rooms_[static_cast<std::size_t>(level)]; }
  Object& at(ObjectRef ref) { return room(ref.level).objects[ref.id]; }

  void later(const Asker& asker, ObjectRef object, Why why);
  void ask_present(ObjectRef ref, const Asker& asker, Nanos now);
  void ask_absent(const Wanted& wanted, const Asker& asker);
  std::optional<ObjectId> place_for(Room& room, const std::string& key);
  bool clear(Room& room, Level level, Bytes bytes);
  void begin_loads(Level level);
  void serve(ObjectRef ref, const Asker& asker, bool hit);
  void wait(Object& object, const Asker& asker);
  std::vector<Asker> take_waiting(Object& object);
  void hold(ObjectRef ref);
  void unhold(ObjectRef ref, Nanos now);
  void start_eviction(ObjectRef ref);
  void forget(ObjectRef ref);
  void drop(std::unordered_map<LeaseId, Lease>::iterator lease, Nanos now);
  void count_of(ClientId client, int change);
  bool has_many(ClientId client) const;

  std::array<Room, kLevels.size()> rooms_;
  std::unordered_map<LeaseId, Lease> leases_;
  std::unordered_map<ClientId, std::size_t> counts_;  ///< leases and questions that wait
  LeaseId next_lease_ = 1;
  std::size_t pinned_ = 0;  ///< number of pinned objects
  std::vector<Effect> effects_;
};

}  // namespace ridge::sharing
