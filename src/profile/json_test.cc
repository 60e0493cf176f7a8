// SPDX-License-Identifier: Apache-2.0
#include "profile/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "profile/summary.h"
#include "profile/sweep.h"

namespace ridge::profile {
namespace {

Profile sample(std::int64_t batch, double items_per_s) {
  Profile p;
  p.subject.path = "m\x1b.onnx";
  p.subject.runtime = "one";
  p.subject.bindings["batch"] = {batch, true};
  p.subject.threads = 2;
  p.batch = batch;
  p.items_per_s = items_per_s;
  p.latency.processes.push_back(
      {.samples_ns = {1, 2, 3}, .warmup_dropped = 1, .steadiness = "flat"});
  p.latency.ns = {2, {{1, 3}}};
  p.nodes.push_back(
      {.index = 0, .parent = {}, .name = "a\"b", .op_type = "Conv", .status = "counted"});
  Layer layer{.index = 0, .name = "k", .type = "Conv"};
  layer.members.push_back({0, Role::kAbsorbed, Evidence::kRenamed});
  layer.work.macs = std::nullopt;
  layer.bytes = 12;
  layer.bound = {"memory:L2", 5.0, std::nullopt, "why"};
  p.layers.push_back(layer);
  p.without_layer.push_back({0, Why::kMerged, 3});
  Module whole{.path = "", .time_ns = 2, .share = 1};
  whole.work = {100, 10, 5, 1};
  whole.bytes = 50;
  p.modules.push_back(whole);
  return p;
}

nlohmann::json document(const auto& object) {
  StringSink sink;
  write_json(object, sink);
  return nlohmann::json::parse(sink.text());
}

TEST(ProfileJson, SaysWhatTheTablesSay) {
  const auto j = document(sample(4, 8));
  EXPECT_EQ(j["schema"], "ridge.profile/1");
  EXPECT_EQ(j["host"], nlohmann::json::object());
  EXPECT_EQ(j["bindings"]["batch"], (nlohmann::json{{"value", 4}, {"assumed", true}}));
  EXPECT_EQ(j["latency"]["processes"][0]["samples_ns"], (nlohmann::json{1, 2, 3}));
  const auto& layer = j["layers"][0];
  EXPECT_TRUE(layer["macs"].is_null());  // unknown, never 0
  EXPECT_EQ(layer["bytes"], 12);
  EXPECT_EQ(layer["members"][0],
            (nlohmann::json{{"node", 0}, {"role", "absorbed"}, {"evidence", "renamed"}}));
  EXPECT_EQ(layer["bound"], "memory:L2");
  EXPECT_TRUE(layer["roof_share"].is_null());
  EXPECT_EQ(j["nodes_without_layer"][0],
            (nlohmann::json{{"node", 0}, {"why", "merged"}, {"with", 3}}));
}

TEST(Sweep, NamesTheBatchWhoseDoublingNoLongerPays) {
  Sweep sweep{{sample(1, 10), sample(2, 18), sample(4, 18.5), sample(8, 18.6)}};
  EXPECT_EQ(sweep.knee_batch(), 2);
  const auto j = document(sweep);
  EXPECT_EQ(j["schema"], "ridge.profiles/1");
  EXPECT_EQ(j["sweep"]["knee_batch"], 2);
  EXPECT_EQ(j["sweep"]["points"][3]["batch"], 8);
  EXPECT_EQ(j["profiles"].size(), 4U);
}

TEST(Sweep, SaysWhatEachAxisDidInTheDocument) {
  Sweep sweep{{sample(1, 10), sample(1, 15)}};
  sweep.profiles[1].subject.runtime = "other";
  const auto effects = document(sweep)["sweep"]["effects"];
  ASSERT_EQ(effects.size(), 1U);
  EXPECT_EQ(effects[0]["axis"], "runtime");
  EXPECT_TRUE(effects[0]["size"].is_null());
  EXPECT_EQ(effects[0]["text"], "other: 1.50 x the throughput of one (too few runs to tell).");
  EXPECT_EQ(effects[0]["steps"][0], (nlohmann::json{{"value", "other"},
                                                    {"others", ""},
                                                    {"ratio", 1.5},
                                                    {"ci95", nullptr},
                                                    {"reason", "too few runs to tell"}}));
}

TEST(Sweep, HasNoKneeWhereEveryDoublingPaysOrNoneWasMeasured) {
  EXPECT_FALSE((Sweep{{sample(1, 10), sample(2, 19)}}).knee_batch());
  EXPECT_FALSE((Sweep{{sample(1, 10), sample(3, 10)}}).knee_batch());
}

TEST(ModelPoint, IsTheWholeModel) {
  const auto point = point_of(sample(4, 8));
  ASSERT_TRUE(point);
  EXPECT_EQ(point->operations, 2 * 100 + 10 + 5 + 1);
  EXPECT_EQ(point->bytes, 50);
  EXPECT_EQ(point->latency_ns, 2);
  EXPECT_EQ(point->threads, 2);
  EXPECT_EQ(point->runtime, "one");
  EXPECT_EQ(point->machine, "");
}

TEST(MachineName, IsWhoWhatAndHowMany) {
  EXPECT_EQ(machine_name(R"({"hostname":"a","cpu":{"model":"M","microarchitecture":"Zen 4"},)"
                         R"("logical_cpus":2})"),
            "a, M (Zen 4), 2 processors");
  EXPECT_EQ(machine_name(R"({"hostname":"a","cpu":{"model":"M"}})"), "a, M");
  for (const char* none : {"", "[]", "{}", R"({"cpu":3})"}) EXPECT_EQ(machine_name(none), "");
}

}  // namespace
}  // namespace ridge::profile
