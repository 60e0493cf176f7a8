// SPDX-License-Identifier: Apache-2.0
// A second implementation of the table of leases, as plain as can be: lists that are searched, sums
// that are added anew each time, the least recently used by comparing. And random events for both.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "sharing/run/leases.h"

namespace ridge::sharing::testing {

struct LeaseEvent {
  enum class Kind : std::uint8_t {
    kAsk,
    kLoaded,
    kFailed,
    kGone,
    kLost,
    kRelease,
    kClientGone,
    kUnpin,
    kEvict,
    kFlush,
  };
  Kind kind = Kind::kAsk;
  Level level = Level::kMemory;
  std::string key = {};
  std::int64_t bytes = 0;
  ClientId client = 0;
  std::uint64_t ask = 0;
  LeaseId lease = 0;
  bool wait = false, pin = false;

  std::string text() const;
};

/// "grant c1 q9 l1 memory a hit"
std::string text_of(const Effect& effect, const std::string& key);

/// Plays an event to the table; its effects, sorted after a flush.
std::vector<std::string> play(const LeaseEvent& event, Leases& table);

/// Objects with their states, and sums.
std::string summary(const Leases& table);

class NaiveLeases {
 public:
  explicit NaiveLeases(std::int64_t budget) : budget_(budget) {}

  std::vector<std::string> play(const LeaseEvent& event);
  std::string summary() const;
  /// A rule that does not hold; "" if all do.
  std::string fault() const;

  struct Waiter {
    ClientId client = 0;
    std::uint64_t ask = 0;
    bool pin = false;
  };
  struct Object {
    Level level = Level::kMemory;
    std::string key;
    State state = State::kAbsent;
    bool begun = false, pinned = false;
    std::int64_t bytes = 0;
    std::uint64_t used = 0;   ///< stamp of the last use
    std::uint64_t order = 0;  ///< number of its load
    std::vector<Waiter> waiters;
  };
  struct Lease {
    LeaseId id = 0;
    ClientId client = 0;
    Level level = Level::kMemory;
    std::string key;
  };
  const std::vector<Object>& objects() const { return objects_; }
  const std::vector<Lease>& leases() const { return leases_; }

 private:
  Object* find(Level level, const std::string& key);
  bool held(const Object& object) const;
  void serve(Object& object, const Waiter& waiter, bool hit);
  void later(ClientId client, std::uint64_t ask, Why why);
  void ask(const LeaseEvent& event);
  void loaded(const LeaseEvent& event);
  void begin(Level level);
  void evict(Object& object);
  void remove(Level level, const std::string& key);
  void release(LeaseId lease);

  std::int64_t budget_;
  std::vector<Object> objects_;  ///< all that are not absent
  std::vector<Lease> leases_;
  std::uint64_t stamp_ = 0, orders_ = 0;
  LeaseId next_lease_ = 1;
  std::vector<std::string> out_;
};

/// Events that fit the state.
class RandomEvents {
 public:
  explicit RandomEvents(std::uint64_t seed) : random_(seed) {}
  LeaseEvent next(const NaiveLeases& state);

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  LeaseEvent ask();
  bool of_object(const NaiveLeases& state, LeaseEvent& event);

  std::mt19937_64 random_;
  std::uint64_t asks_ = 0;
};

}  // namespace ridge::sharing::testing
