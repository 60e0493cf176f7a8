// SPDX-License-Identifier: Apache-2.0
// Checked findings in a store, and in a damaged one with the evidence of the error for each.
#include <algorithm>
#include <functional>

#include "store/both_testing.h"
#include "store/check_testing.h"

namespace ridge::store {
namespace {

CheckedFinding recorded(std::uint64_t seed, std::int64_t at) {
  CheckedFinding out = filled_check(seed);
  out.recorded_s = at;
  return out;
}

class ChecksOnBoth : public OnBoth {};
INSTANTIATE_TEST_SUITE_P(Kinds, ChecksOnBoth, kKinds, kind_name);

TEST_P(ChecksOnBoth, GiveBackEveryMemberOldestFirst) {
  std::vector<CheckedFinding> expected;
  {
    Store store = opened(database("runs.db"));
    EXPECT_TRUE(store.checked_findings()->empty());
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      // Each time occurs twice, the later ones first.
      expected.push_back(recorded(seed, 1000 - static_cast<std::int64_t>(seed % 100)));
      const auto added = store.append(expected.back());
      ASSERT_TRUE(added.ok()) << added.error().text();
      EXPECT_TRUE(*added);
    }
  }
  std::ranges::stable_sort(expected, {}, &CheckedFinding::recorded_s);
  EXPECT_EQ(read_checks(opened(database("runs.db"), Access::kRead)), texts_of(expected));
}

TEST_P(ChecksOnBoth, KeepWhatIsEmptyOrUnknown) {
  Store store = opened(database("runs.db"));
  ASSERT_TRUE(store.append(CheckedFinding{}).value());
  EXPECT_FALSE(store.append(CheckedFinding{}).value());
  EXPECT_EQ(read_checks(store), texts_of({CheckedFinding{}}));
}

TEST_P(ChecksOnBoth, KeepNodesAsASet) {
  Store store = opened(database("runs.db"));
  CheckedFinding check = recorded(1, 7);
  check.nodes = {9, 2, 9, 0};
  ASSERT_TRUE(store.append(check).value());
  check.nodes = {0, 2, 9};
  EXPECT_FALSE(store.append(check).value());
  EXPECT_EQ(read_checks(store), texts_of({check}));
}

TEST_P(ChecksOnBoth, AreKnownByEveryMemberOfTheirContent) {
  const std::vector<std::function<void(CheckedFinding&)>> kChanges = {
      [](auto& c) { ++c.recorded_s; },
      [](auto& c) { c.model += "x"; },
      [](auto& c) { c.graph_hash += "x"; },
      [](auto& c) { c.point += "x"; },
      [](auto& c) { c.runtime += "x"; },
      [](auto& c) { c.runtime_version += "x"; },
      [](auto& c) { c.ridge_version += "x"; },
      [](auto& c) { ++c.threads; },
      [](auto& c) { c.host += "x"; },
      [](auto& c) { c.finding += "x"; },
      [](auto& c) { c.question += "x"; },
      [](auto& c) { c.kind += "x"; },
      [](auto& c) { c.nodes.push_back(99); },
      [](auto& c) { c.nodes[0] = 1; },
      [](auto& c) { c.nodes.pop_back(); },
      [](auto& c) { c.predicted_ns.value += 1; },
      [](auto& c) { c.predicted_ns.interval.reset(); },
      [](auto& c) { c.predicted_ns.interval->hi += 1; },
      [](auto& c) { c.gain_ns.value += 1; },
      [](auto& c) { c.gain_ns.interval->lo += 1; },
      [](auto& c) { c.gain_ns.interval->hi += 1; },
      [](auto& c) { c.before_ns.value += 1; },
      [](auto& c) { c.before_ns.interval->lo += 1; },
      [](auto& c) { c.before_ns.interval->hi += 1; },
      [](auto& c) { c.after_ns.value += 1; },
      [](auto& c) { c.after_ns.interval->lo += 1; },
      [](auto& c) { c.after_ns.interval->hi += 1; },
      [](auto& c) { c.state = profile::CheckState::kNoDifference; },
      [](auto& c) { c.prediction = profile::Prediction::kUnpredictable; },
      [](auto& c) { c.reason += "x"; },
      [](auto& c) { c.max_abs = 0.5; },
      [](auto& c) { c.max_rel = 0.5; },
      [](auto& c) { c.lossless = !c.lossless; },
  };
  CheckedFinding plain;
  plain.nodes = {3, 8};
  plain.predicted_ns = plain.gain_ns = plain.before_ns = plain.after_ns = {5, {{4, 6}}};
  Store store = opened(database("runs.db"));
  ASSERT_TRUE(store.append(plain).value());
  for (std::size_t i = 0; i < kChanges.size(); ++i) {
    CheckedFinding changed = plain;
    kChanges[i](changed);
    EXPECT_TRUE(store.append(changed).value()) << "change " << i;
    EXPECT_FALSE(store.append(changed).value()) << "change " << i;
  }
  EXPECT_FALSE(store.append(plain).value());
  EXPECT_EQ(read_checks(store).size(), kChanges.size() + 1);
}

TEST_P(ChecksOnBoth, AreMergedOnce) {
  Store a = opened(database("a.db"));
  {
    Store b = opened(database("b.db"));
    for (const std::uint64_t seed : {1UL, 3UL})
      ASSERT_TRUE(a.append(recorded(seed, static_cast<std::int64_t>(seed))).ok());
    for (const std::uint64_t seed : {3UL, 2UL, 4UL})
      ASSERT_TRUE(b.append(recorded(seed, static_cast<std::int64_t>(seed))).ok());
  }
  const Store b = opened(database("b.db"), Access::kRead);
  EXPECT_EQ(a.merge(b)->checks, 2);
  EXPECT_EQ(a.merge(b)->checks, 0);
  EXPECT_EQ(read_checks(a),
            texts_of({recorded(1, 1), recorded(2, 2), recorded(3, 3), recorded(4, 4)}));
  EXPECT_EQ(read_checks(b).size(), 3U);
}

TEST_P(ChecksOnBoth, LeaveNoNodesOfACheckThatIsDeleted) {
  const std::string path = database("runs.db");
  for (const std::uint64_t seed : {1UL, 2UL})
    ASSERT_TRUE(opened(path).append(filled_check(seed)).ok());
  run_sql(path, "DELETE FROM checked_finding WHERE id = 1");
  EXPECT_EQ(read_checks(opened(path)), texts_of({filled_check(2)}));
  run_sql(path, "DELETE FROM checked_finding");
  EXPECT_EQ(number(path, "SELECT count(*) FROM checked_node"), 0);
}

TEST(BadChecks, HoldWhatNoCheckHas) {
  const struct {
    const char* sql;
    const char* evidence;
  } kCases[] = {
      {"UPDATE checked_finding SET recorded_s = 'x'",
       "table checked_finding: column recorded_s: integer expected"},
      {"UPDATE checked_finding SET model = x'00'",
       "table checked_finding: column model: text expected"},
      {"UPDATE checked_finding SET threads = -1",
       "table checked_finding: column threads: integer from 0 to 4294967295 expected"},
      {"UPDATE checked_finding SET threads = 1 << 32",
       "table checked_finding: column threads: integer from 0 to 4294967295 expected"},
      {"UPDATE checked_finding SET gain_low_ns = 'x'",
       "table checked_finding: column gain_low_ns: number expected"},
      {"UPDATE checked_finding SET state = 'won'",
       "table checked_finding: column state: one of gained, lost, no_difference, not_judged "
       "expected"},
      {"UPDATE checked_finding SET state = ''",
       "table checked_finding: column state: one of gained, lost, no_difference, not_judged "
       "expected"},
      {"UPDATE checked_finding SET prediction = 'held'",
       "table checked_finding: column prediction: one of none, within, missed, unpredictable "
       "expected"},
      {"UPDATE checked_finding SET lossless = 256",
       "table checked_finding: column lossless: true or false expected"},
      {"UPDATE checked_node SET node = 1 << 32 WHERE node = (SELECT max(node) FROM checked_node)",
       "table checked_node: column node: integer from 0 to 4294967295 expected"},
      {"UPDATE checked_node SET node = 'x' WHERE node = (SELECT max(node) FROM checked_node)",
       "table checked_node has an invalid value in its key"},
      {"PRAGMA foreign_keys = OFF; UPDATE checked_node SET checked = 9",
       "table checked_node refers to check 9, which does not exist"},
  };
  for (const auto& c : kCases) {
    const Folder folder;
    const std::string path = folder.file("runs.db");
    ASSERT_TRUE(opened(path).append(filled_check(1)).ok());
    run_sql(path, c.sql);
    Store store = opened(path, Access::kWrite);
    const auto read = store.checked_findings();
    ASSERT_FALSE(read.ok()) << c.sql;
    EXPECT_EQ(read.error().evidence(), c.evidence);
    EXPECT_EQ(read.error().code(), "RIDGE-STORE-0004");
    EXPECT_TRUE(store.append(filled_check(2)).ok()) << c.sql;  // no transaction is left open
    EXPECT_FALSE(opened(folder.file("other.db")).merge(store).ok());
  }
}

}  // namespace
}  // namespace ridge::store
