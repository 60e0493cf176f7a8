// SPDX-License-Identifier: Apache-2.0
#include "machine/fitness.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "machine/describe.h"
#include "machine/testing.h"
#include "record/json_read.h"
#include "record/json_write.h"

namespace ridge::machine {
namespace {

Observation good() {
  Observation o;
  o.host = testing::epyc_host();
  o.host.cpu.hypervisor.clear();
  o.host.governor = "performance";
  o.host.turbo = false;
  o.load = {0.01, 0.0};
  o.clocks_hz = {3.70e9, 3.69e9};
  o.timer_step = {20};
  o.memory_available = std::int64_t{16} << 30;
  o.huge_pages = "madvise";
  o.counters_error = "";
  return o;
}

Check check(const Observation& seen, const std::string& name) {
  for (const Check& c : assess(seen, {})) {
    if (c.check == name) return c;
  }
  ADD_FAILURE() << name;
  return {};
}

TEST(Assess, FindsNothingOnAGoodMachine) {
  for (const Check& c : assess(good(), {{"onnxruntime", "1.31.1", "/lib/libonnxruntime.so", ""}})) {
    EXPECT_EQ(c.ok, true) << c.check << ": " << c.finding;
    EXPECT_EQ(c.advice, "") << c.check;
  }
}

TEST(Assess, NamesEachTroubleWithAdvice) {
  Observation o = good();
  o.load = {0.5, 0.2};
  o.host.cpu.hypervisor = "KVMKVMKVM";
  o.host.governor = "powersave";
  o.host.turbo = true;
  o.clocks_hz = {3.7e9, 3.2e9};
  o.timer_step = {4'000'000};
  o.memory_available = 1 << 20;
  o.host.cgroup_cpus = 0.5;
  o.huge_pages = "never";
  o.counters_error = "Permission denied";
  for (const char* name : {"load", "steal", "bare metal", "governor", "turbo", "clock", "timer",
                           "memory", "cpu quota", "huge pages", "hardware counters"}) {
    const Check c = check(o, name);
    EXPECT_EQ(c.ok, false) << name;
    EXPECT_FALSE(c.advice.empty()) << name;
  }
  EXPECT_EQ(check(o, "load").finding, "other programs use 0.50 processors");
  EXPECT_EQ(check(o, "clock").finding, "between 3.200 and 3.700 GHz");
  EXPECT_EQ(check(o, "cpu quota").finding, "0.50 of 2 processors");
}

TEST(Assess, LeavesOpenWhatCannotBeKnown) {
  Observation o = good();
  o.host.governor.reset();
  o.host.reasons["governor"] = "the hypervisor keeps the clock to itself";
  o.load = {};
  o.clocks_hz.clear();
  EXPECT_FALSE(check(o, "governor").ok.has_value());
  EXPECT_EQ(check(o, "governor").finding, "the hypervisor keeps the clock to itself");
  EXPECT_FALSE(check(o, "load").ok.has_value());
  EXPECT_FALSE(check(o, "clock").ok.has_value());
}

TEST(Assess, MindsSiblingsOnlyWhereTheyMayBeUsed) {
  Observation o = good();
  o.host.allowed = testing::smt_host().allowed;
  o.host.smt = true;
  EXPECT_EQ(check(o, "smt").advice, "use at most 4 threads: ridge pins one per core");
  o.host.allowed.resize(4);
  EXPECT_EQ(check(o, "smt").ok, true);
}

TEST(Assess, TakesOneOfTwoRuntimesForEnough) {
  const auto checks = assess(good(), {{"onnxruntime", "1.31.1", "/lib/libonnxruntime.so", ""},
                                      {"openvino", std::nullopt, "", "make setup"}});
  const Check& missing = checks.back();
  EXPECT_EQ(missing.check, "openvino");
  EXPECT_EQ(missing.ok, false);
  EXPECT_EQ(missing.advice, "make setup");
  EXPECT_FALSE(missing.serious);
}

TEST(Assess, TakesAMissingRuntimeSeriously) {
  const auto checks = assess(good(), {{"onnxruntime", std::nullopt, "", "make setup"}});
  EXPECT_EQ(checks.back().ok, false);
  EXPECT_TRUE(checks.back().serious);
  EXPECT_EQ(checks.back().advice, "make setup");
}

TEST(Observe, SeesThisMachine) {
  const Observation o = observe(this_host(), live_files());
  EXPECT_TRUE(o.load.foreign_cpus.has_value());
  EXPECT_TRUE(o.memory_available.has_value());
  EXPECT_GT(o.timer_step.count, 0);
}

TEST(Document, IsThatOfTheSchemaAndReadsBack) {
  MeasuredRoofs roofs;
  roofs.notes = {"a note"};
  StringSink sink;
  const Document written = document(testing::epyc_host(), assess(good(), {}), roofs);
  record::write_json(written, sink);
  const auto json = nlohmann::json::parse(sink.text());
  EXPECT_EQ(json["schema"], "ridge.machine/1");
  EXPECT_EQ(json["host"]["cpu"]["vendor"], "AuthenticAMD");
  EXPECT_EQ(json["fitness"][0]["check"], "load");
  EXPECT_EQ(json["fitness"][0]["ok"], true);
  EXPECT_TRUE(json["fitness"][0]["advice"].is_null());
  EXPECT_TRUE(json["ceilings"].empty());
  EXPECT_EQ(json["notes"][0], "a note");
  const Result<Document> read = record::read_json<Document>(sink.text());
  ASSERT_TRUE(read.ok()) << read.error().text();
  StringSink again;
  record::write_json(*read, again);
  EXPECT_EQ(again.text(), sink.text());
}

TEST(Document, OfALaterVersionIsRefused) {
  const Result<Document> read = record::read_json<Document>(R"({"schema":"ridge.machine/2"})");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message(), "the document is ridge.machine/2, newer than ridge.machine/1");
}

}  // namespace
}  // namespace ridge::machine
