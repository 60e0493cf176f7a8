// SPDX-License-Identifier: Apache-2.0
#include "bricks/manifest.h"

#include <gtest/gtest.h>

#include "bricks/plan_describe.h"
#include "bricks/testing.h"
#include "record/json_read.h"
#include "record/json_write.h"

namespace ridge::bricks {
namespace {

Plan filled() {
  Plan plan{.ridge = "1.2",
            .runtime = "onnxruntime",
            .runtime_version = "1.20",
            .host = "a \"host\"\n",
            .threads = 3,
            .models = {},
            .bricks = {},
            .left_over = {}};
  plan.models = {{.name = "zoo:a batch=2",
                  .path = "zoo:a",
                  .graph_hash = "0123",
                  .sizes = {{"batch", 2}, {"sequence", 128}},
                  .macs = 9'000'000'000'000'000'000,
                  .resident_bytes = 8'000'000'000'000'000'000,
                  .traffic_bytes = 9'000'000'000'000'000'000,
                  .bricks = 3,
                  .unique = 2,
                  .added = 2},
                 {.name = "b.onnx",
                  .path = "dir/b.onnx",
                  .graph_hash = "",
                  .sizes = {},
                  .macs = 0,
                  .bricks = 1,
                  .unique = 1,
                  .added = 0}};
  plan.bricks = {
      {.key = "k1",
       .file = "conv-k1.onnx",
       .digest = {std::string(64, 'a'), 4711},
       .macs = 12,
       .ports = {{.name = "in0",
                  .direction = Direction::kInput,
                  .dtype = "float32",
                  .shape = {1, 64, 7, 7},
                  .layout = Layout::kBlocked,
                  .donor = "Conv 1x1, Relu"},
                 {.name = "out0",
                  .direction = Direction::kOutput,
                  .dtype = "int64",
                  .shape = {},
                  .layout = Layout::kChannelsLast,
                  .donor = ""}},
       .kernels = {"Conv", "Conv"},
       .whole = true,
       .occurrences = {{"zoo:a batch=2", {0, 1}, 4096}, {"zoo:a batch=2", {4}}, {"b.onnx", {0}}},
       .rejected = ""},
      {.key = "k2",
       .file = "relu-k2.onnx",
       .digest = {std::string(64, '0'), 1},
       .macs = 0,
       .ports = {},
       .kernels = {},
       .occurrences = {{"zoo:a batch=2", {2}}},
       .rejected = "alone it lacks Relu of 1 input"}};
  plan.left_over = {{"zoo:a batch=2", {3, 5}, "computed at load time"}};
  return plan;
}

std::string plan_text(const Plan& plan) {
  StringSink sink;
  record::write_json(plan, sink);
  return sink.text();
}

Result<Plan> read_manifest(const std::string& text) { return record::read_json<Plan>(text); }

/// The first line of the message of a refused manifest; "read" for one that is accepted.
std::string refusal(const std::string& text) {
  const Result<Plan> plan = read_manifest(text);
  if (plan.ok()) return "read";
  EXPECT_EQ(plan.error().error_class(), ErrorClass::kInput);
  return plan.error().summary();
}

std::string code_of(const std::string& text) {
  const Result<Plan> plan = read_manifest(text);
  return plan.ok() ? "read" : plan.error().code();
}

/// The filled manifest with `from`, which it must have, replaced once.
std::string damaged(std::string_view from, std::string_view to) {
  std::string text = plan_text(filled());
  const std::size_t at = text.find(from);
  if (at == text.npos) throw std::runtime_error("the manifest lacks " + std::string(from));
  return text.replace(at, from.size(), to);
}

TEST(Manifest, IsReadAsItWasWritten) {
  const Plan plan = filled(), same = testing::must(read_manifest(plan_text(plan)));
  EXPECT_EQ(plan_text(same), plan_text(plan));
  EXPECT_EQ(same.ridge, "1.2");
  EXPECT_EQ(same.runtime, "onnxruntime");
  EXPECT_EQ(same.runtime_version, "1.20");
  EXPECT_EQ(same.host, plan.host);
  EXPECT_EQ(same.threads, 3U);
  ASSERT_EQ(same.models.size(), 2U);
  EXPECT_EQ(same.models[0].name, "zoo:a batch=2");
  EXPECT_EQ(same.models[0].path, "zoo:a");
  EXPECT_EQ(same.models[0].graph_hash, "0123");
  EXPECT_EQ(same.models[0].sizes, plan.models[0].sizes);
  EXPECT_EQ(same.models[0].macs, 9'000'000'000'000'000'000);
  EXPECT_EQ(same.models[0].bricks, 3U);
  EXPECT_EQ(same.models[0].unique, 2U);
  EXPECT_EQ(same.models[0].added, 2U);
  ASSERT_EQ(same.bricks.size(), 2U);
  const Brick& b = same.bricks[0];
  EXPECT_EQ(b.key, "k1");
  EXPECT_EQ(b.file, "conv-k1.onnx");
  EXPECT_EQ(b.digest, (FileDigest{std::string(64, 'a'), 4711}));
  EXPECT_EQ(b.macs, 12);
  EXPECT_EQ(b.kernels, (std::vector<std::string>{"Conv", "Conv"}));
  EXPECT_TRUE(b.whole);
  EXPECT_EQ(b.rejected, "");
  EXPECT_EQ(same.bricks[1].rejected, "alone it lacks Relu of 1 input");
  ASSERT_EQ(b.ports.size(), 2U);
  EXPECT_EQ(b.ports[0].name, "in0");
  EXPECT_EQ(b.ports[0].direction, Direction::kInput);
  EXPECT_EQ(b.ports[0].dtype, "float32");
  EXPECT_EQ(b.ports[0].shape, (std::vector<std::int64_t>{1, 64, 7, 7}));
  EXPECT_EQ(b.ports[0].layout, Layout::kBlocked);
  EXPECT_EQ(b.ports[0].donor, "Conv 1x1, Relu");
  EXPECT_EQ(b.ports[1].direction, Direction::kOutput);
  EXPECT_EQ(b.ports[1].layout, Layout::kChannelsLast);
  EXPECT_EQ(b.ports[1].donor, "");
  ASSERT_EQ(b.occurrences.size(), 3U);
  EXPECT_EQ(b.occurrences[2].model, "b.onnx");
  EXPECT_EQ(b.occurrences[0].nodes, (std::vector<std::uint32_t>{0, 1}));
  ASSERT_EQ(same.left_over.size(), 1U);
  EXPECT_EQ(same.left_over[0].model, "zoo:a batch=2");
  EXPECT_EQ(same.left_over[0].nodes, (std::vector<std::uint32_t>{3, 5}));
  EXPECT_EQ(same.left_over[0].why, "computed at load time");
}

TEST(Manifest, OfAnEmptyPlanIsRead) {
  EXPECT_TRUE(testing::must(read_manifest(plan_text({}))).bricks.empty());
}

TEST(Manifest, IsRefusedIfItIsTruncatedAnywhere) {
  const std::string text = plan_text(filled());
  for (std::size_t size = 0; size + 2 < text.size(); ++size)
    EXPECT_EQ(code_of(text.substr(0, size)), "RIDGE-REC-0001") << size;
}

TEST(Manifest, IsRefusedIfItIsNone) {
  EXPECT_EQ(refusal("[]"), "object expected, got list");
  EXPECT_EQ(refusal("{}"), "key 'schema' is missing");
  EXPECT_EQ(refusal(damaged("ridge.bricks/1", "ridge.bricks/2")),
            "the document is ridge.bricks/2, newer than ridge.bricks/1");
  EXPECT_EQ(refusal(damaged("ridge.bricks/1", "ridge.zoo/1")),
            "the document is 'ridge.zoo/1', ridge.bricks/1 expected");
  EXPECT_EQ(refusal(damaged("\"schema\":", "\"scheme\":")), "key 'schema' is missing");
  EXPECT_EQ(code_of(std::string(100, '[')), "RIDGE-REC-0001");
  EXPECT_EQ(code_of(damaged("\"left_over\":[", "\"left_over\":[" + std::string(100'000, '['))),
            "RIDGE-REC-0001");
}

TEST(Manifest, IsRefusedIfAValueHasTheWrongType) {
  const std::vector<std::array<const char*, 3>> cases = {
      {"\"threads\":3", "\"threads\":\"3\"",
       "threads: integer from 1 to 4294967295 expected, got text"},
      {"\"threads\":3", "\"threads\":-3", "threads: integer from 1 to 4294967295 expected, got -3"},
      {"\"threads\":3", "\"threads\":0", "threads: integer from 1 to 4294967295 expected, got 0"},
      {"\"macs\":12", "\"macs\":-12", "bricks[0].macs: integer from 0 expected, got -12"},
      {"\"macs\":12", "\"macs\":1.5", "bricks[0].macs: integer from 0 expected, got 1.5"},
      {"\"macs\":12", "\"macs\":null", "bricks[0].macs: integer from 0 expected, got null"},
      {"\"batch\":2", "\"batch\":[]", "models[0].sizes.batch: integer expected, got list"},
      {"\"sizes\":{}", "\"sizes\":[]", "models[1].sizes: object expected, got list"},
      {"\"key\":\"k1\"", "\"key\":1", "bricks[0].key: text expected, got integer"},
      {"\"direction\":\"input\"", "\"direction\":\"in\"",
       "bricks[0].ports[0].direction: one of input, output expected, got 'in'"},
      {"\"layout\":\"blocked\"", "\"layout\":\"tiled\"",
       "bricks[0].ports[0].layout: one of plain, blocked, channels_last expected, got 'tiled'"},
      {"[1,64,7,7]", "[1,64,true,7]",
       "bricks[0].ports[0].shape[2]: integer expected, got true or false"},
      {"\"nodes\":[0,1]", "\"nodes\":[0,-1]",
       "bricks[0].occurrences[0].nodes[1]: integer from 0 to 4294967295 expected, got -1"},
      {"\"nodes\":[0,1]", "\"nodes\":{}",
       "bricks[0].occurrences[0].nodes: list expected, got object"},
      {"\"nodes\":[0,1]", "\"nodes\":[4294967296]",
       "bricks[0].occurrences[0].nodes[0]: integer from 0 to 4294967295 expected, got 4294967296"},
      {"\"why\":\"computed at load time\"", "\"why\":null",
       "left_over[0].why: text expected, got null"},
      {"\"kernels\":[]", "\"kernels\":null", "bricks[1].kernels: list expected, got null"},
      {"\"sha256\":\"00", "\"sha256\":\"0x",
       "bricks[1]: '0x00000000000000000000000000000000000000000000000000000000000000' is no "
       "SHA-256"},
      {",\"left_over\":", ",\"rest\":", "key 'left_over' is missing"}};
  for (const auto& [from, to, wanted] : cases) EXPECT_EQ(refusal(damaged(from, to)), wanted);
}

TEST(Manifest, IsRefusedIfItsRowsContradictEachOther) {
  const std::string begin = "the manifest is inconsistent: ";
  EXPECT_EQ(refusal(damaged("\"key\":\"k2\"", "\"key\":\"k1\"")),
            begin + "it has the key k1 twice");
  EXPECT_EQ(refusal(damaged("relu-k2.onnx", "conv-k1.onnx")),
            begin + "it has the file conv-k1.onnx twice");
  EXPECT_EQ(refusal(damaged("\"model\":\"b.onnx\"", "\"model\":\"c.onnx\"")),
            begin + "it has no model 'c.onnx'");
  EXPECT_EQ(refusal(damaged("\"name\":\"b.onnx\"", "\"name\":\"zoo:a batch=2\"")),
            begin + "it has no model 'b.onnx'");
  EXPECT_EQ(refusal(damaged("\"nodes\":[4]", "\"nodes\":[1]")),
            begin + "node 1 of 'zoo:a batch=2' is in two places");
  EXPECT_EQ(refusal(damaged("\"nodes\":[4]", "\"nodes\":[4,4]")),
            begin + "node 4 of 'zoo:a batch=2' is in two places");
  EXPECT_EQ(refusal(damaged("\"nodes\":[3,5]", "\"nodes\":[2,5]")),
            begin + "node 2 of 'zoo:a batch=2' is in two places");
}

TEST(Manifest, IsRefusedIfItHasAModelTwice) {
  Plan plan = filled();
  plan.models.push_back(plan.models[1]);
  EXPECT_EQ(refusal(plan_text(plan)),
            "the manifest is inconsistent: it has the model 'b.onnx' twice");
}

TEST(Manifest, IsRefusedIfAFileIsNotAPlainName) {
  const std::vector<std::string> files = {"",        "../conv.onnx", "/etc/passwd",   "a/b.onnx",
                                          ".hidden", "..",           {'a', '\0', 'b'}};
  for (const std::string& file : files) {
    Plan plan = filled();
    plan.bricks[1].file = file;
    EXPECT_EQ(code_of(plan_text(plan)), "RIDGE-BRICK-0010") << file;
  }
}

}  // namespace
}  // namespace ridge::bricks
