// SPDX-License-Identifier: Apache-2.0
// Points of an evaluation are listed, and evaluated by themselves.
#include "evaluation/run/listing.h"

#include <gtest/gtest.h>

#include "attribution/testing.h"
#include "base/temporary_folder.h"
#include "evaluation/repeat/lock.h"
#include "evaluation/run/evaluation.h"
#include "evaluation/testing.h"
#include "session/testing.h"

namespace ridge::evaluation {
namespace {

using attribution::testing::must;
using session::ListedPoint;
using session::ListedState;
using store::Access;
using store::Store;

struct ListingBench {
  TemporaryFolder folder = must(TemporaryFolder::make(::testing::TempDir()));
  session::testing::ModelFile model{testing::kBrighterRow, "listing"};
  Store store = must(Store::open(folder.path() + "/runs.db", Access::kCreate));

  /// Two points, of which the second needs a library that the machine may lack.
  EvaluationRequest request() {
    EvaluationRequest out{.model = model.path, .spec = model.spec};
    out.spec.runtimes = {"null", "ort"};
    out.scenario = {.kind = scenario::Kind::kServer,
                    .arrivals = scenario::Poisson{.rate = 5'000},
                    .min_duration = Nanos{0},
                    .min_queries = 300};
    return out;
  }
  std::vector<ListedPoint> listed(const EvaluationKeeping& keeping = {}) {
    return must(list_points(request(), model.environment, keeping)).points;
  }
  std::vector<std::string> keys() {
    std::vector<std::string> out;
    for (const ListedPoint& p : listed()) out.push_back(p.key);
    return out;
  }
};

TEST(EvaluationListing, ListsPointsWithTheirKeys) {
  ListingBench bench;
  const std::vector<ListedPoint> points = bench.listed();
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].runtime, "null");
  EXPECT_EQ(points[1].runtime, "ort");
  EXPECT_EQ(points[0].key.size(), 16U);
  EXPECT_NE(points[0].key, points[1].key);
  EXPECT_EQ(points[0].state, ListedState::kWaiting);
}

TEST(EvaluationListing, KeysAreTheSameOnAnotherMachineAndNotWithAnotherSeed) {
  ListingBench bench;
  const std::vector<std::string> here = bench.keys();
  bench.model.environment.host.id = "another";
  EXPECT_EQ(bench.keys(), here);
  EvaluationRequest other = bench.request();
  ++other.scenario.seed;
  EXPECT_NE(must(list_points(other, bench.model.environment, {})).points.at(0).key, here.at(0));
}

TEST(EvaluationListing, APointIsEvaluatedByItselfAndThenHeld) {
  ListingBench bench;
  const EvaluationKeeping one{.store = &bench.store, .wanted = {bench.keys().at(0)}};
  const Evaluation first = must(evaluate(bench.request(), bench.model.environment, one));
  ASSERT_EQ(first.points.size(), 1U);
  EXPECT_EQ(first.points[0].runtime_name, "null");
  const std::vector<ListedPoint> points = bench.listed({.store = &bench.store});
  EXPECT_EQ(points.at(0).state, ListedState::kHeld);
  EXPECT_EQ(points.at(0).stored, "evaluation:1");
  EXPECT_EQ(points.at(1).state, ListedState::kWaiting);
  must(evaluate(bench.request(), bench.model.environment, one));
  EXPECT_EQ(bench.store.evaluations()->size(), 1U);
}

TEST(EvaluationListing, APointByItselfIsThatOfTheWholeRequest) {
  ListingBench bench;
  const EvaluationKeeping one{.store = &bench.store, .wanted = {bench.keys().at(0)}};
  must(evaluate(bench.request(), bench.model.environment, one));
  EvaluationRequest alone = bench.request();
  alone.spec.runtimes = {"null"};
  must(evaluate(alone, bench.model.environment, {.store = &bench.store}));
  EXPECT_EQ(bench.store.evaluations()->size(), 1U);  // recognized
}

TEST(EvaluationListing, WhatAnotherMachineMeasuredIsNotHeld) {
  ListingBench bench;
  const EvaluationKeeping one{.store = &bench.store, .wanted = {bench.keys().at(0)}};
  must(evaluate(bench.request(), bench.model.environment, one));
  bench.model.environment.host.id = "another";
  const ListedPoint point = bench.listed({.store = &bench.store}).at(0);
  EXPECT_EQ(point.state, ListedState::kWaiting);
  EXPECT_EQ(point.machines.size(), 1U);
}

TEST(EvaluationListing, AnUnknownKeyIsRefused) {
  ListingBench bench;
  const EvaluationKeeping wrong{.wanted = {"0123456789abcdef"}};
  EXPECT_EQ(evaluate(bench.request(), bench.model.environment, wrong).error().text(),
            "error: no point of the request has the key '0123456789abcdef'\n"
            "  it has 2 points\n"
            "  hint: --dry-run lists them with their keys\n  [RIDGE-WB-0393]\n");
}

TEST(EvaluationListing, APointOfALockNeedsNoOtherRuntime) {
  ListingBench bench;
  EvaluationRequest alone = bench.request();
  alone.spec.runtimes = {"null"};
  manifest::Lock locked = must(evaluate(alone, bench.model.environment, {})).lock;
  locked.runtimes.push_back({"ort", "0.0.1", ""});
  const EvaluationKeeping keeping{.locked = &locked, .wanted = {bench.keys().at(0)}};
  const auto again = evaluate(must(request_of(locked)), bench.model.environment, keeping);
  ASSERT_TRUE(again.ok()) << again.error().text();
  EXPECT_EQ(again->points.size(), 1U);
}

TEST(EvaluationListing, RuntimesThatAreComparedHaveNoPointAlone) {
  ListingBench bench;
  EvaluationRequest request = bench.request();
  request.load = false;
  const std::string key = must(list_points(request, bench.model.environment, {})).points.at(0).key;
  const EvaluationKeeping keeping{.wanted = {key}};
  EXPECT_EQ(evaluate(request, bench.model.environment, keeping).error().code(), "RIDGE-WB-0394");
}

}  // namespace
}  // namespace ridge::evaluation
