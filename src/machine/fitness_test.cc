#include "machine/fitness.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "machine/document.h"
#include "machine/testing.h"

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

TEST(WriteMachine, IsTheDocumentOfTheSchema) {
  Ceilings ceilings;
  ceilings.notes = {"a note"};
  StringSink sink;
  write_machine(sink, testing::epyc_host(), assess(good(), {}), &ceilings);
  const auto document = nlohmann::json::parse(sink.text());
  EXPECT_EQ(document["schema"], "ridge.machine/1");
  EXPECT_EQ(document["host"]["cpu"]["vendor"], "AuthenticAMD");
  EXPECT_EQ(document["fitness"][0]["check"], "load");
  EXPECT_EQ(document["fitness"][0]["ok"], true);
  EXPECT_TRUE(document["fitness"][0]["advice"].is_null());
  EXPECT_TRUE(document["ceilings"].empty());
  EXPECT_EQ(document["notes"][0], "a note");
}

}  // namespace
}  // namespace ridge::machine
