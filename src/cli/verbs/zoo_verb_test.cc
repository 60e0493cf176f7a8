// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/zoo_verb.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/resolved.h"
#include "session/model_source.h"
#include "zoo/zoo.h"

namespace ridge::cli {
namespace {

struct Printed {
  StringSink out, err;
  Console console{out, err};
};

ZooOptions list_as(std::string format) {
  ZooOptions options;
  options.format = std::move(format);
  return options;
}

ZooOptions write_of(std::string network, std::string path = "") {
  ZooOptions options;
  options.action = "write";
  options.network = std::move(network);
  options.output = std::move(path);
  return options;
}

TEST(ZooVerb, ListCountsWhatTheOriginalsDo) {
  // MACs of convolutions, linear layers and matrix products as PyTorch's dispatcher counts them,
  // batch 1, sequence 128.
  const std::map<std::string, std::pair<std::int64_t, std::int64_t>> expected = {
      {"bert_base", {109'482'240, 11'174'215'680}}, {"efficientnet_b0", {5'288'548, 385'814'752}},
      {"gpt2", {124'439'808, 16'114'089'984}},      {"mobilenet_v2", {3'504'872, 300'774'272}},
      {"resnet50", {25'557'032, 4'089'184'256}},    {"vit_b_16", {86'567'656, 17'563'828'224}}};
  Printed p;
  ASSERT_EQ(zoo(list_as("json"), p.console), kDone) << p.err.text();
  const auto doc = nlohmann::json::parse(p.out.text());
  EXPECT_EQ(doc["schema"], "ridge.zoo/1");
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> got;
  for (const auto& n : doc["networks"]) got[n["name"]] = {n["params"], n["macs"]};
  EXPECT_EQ(got.size(), zoo::entries().size());
  for (const auto& [name, figures] : expected) EXPECT_EQ(got[name], figures) << name;
}

TEST(ZooVerb, ListForPeopleGoesByFamilyAndWork) {
  Printed p;
  ASSERT_EQ(zoo(list_as("csv"), p.console), kDone) << p.err.text();
  const std::string text = p.out.text();
  const auto at = [&](const char* name) { return text.find(std::string(",") + name + ","); };
  EXPECT_LT(at("resnet18"), at("resnet34"));
  EXPECT_LT(at("resnet34"), at("resnet101"));
  EXPECT_LT(at("resnet152"), at("shufflenet_v2_x0_5"));
  EXPECT_NE(at("yolov8x"), std::string::npos);
}

TEST(ZooVerb, NoNodeOfTheZooIsUnknown) {
  for (const char* name :
       {"bert_base", "efficientnet_b0", "gpt2", "mobilenet_v2", "resnet50", "vit_b_16"}) {
    const auto opened = session::open_model(std::string("zoo:") + name);
    ASSERT_TRUE(opened.ok());
    const auto resolved = analysis::resolve(opened->model, {}, opened->defaults);
    ASSERT_TRUE(resolved.ok()) << resolved.error().text();
    EXPECT_EQ(resolved->totals().unknown, 0) << name;
  }
}

TEST(ZooVerb, AWrittenFileIsTheSameNetwork) {
  const auto folder = std::filesystem::temp_directory_path() / "ridge_zoo_verb_test";
  std::filesystem::create_directories(folder);
  const std::string path = folder / "mobilenet.onnx";
  Printed p;
  ASSERT_EQ(zoo(write_of("mobilenet_v2", path), p.console), kDone) << p.err.text();
  const auto file = session::open_model(path), built = session::open_model("zoo:mobilenet_v2");
  ASSERT_TRUE(file.ok()) << file.error().text();
  EXPECT_EQ(graph::structure_hash(*file->model), graph::structure_hash(*built->model));
  EXPECT_TRUE(file->defaults.empty()) << "a file has no defaults";
  std::filesystem::remove_all(folder);
}

TEST(ZooVerb, WritingWithoutANameOrAnUnknownOneIsAUsageError) {
  Printed p;
  EXPECT_EQ(zoo(write_of(""), p.console), kUsage);
  EXPECT_EQ(
      p.err.text(),
      "error: ridge zoo write requires the name of a network\n"
      "  hint: ridge zoo list shows all; for example: ridge zoo write resnet50 -o resnet50.onnx\n"
      "  [RIDGE-CLI-0040]\n");
  Printed q;
  EXPECT_EQ(zoo(write_of("resnet"), q.console), kUsage);
  EXPECT_NE(q.err.text().find("[RIDGE-ZOO-0001]"), std::string::npos);
  EXPECT_TRUE(q.out.text().empty());
}

}  // namespace
}  // namespace ridge::cli
