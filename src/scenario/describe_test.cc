// SPDX-License-Identifier: Apache-2.0
// Scenarios and requests keep every member on the way to a child process and in JSON.
#include "scenario/describe.h"

#include <gtest/gtest.h>

#include "record/binary.h"
#include "record/json_read.h"
#include "record/json_write.h"

namespace ridge::scenario {
namespace {

constexpr auto scenario_text = [](const Scenario& s) {
  return record::json_text(record::kType<Scenario>, &s);
};

/// Every member differs from its default.
Scenario example() {
  return {.kind = Kind::kClosedLoop,
          .arrivals = Replay{.times_ns = {0, 5, 9}, .speed = 2, .rounds = 3},
          .samples_per_query = 2,
          .workers = 3,
          .order = Order::kListed,
          .seed = 18'446'744'073'709'551'615U,
          .batching = Batching{.most = 4, .wait = Nanos{10}, .sizes = {1, 4}},
          .clients = 5,
          .mix = {0.25},
          .warmup_runs = 7,
          .warmup_duration = Nanos{8},
          .warmup_queries = 9,
          .min_duration = Nanos{11},
          .min_queries = 12,
          .max_duration = Nanos{13},
          .max_queries = 14,
          .last = Last::kBeyond,
          .listed = {3, 2},
          .kept = {1, 6}};
}

TEST(ScenarioDescription, NamesItsMembers) {
  EXPECT_EQ(scenario_text(example()),
            R"({"kind":"closed-loop","arrivals":{"kind":"replay","times_ns":[0,5,9],"speed":2,)"
            R"("rounds":3},"samples_per_query":2,"lanes":3,"order":"listed",)"
            R"("seed":18446744073709551615,"batching":{"max":4,"wait_ns":10,"sizes":[1,4]},)"
            R"("clients":5,"mix":[0.25],"warmup_runs":7,"warmup_ns":8,"warmup_queries":9,)"
            R"("min_duration_ns":11,"min_queries":12,"max_duration_ns":13,"max_queries":14,)"
            R"("last":"beyond","listed":[3,2],"kept":[1,6]})");
}

TEST(ScenarioDescription, KeepsEveryMember) {
  for (const ArrivalProcess& arrivals :
       {ArrivalProcess(Constant{2}), ArrivalProcess(Poisson{3}), ArrivalProcess(Gamma{4, 0.5}),
        ArrivalProcess(Bursty{1, 2, 3, 4}), example().arrivals}) {
    Scenario s = example();
    s.arrivals = arrivals;
    const auto sent = record::from_binary<Scenario>(record::to_binary(s));
    ASSERT_TRUE(sent.has_value());
    EXPECT_EQ(scenario_text(*sent), scenario_text(s));
    const Result<Scenario> read = record::read_json<Scenario>(scenario_text(s));
    ASSERT_TRUE(read.ok()) << read.error().text();
    EXPECT_EQ(scenario_text(*read), scenario_text(s));
  }
}

TEST(ScenarioDescription, ArrivalsAreCalledByTheirProcess) {
  EXPECT_EQ(name(ArrivalProcess(Bursty())), "bursty");
  EXPECT_EQ(name(ArrivalProcess(Replay())), "replay");
}

TEST(ScenarioDescription, ChangedMessagesAreRefused) {
  std::string bytes = record::to_binary(example());
  for (std::size_t n = 0; n < bytes.size(); ++n)
    EXPECT_FALSE(record::from_binary<Scenario>(std::string_view(bytes).substr(0, n)));
  bytes[0] = 5;  // there are five kinds
  EXPECT_FALSE(record::from_binary<Scenario>(bytes));
}

}  // namespace
}  // namespace ridge::scenario
