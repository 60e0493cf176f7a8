// SPDX-License-Identifier: Apache-2.0
// The defects of TrIMS's cache, each as a test, and random events against a naive model.
#include "sharing/run/leases.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "sharing/policy/make_policy.h"
#include "sharing/run/testing/naive_leases.h"

namespace ridge::sharing {
namespace {

using testing::NaiveLeases;
using testing::RandomEvents;
using testing::text_of;
using Texts = std::vector<std::string>;

constexpr Nanos kNow{1};

/// A table with a memory level of so many bytes.
Leases with_memory(std::int64_t bytes, PolicyKind kind = PolicyKind::kLru) {
  return Leases({.memory = {Bytes{bytes}, make_policy({.kind = kind})},
                 .templates = {Bytes{bytes}, make_policy({.kind = kind})}});
}

Wanted wanted(std::string key, std::int64_t bytes) {
  return {.key = std::move(key), .level = Level::kMemory, .expected = Bytes{bytes}};
}

Asker waiting(ClientId client, std::uint64_t ask = 1) {
  return {.client = client, .ask = ask, .wait = true};
}

Texts effects_of(Leases& table) {
  Texts out;
  for (const Effect& e : table.take_effects())
    out.push_back(text_of(e, e.kind == Effect::Kind::kLater ? "" : table.object(e.object).key));
  return out;
}

/// Loads an object for a client, which leases it; the lease.
LeaseId load(Leases& table, const std::string& key, std::int64_t bytes, ClientId client) {
  table.ask(wanted(key, bytes), waiting(client), kNow);
  table.loaded(*table.find(key, Level::kMemory), Bytes{bytes}, Nanos{1}, kNow);
  for (const Effect& e : table.take_effects())
    if (e.kind == Effect::Kind::kGranted) return e.lease;
  return 0;
}

TEST(Leases, OneWhoDoesNotWaitLoadsByItselfAndTheNextHits) {
  Leases table = with_memory(100);
  table.ask(wanted("a", 40), {.client = 1, .ask = 7}, kNow);
  EXPECT_EQ(effects_of(table), (Texts{"later c1 q7 miss", "load memory a"}));
  table.ask(wanted("a", 40), {.client = 2, .ask = 8}, kNow);
  EXPECT_EQ(effects_of(table), (Texts{"later c2 q8 loading"}));
  table.loaded({Level::kMemory, 0}, Bytes{40}, Nanos{5}, kNow);
  EXPECT_EQ(effects_of(table), Texts());
  table.ask(wanted("a", 40), {.client = 1, .ask = 9}, kNow);
  EXPECT_EQ(effects_of(table), (Texts{"grant c1 q9 l1 memory a hit"}));
}

// TrIMS has no single flight: each of several clients loads, and they race.
TEST(Leases, AThousandWhoAskLoadOnce) {
  Leases table = with_memory(100);
  for (ClientId client = 1; client <= 1000; ++client)
    table.ask(wanted("a", 40), waiting(client), kNow);
  EXPECT_EQ(effects_of(table), (Texts{"load memory a"}));
  table.loaded({Level::kMemory, 0}, Bytes{40}, Nanos{5}, kNow);
  EXPECT_EQ(table.take_effects().size(), 1000U);
  EXPECT_EQ(table.lease_count(), 1000U);
  EXPECT_EQ(table.used(Level::kMemory), Bytes{40});
}

TEST(Leases, AFailedLoadFailsAllWhoWait) {
  Leases table = with_memory(100);
  table.ask(wanted("a", 40), waiting(1), kNow);
  table.ask(wanted("a", 40), waiting(2), kNow);
  table.take_effects();
  table.load_failed({Level::kMemory, 0});
  EXPECT_EQ(effects_of(table), (Texts{"failed c1 q1 memory a", "failed c2 q1 memory a"}));
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.used(Level::kMemory), Bytes{0});
}

// TrIMS frees a model in use where it is the first one of its map, or where all are in use.
TEST(Leases, TheFirstObjectIsNoVictimWhileItIsLeased) {
  Leases table = with_memory(100);
  load(table, "a", 40, 1);
  table.release(2, load(table, "b", 40, 2), kNow);
  table.ask(wanted("c", 40), waiting(3), kNow);
  EXPECT_EQ(effects_of(table), (Texts{"evict memory b"}));
  table.gone({Level::kMemory, 1});
  EXPECT_EQ(effects_of(table), (Texts{"load memory c"}));
}

TEST(Leases, NobodyIsEvictedWhereAllAreLeased) {
  Leases table = with_memory(100);
  load(table, "a", 40, 1);
  load(table, "b", 40, 2);
  table.ask(wanted("c", 40), waiting(3), kNow);
  EXPECT_EQ(effects_of(table), (Texts{"later c3 q1 no_room"}));
}

// TrIMS's flush frees everything.
TEST(Leases, AFlushSparesWhatIsLeasedOrPinned) {
  Leases table = with_memory(100);
  load(table, "a", 20, 1);
  table.release(2, load(table, "b", 20, 2), kNow);
  table.ask(wanted("c", 20), {.client = 3, .ask = 1, .aim = Asker::Aim::kPin, .wait = true}, kNow);
  table.loaded(*table.find("c", Level::kMemory), Bytes{20}, Nanos{1}, kNow);
  EXPECT_EQ(effects_of(table), (Texts{"load memory c", "pinned c3 q1 memory c"}));
  const Leases::Flushed flushed = table.flush();
  EXPECT_EQ(flushed.evicted, 1U);
  EXPECT_EQ(flushed.spared, 2U);
  EXPECT_EQ(effects_of(table), (Texts{"evict memory b"}));
  EXPECT_EQ(table.evict("a", Level::kMemory), Evicted::kLeased);
  EXPECT_EQ(table.evict("b", Level::kMemory), Evicted::kLeaving);
  EXPECT_EQ(table.evict("c", Level::kMemory), Evicted::kPinned);
  EXPECT_EQ(table.evict("d", Level::kMemory), Evicted::kAbsent);
  EXPECT_TRUE(table.unpin("c", Level::kMemory, kNow));
  EXPECT_FALSE(table.unpin("c", Level::kMemory, kNow));
  EXPECT_EQ(table.evict("c", Level::kMemory), Evicted::kDone);
}

// TrIMS's memory level never evicts; a dead client of it holds its models for ever.
TEST(Leases, AClientThatIsGoneHoldsNothing) {
  Leases table = with_memory(100);
  load(table, "a", 60, 1);
  table.ask(wanted("b", 30), waiting(1), kNow);
  table.take_effects();
  table.client_gone(1, kNow);
  EXPECT_EQ(table.lease_count(), 0U);
  table.loaded(*table.find("b", Level::kMemory), Bytes{30}, Nanos{1}, kNow);
  EXPECT_EQ(effects_of(table), Texts());
  table.ask(wanted("c", 70), waiting(2), kNow);
  EXPECT_EQ(effects_of(table), (Texts{"evict memory a"}));
}

TEST(Leases, WhatIsLargerThanTheBudgetIsNotLoaded) {
  Leases table = with_memory(100);
  table.ask(wanted("a", 101), waiting(1), kNow);
  EXPECT_EQ(effects_of(table), (Texts{"later c1 q1 over_budget"}));
  table.ask(wanted("b", 50), waiting(1), kNow);
  table.take_effects();
  table.loaded(*table.find("b", Level::kMemory), Bytes{101}, Nanos{1}, kNow);
  EXPECT_EQ(effects_of(table), (Texts{"later c1 q1 over_budget", "evict memory b"}));
}

TEST(Leases, APolicyThatLetsNothingGoKeepsWhatIsThere) {
  Leases table = with_memory(100, PolicyKind::kNever);
  table.release(1, load(table, "a", 60, 1), kNow);
  table.ask(wanted("b", 60), waiting(2), kNow);
  EXPECT_EQ(effects_of(table), (Texts{"later c2 q1 no_room"}));
  EXPECT_EQ(table.evict("a", Level::kMemory), Evicted::kDone);
}

TEST(Leases, AnObjectThatEndsTakesItsLeasesAlong) {
  Leases table = with_memory(100);
  const LeaseId lease = load(table, "a", 60, 1);
  table.lost({Level::kMemory, 0});
  EXPECT_EQ(table.lease_count(), 0U);
  EXPECT_FALSE(table.release(1, lease, kNow));
  EXPECT_TRUE(table.empty());
}

TEST(Leases, NobodyGivesBackTheLeaseOfAnother) {
  Leases table = with_memory(100);
  const LeaseId lease = load(table, "a", 60, 1);
  EXPECT_FALSE(table.release(2, lease, kNow));
  EXPECT_EQ(table.lease_count(), 1U);
}

TEST(Leases, OneClientHasNoMoreThanItsShare) {
  Leases table = with_memory(100);
  load(table, "a", 60, 1);
  for (std::size_t i = 1; i < Leases::kMostOfClient; ++i)
    table.ask(wanted("a", 60), waiting(1, i), kNow);
  table.take_effects();
  table.ask(wanted("a", 60), waiting(1, 3), kNow);
  EXPECT_EQ(effects_of(table), (Texts{"later c1 q3 too_many"}));
  table.ask(wanted("a", 60), waiting(2, 4), kNow);
  EXPECT_EQ(effects_of(table).size(), 1U);
  EXPECT_EQ(table.lease_count(), Leases::kMostOfClient + 1);
}

/// All that is idle is over.
class KeepsNothing final : public Policy {
 public:
  void admitted(ObjectId id, const ObjectFacts&, Nanos) override { idle_.insert(id); }
  void requested(ObjectId, Nanos) override {}
  void leased(ObjectId id) override { idle_.erase(id); }
  void released(ObjectId id, Nanos) override { idle_.insert(id); }
  void removed(ObjectId id) override { idle_.erase(id); }
  std::optional<ObjectId> victim() const override {
    return idle_.empty() ? std::nullopt : std::optional(*idle_.begin());
  }
  void expired(Nanos, std::vector<ObjectId>& out) override {
    out.insert(out.end(), idle_.begin(), idle_.end());
  }
  void due(Nanos, std::vector<ObjectId>&) override {}
  Nanos next() const override { return idle_.empty() ? kNoMoment : Nanos{0}; }

 private:
  std::set<ObjectId> idle_;
};

TEST(Leases, WhatAPolicyKeepsNoLongerLeavesUnlessItIsHeld) {
  Leases table({.memory = {Bytes{100}, std::make_unique<KeepsNothing>()},
                .templates = {Bytes{100}, std::make_unique<KeepsNothing>()}});
  const LeaseId lease = load(table, "a", 40, 1);
  table.expire(kNow);
  EXPECT_EQ(effects_of(table), Texts());
  EXPECT_EQ(table.next_expiry(), kNoMoment);
  table.release(1, lease, kNow);
  EXPECT_EQ(table.next_expiry(), Nanos{0});
  table.expire(kNow);
  EXPECT_EQ(effects_of(table), (Texts{"evict memory a"}));
  table.expire(kNow);
  EXPECT_EQ(effects_of(table), Texts());
}

/// Plays events to both; what follows from each must be the same.
void compare(std::uint64_t seed, int events) {
  Leases table = with_memory(100);
  NaiveLeases naive(100);
  RandomEvents random(seed);
  for (int i = 0; i < events; ++i) {
    const testing::LeaseEvent event = random.next(naive);
    Texts got = testing::play(event, table), expected = naive.play(event);
    ASSERT_EQ(got, expected) << "event " << i << " of seed " << seed << ": " << event.text();
    if (i % 20 == 0) {
      ASSERT_EQ(testing::summary(table), naive.summary())
          << "after event " << i << " of seed " << seed << ": " << event.text();
    }
    ASSERT_EQ(naive.fault(), "") << "after event " << i << " of seed " << seed;
  }
}

TEST(Leases, RandomEventsGoAsInANaiveModel) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) compare(seed, 20'000);
}

}  // namespace
}  // namespace ridge::sharing
