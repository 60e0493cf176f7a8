// SPDX-License-Identifier: Apache-2.0
#include "sharing/policy/make_policy.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sharing/policy/testing/naive_policy.h"
#include "stats/random.h"

namespace ridge::sharing {
namespace {

using testing::all_policies;
using testing::NaivePolicy;

constexpr std::int64_t kMinute = 60'000'000'000;

class EachPolicy : public ::testing::TestWithParam<PolicySpec> {};

INSTANTIATE_TEST_SUITE_P(Policy, EachPolicy, ::testing::ValuesIn(all_policies()),
                         [](const auto& p) { return std::string(word(p.param.kind)); });

// TrIMS's comparator looks at "in use" only after it has taken the first model as the minimum.
TEST_P(EachPolicy, ALeasedObjectIsNoVictimThoughItIsTheFirst) {
  const auto policy = make_policy(GetParam());
  policy->admitted(0, {Bytes{1}, Nanos{1}}, Nanos{0});
  policy->leased(0);
  policy->admitted(1, {Bytes{1}, Nanos{1}}, Nanos{1});
  EXPECT_NE(policy->victim(), std::optional<ObjectId>(0));
}

TEST_P(EachPolicy, NothingIsAVictimWhereAllIsLeased) {
  const auto policy = make_policy(GetParam());
  for (ObjectId id = 0; id < 3; ++id) {
    policy->admitted(id, {Bytes{1}, Nanos{1}}, Nanos{id});
    policy->leased(id);
  }
  std::vector<ObjectId> out;
  policy->expired(Nanos{1'000'000}, out);
  EXPECT_EQ(policy->victim(), std::nullopt);
  EXPECT_TRUE(out.empty());
  EXPECT_EQ(policy->next(), kNoMoment);
}

// TrIMS's flush frees what is in use, too.
TEST_P(EachPolicy, AFlushSparesWhatIsLeased) {
  const auto policy = make_policy(GetParam());
  for (ObjectId id = 0; id < 4; ++id) policy->admitted(id, {Bytes{1}, Nanos{1}}, Nanos{id});
  policy->leased(2);
  std::vector<ObjectId> gone;
  for (auto id = policy->victim(); id; id = policy->victim()) {
    policy->removed(*id);
    gone.push_back(*id);
  }
  std::ranges::sort(gone);
  if (GetParam().kind == PolicyKind::kNever)
    EXPECT_TRUE(gone.empty());
  else
    EXPECT_EQ(gone, (std::vector<ObjectId>{0, 1, 3}));
}

TEST_P(EachPolicy, EachLeaseMustEndBeforeAnObjectIsIdle) {
  const auto policy = make_policy(GetParam());
  policy->admitted(7, {Bytes{1}, Nanos{1}}, Nanos{0});
  policy->leased(7);
  policy->leased(7);
  policy->released(7, Nanos{1});
  EXPECT_EQ(policy->victim(), std::nullopt);
  policy->released(7, Nanos{2});
  policy->released(7, Nanos{3});  // one too many changes nothing
  policy->leased(7);
  EXPECT_EQ(policy->victim(), std::nullopt);
}

TEST_P(EachPolicy, CallsAboutWhatIsNotThereChangeNothing) {
  const auto policy = make_policy(GetParam());
  policy->requested(5, Nanos{1});
  policy->leased(5);
  policy->released(5, Nanos{2});
  policy->removed(5);
  EXPECT_EQ(policy->victim(), std::nullopt);
}

/// One random event to both.
void play_event(Policy& policy, NaivePolicy& naive, stats::Random& random, Nanos now) {
  const auto id = static_cast<ObjectId>(random.below(12));
  const std::size_t what = random.below(6);
  if (!naive.present(id)) {
    const ObjectFacts facts{Bytes{1 + static_cast<std::int64_t>(random.below(9))},
                            Nanos{static_cast<std::int64_t>(random.below(50))}};
    policy.admitted(id, facts, now);
    naive.admitted(id, facts, now);
  } else if (what < 2) {
    policy.requested(id, now);
    naive.requested(id, now);
    policy.leased(id);
    naive.leased(id);
  } else if (what < 5 && naive.leased_now(id)) {
    policy.released(id, now);
    naive.released(id, now);
  } else if (what == 5) {
    if (const auto victim = naive.victim()) {
      naive.removed(*victim);
      policy.removed(*victim);
    }
  } else if (!naive.leased_now(id)) {
    naive.removed(id);
    policy.removed(id);
  }
}

TEST_P(EachPolicy, AnswersAsAScanOfAllObjectsDoes) {
  stats::Random random(7);
  const auto policy = make_policy(GetParam());
  NaivePolicy naive(GetParam());
  Nanos now{0};
  for (int i = 0; i < 20'000; ++i) {
    now += Nanos{static_cast<std::int64_t>(random.below(8))};
    play_event(*policy, naive, random, now);
    ASSERT_EQ(policy->victim(), naive.victim()) << "event " << i;
    ASSERT_EQ(policy->next(), naive.next()) << "event " << i;
    std::vector<ObjectId> out;
    policy->expired(now, out);
    std::ranges::sort(out);
    ASSERT_EQ(out, naive.expired(now)) << "event " << i;
    for (const ObjectId id : out) {
      policy->removed(id);
      naive.removed(id);
    }
  }
}

// Cherkasova's rank: a small model that is dear to load stays; each eviction ages what stays.
TEST(Gdsf, KeepsWhatCostsMostForItsBytesUntilItAges) {
  const auto policy = make_policy({.kind = PolicyKind::kGdsf});
  policy->admitted(0, {Bytes{10}, Nanos{100}}, Nanos{0});   // rank 10
  policy->admitted(1, {Bytes{100}, Nanos{300}}, Nanos{1});  // rank 3
  EXPECT_EQ(policy->victim(), std::optional<ObjectId>(1));
  policy->removed(1);                                       // the clock is 3
  policy->admitted(2, {Bytes{100}, Nanos{800}}, Nanos{2});  // rank 3 + 8
  EXPECT_EQ(policy->victim(), std::optional<ObjectId>(0));
}

// Idle times of 5 minutes: kept for 6 minutes and the margin, whatever the paper's range is.
TEST(KeepAlive, KeepsForTheTailOfTheIdleTimes) {
  const auto policy = make_policy({.kind = PolicyKind::kHistogram});
  Nanos now{0};
  policy->admitted(0, {Bytes{1}, Nanos{1}}, now);
  for (int i = 0; i < 20; ++i) {
    policy->leased(0);
    policy->released(0, now);
    if (i < 19) policy->requested(0, now += Nanos{5 * kMinute});
  }
  EXPECT_EQ(policy->next(), now + Nanos{6 * kMinute * 11 / 10});
}

TEST(KeepAlive, KeepsForAllItsBinsWithoutHistory) {
  const auto policy = make_policy({.kind = PolicyKind::kHistogram});
  policy->admitted(0, {Bytes{1}, Nanos{1}}, Nanos{0});
  policy->leased(0);
  policy->released(0, Nanos{0});
  EXPECT_EQ(policy->next(), Nanos{240 * kMinute});
}

// 10 minutes between requests: out at once, in again after 9 (10 less the margin), and kept until
// 11 and the margin.
TEST(KeepAlive, PrewarmsBeforeTheHeadOfTheIdleTimes) {
  PolicySpec spec{.kind = PolicyKind::kHistogram};
  spec.histogram.prewarm = true;
  const auto policy = make_policy(spec);
  Nanos now{0};
  policy->admitted(0, {Bytes{1}, Nanos{1}}, now);
  for (int i = 0; i < 20; ++i) {
    policy->leased(0);
    policy->released(0, now);
    if (i < 19) policy->requested(0, now += Nanos{10 * kMinute});
  }
  std::vector<ObjectId> out;
  policy->expired(now, out);
  EXPECT_EQ(out, std::vector<ObjectId>{0});
  policy->removed(0);
  const Nanos warm = now + Nanos{9 * kMinute};
  EXPECT_EQ(policy->next(), warm);
  out.clear();
  policy->due(warm, out);
  EXPECT_EQ(out, std::vector<ObjectId>{0});
  policy->admitted(0, {Bytes{1}, Nanos{1}}, warm);
  EXPECT_EQ(policy->next(), now + Nanos{11 * kMinute * 11 / 10});
}

TEST(PolicyText, IsWhatTheCommandLineTakes) {
  EXPECT_EQ(policy_text({.kind = PolicyKind::kGdsf}), "gdsf");
  EXPECT_EQ(policy_text({.kind = PolicyKind::kTtl, .ttl = Nanos{90'000'000'000}}), "ttl:90s");
  EXPECT_EQ(policy_text({.kind = PolicyKind::kTtl, .ttl = Nanos{1'500'000'000}}), "ttl:1500ms");
  PolicySpec spec{.kind = PolicyKind::kHistogram};
  spec.histogram.prewarm = true;
  EXPECT_EQ(policy_text(spec), "histogram:prewarm");
}

}  // namespace
}  // namespace ridge::sharing
