// SPDX-License-Identifier: Apache-2.0
#include "profile/read.h"

#include <gtest/gtest.h>

#include <cmath>

#include "profile/json.h"

namespace ridge::profile {
namespace {

std::string profile_text(const Profile& p) {
  StringSink sink;
  write_json(p, sink);
  return sink.text();
}

/// Layer whose fields are all set, each to a different value.
Layer full_layer() {
  Layer layer{.index = 0, .name = "k", .type = "Conv", .implementation = "cpu"};
  layer.precision = "float32";
  layer.layout = "blocked:16";
  layer.order = 3;
  layer.inserted = layer.below_resolution = true;
  layer.time_ns = {21, {{20, 22}}};
  layer.corrected_ns = 19.5;
  layer.corrected = {19.5, {{18, 21}}};
  layer.runs_ns = {19, 20};
  layer.share = 0.75;
  layer.executions = 2;
  layer.kernels.push_back({"kernel", "type", {1, {{0.5, 2}}}});
  layer.members = {{1, Role::kPart, Evidence::kValue}, {0, Role::kAbsorbed, Evidence::kRegion}};
  layer.work = {std::nullopt, 2, 3, 4};
  layer.bytes = 12;
  layer.flop_per_s = 1e11 / 7;
  layer.intensity = 0.1;
  layer.bound = {"memory:L2", 5.5, 0.3, "why"};
  layer.module = "m";
  return layer;
}

void fill_member(Timeline& t) {
  const SpanId run = t.add({.level = Level::kModel, .name = t.intern("run"), .end_ns = 99});
  t.attribute("layer", "3");
  t.add({.parent = run,
         .level = Level::kKernel,
         .name = t.intern("gemm"),
         .start_ns = -5,
         .end_ns = 40,
         .thread = t.intern("1"),
         .device = t.intern("GPU 0"),
         .queue = t.intern("7"),
         .correlation = 77});
}

Profile full() {
  Profile p;
  p.host_json = R"({"cpu":{"model":"M"},"hostname":"a"})";
  p.subject = {.kind = "imported",
               .path = "m\x1b\".onnx",
               .graph_hash = "1f",
               .producer = "maker",
               .ir_version = 10,
               .opsets = {{"", 17}, {"com.microsoft", 1}},
               .bindings = {{"batch", {4, true}}},
               .weights = "seeded",
               .runtime = "ort",
               .runtime_version = "1.31",
               .runtime_library = "lib.so",
               .options = {{"threads", "2"}},
               .ridge_version = "0.5"};
  p.load_ns = 11;
  p.first_run_ns = 12;
  p.latency = {{{{1, 2, 3}, 1, "flat"}, {{4}, 0, "warm-up"}}, {2.5, {{1.25, 3}}}, 5};
  p.items_per_s = 1e9 / 3;
  p.batch = 4;
  p.profiling = {
      {1, {{2, 3}}}, {4, {{5, 6}}}, 7, 8, 9, 10, 11, 12, 13, 14, 15, -0.016, {}, {}, {}, {}};
  p.profiling.event_cost = {7, {{6, 8}}};
  p.profiling.fixed_cost = {2, {{-1, 5}}};
  p.profiling.predicted_profiled_ns = {50, {{40, 60}}};
  p.profiling.total_ns = {31, {{30, 33}}};
  p.nodes.push_back({0, {}, 1, "a", "Loop", "", "m", "zero", {}, 1, 2, 3, "1x2 float32"});
  p.nodes.push_back({1, 0, 7, "b\n", "Conv", "d", "m/n", "unknown", {1, 2, 3, 4}, {}, 9, 0, ""});
  p.layers.push_back(full_layer());
  p.without_layer.push_back({0, Why::kMerged, 1});
  p.unattributed_layers = 1;
  p.unattributed_share = 0.01;
  p.modules.push_back({"", 0, 2, 1, {100, 10, 5, 1}, 50, 1});
  p.roofs.push_back({"read", "float32", "L2", "B/s", "avx2", 2, 1e10, {9e9, 1.1e10}, 2e10});
  p.roofs.push_back({"compute", "int8", "", "FLOP/s", "", 1, 1, {1, 1}, std::nullopt});
  fill_member(p.timeline);
  p.reference = {{0, "read", 71}, {1, "multiply-add", 73}};
  p.notes = {"first", "second"};
  return p;
}

TEST(ReadProfile, EveryFieldComesBack) {
  const std::string text = profile_text(full());
  const auto read = read_profiles(text);
  ASSERT_TRUE(read.ok()) << read.error().text();
  ASSERT_EQ(read->size(), 1U);
  EXPECT_EQ(profile_text((*read)[0]), text);
  // Compares fields that the document does not contain.
  EXPECT_EQ((*read)[0].layers[0].flop_per_s, full().layers[0].flop_per_s);
  EXPECT_EQ((*read)[0].timeline.spans()[1].parent, 0U);
}

TEST(ReadProfile, WhatARunDoesNotHaveComesBackAbsent) {
  Profile p = full();
  p.timeline = {};
  p.layers[0].runs_ns.clear();
  p.layers[0].corrected.reset();
  p.profiling.total_ns.reset();
  const auto read = read_profiles(profile_text(p));
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_TRUE((*read)[0].layers[0].runs_ns.empty());
  EXPECT_FALSE((*read)[0].layers[0].corrected.has_value());
  EXPECT_FALSE((*read)[0].profiling.total_ns.has_value());
}

TEST(ReadProfile, WhatIsWrongIsNamedByItsPath) {
  const auto with = [](std::string_view from, std::string_view to) {
    std::string text = profile_text(full());
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    const auto read = read_profiles(text);
    return read.ok() ? "no error" : read.error().where() + ": " + read.error().message();
  };
  EXPECT_EQ(with("\"load_ns\":11", "\"load_ns\":\"x\""),
            "setup.load_ns: integer expected, got text");
  EXPECT_EQ(with("\"load_ns\":11,", ""), "setup: key 'load_ns' is missing");
  EXPECT_EQ(with("\"node\":1,\"role\":\"part\"", "\"node\":2,\"role\":\"part\""),
            ": layers[0].members[0] is node 2, which does not exist");
  EXPECT_EQ(with("\"threads\":2", "\"threads\":\"2\""),
            "runtime.options: 'threads' is an integer, all other options are text");
  EXPECT_EQ(with("\"runs_ns\":[19,20],", ""), "layers[0]: key 'runs_ns' is missing");
  EXPECT_EQ(with("\"role\":\"part\"", "\"role\":\"all\""),
            "layers[0].members[0].role: one of executes, part, absorbed expected, got 'all'");
  EXPECT_EQ(with("\"index\":1,", "\"index\":5,"), ": nodes[1] has index 5");
  EXPECT_EQ(with("\"parent\":0,\"repeat\"", "\"parent\":1,\"repeat\""),
            ": nodes[1] has parent 1, which does not precede it");
  EXPECT_EQ(with("\"share\":0.75", "\"share\":null"), "layers[0].share: number expected, got null");
  EXPECT_EQ(with("\"name\":1,\"start_ns\"", "\"name\":99,\"start_ns\""),
            "timeline.spans: spans[0] refers to text 99, which does not exist");
  EXPECT_EQ(with("\"end_ns\":40,\"parent\":0", "\"end_ns\":40,\"parent\":2"),
            "timeline: spans[1] has parent 2, which does not exist");
  EXPECT_EQ(with("ridge.profile/1", "ridge.profile/2"),
            ": the document is ridge.profile/2, newer than ridge.profile/1");
}

// ridge writes the empty text first; other programs need not.
TEST(ReadProfile, TextsOfATimelineMayBeginWithAny) {
  std::string text = profile_text(full());
  const std::string from = "\"texts\":[\"\",\"run\",";
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, from.size(), "\"texts\":[\"first\",\"run\",");
  const auto read = read_profiles(text);
  ASSERT_TRUE(read.ok()) << read.error().text();
  const Timeline& t = (*read)[0].timeline;
  EXPECT_EQ(t.text(t.spans()[0].name), "run");
  EXPECT_EQ(t.text(t.spans()[0].thread), "");
  EXPECT_EQ(t.text(t.spans()[1].name), "gemm");
}

TEST(ReadProfile, ADocumentThatIsNoneIsSaidSo) {
  const auto message = [](std::string_view text) { return read_profiles(text).error().message(); };
  EXPECT_EQ(message("[1]"), "this is not a JSON object");
  EXPECT_EQ(message("[1"), "invalid JSON");
  EXPECT_EQ(message(""), "invalid JSON");
  EXPECT_EQ(message(R"({"schema":"x"})"), "schema 'x' is not ridge.profile/1 or ridge.profiles/1");
  EXPECT_EQ(message(R"({"schema":"ridge.profile/1"})"), "key 'kind' is missing");
  EXPECT_EQ(message(R"({"schema":"ridge.profiles/1","profiles":[]})"),
            "the document contains no profile");
  const std::string deep(100'000, '[');
  EXPECT_EQ(message(R"({"schema":"ridge.profile/1","host":)" + deep),
            "brackets are nested more than 64 levels deep");
  EXPECT_EQ(message(R"({"schema":"x","host":"[[\"[)" + deep + "\"}"),
            "schema 'x' is not ridge.profile/1 or ridge.profiles/1");
}

TEST(ReadProfile, CutAnywhereItFails) {
  const std::string text = profile_text(full());
  for (std::size_t n = 0; n + 2 < text.size(); ++n)
    ASSERT_FALSE(read_profiles(std::string_view(text).substr(0, n)).ok()) << n;
}

}  // namespace
}  // namespace ridge::profile
