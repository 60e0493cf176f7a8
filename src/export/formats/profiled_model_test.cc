// SPDX-License-Identifier: Apache-2.0
#include "export/formats/profiled_model.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "export/formats/model_explorer.h"
#include "export/formats/netron.h"
#include "export/profile/testing.h"
#include "graph/sketch.h"
#include "onnx/reader.h"
#include "onnx/testing.h"

namespace ridge::exports {
namespace {

graph::Model model_of(std::string_view text) {
  auto model = graph::Model::build(graph::Sketch::document(text));
  if (!model.ok()) throw std::runtime_error(model.error().text());
  return std::move(model).value();
}

const char* const kNotedModel = R"(graph main
  input x[1,2,4,4]
  constant w[2,2,1,1]
  conv: Conv(x, w) -> c
  relu: Relu(c) -> y
  output y
)";

nlohmann::json node_data(NodeMetric metric) {
  StringSink sink;
  write_node_data(two_layers(), model_of(kNotedModel), metric, sink);
  return nlohmann::json::parse(sink.text())["main"];
}

TEST(ModelExplorer, TheTimeOfALayerStandsOnceAtItsLeadingNode) {
  EXPECT_EQ(node_data(NodeMetric::kTime)["results"],
            (nlohmann::json{{"conv", {{"value", 100}}}, {"c", {{"value", 100}}}}));
}

TEST(ModelExplorer, ANodeHasTheKeysThatAreItsOwnAlone) {
  profile::Profile p;
  for (std::uint32_t i = 0; i < 4; ++i) p.nodes.push_back({.index = i, .work = {.macs = i}});
  StringSink sink;
  // Two nodes have the name "twice", one has no name, and a tensor has the name of another node.
  write_node_data(p,
                  model_of("graph main\n  input x[4]\n  twice: Relu(x) -> a\n"
                           "  twice: Neg(a) -> last\n  Abs(last) -> c\n"
                           "  last: Exp(c) -> y\n  output y\n"),
                  NodeMetric::kMacs, sink);
  EXPECT_EQ(nlohmann::json::parse(sink.text())["main"]["results"],
            (nlohmann::json{{"a", {{"value", 0}}},
                            {"<node_2>", {{"value", 2}}},
                            {"c", {{"value", 2}}},
                            {"last", {{"value", 3}}},
                            {"y", {{"value", 3}}}}));
}

TEST(ModelExplorer, MacsAreEachNodesOwnAndARoofShareIsNotSummed) {
  EXPECT_EQ(node_data(NodeMetric::kMacs)["results"], (nlohmann::json{{"conv", {{"value", 20}}},
                                                                     {"c", {{"value", 20}}},
                                                                     {"relu", {{"value", 0}}},
                                                                     {"y", {{"value", 0}}}}));
  const auto share = node_data(NodeMetric::kRoofShare);
  EXPECT_EQ(share["results"], (nlohmann::json{{"conv", {{"value", 0.5}}},
                                              {"c", {{"value", 0.5}}},
                                              {"relu", {{"value", 0.5}}},
                                              {"y", {{"value", 0.5}}}}));
  EXPECT_EQ(share["hideAggregatedStats"], nlohmann::json{"sum"});
}

TEST(Netron, NotesSayLayerTimeAndEvidenceAndWhyThereIsNone) {
  profile::Profile p = two_layers();
  p.layers[0].members.pop_back();
  p.without_layer.push_back({1, profile::Why::kMerged, 0});
  const onnx::Notes notes = node_notes(p, model_of(kNotedModel));
  ASSERT_EQ(notes.size(), 2U);
  std::string text;
  for (const auto& node : notes)
    for (const onnx::Note& note : node) text += note.key + "=" + note.value + "\n";
  EXPECT_EQ(text,
            "ridge.layer=0 Conv\nridge.role=executes\nridge.evidence=renamed\n"
            "ridge.time_ns=100\nridge.share=0.6250\nridge.bound=compute\n"
            "ridge.roof_share=0.5000\nridge.macs=20\n"
            "ridge.macs=0\nridge.why=merged with node #0\n");
}

TEST(Netron, WeightsBesideTheModelKeepTheCopyInItsFolder) {
  const onnx::testing::TemporaryFolder folder;
  const std::string path = folder.make("m.onnx", onnx::testing::wire(R"(
    ir_version: 8
    graph {
      name: "main" node { op_type: "Add" input: "x" input: "w" output: "y" }
      initializer { dims: 2 data_type: 1 name: "w" data_location: 1
                    external_data { key: "location" value: "w.bin" } }
      input { name: "x" } output { name: "y" }
    }
    opset_import { version: 17 })"));
  auto document = onnx::read_file(path);
  ASSERT_TRUE(document.ok()) << document.error().text();
  const auto model =
      graph::Model::build(std::make_shared<onnx::Document>(std::move(document).value()));
  ASSERT_TRUE(model.ok()) << model.error().text();
  StringSink sink;
  const auto refused = write_annotated_model({}, *model, CopyLies::kElsewhere, sink);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message(),
            "the model has external weights in 'w.bin', which a copy elsewhere would not find");
  EXPECT_EQ(sink.text(), "");
  EXPECT_TRUE(write_annotated_model({}, *model, CopyLies::kBesideTheModel, sink).ok());
}

TEST(Netron, ANetworkThatIsNoFileIsRefused) {
  StringSink sink;
  const auto refused =
      write_annotated_model({}, model_of(kNotedModel), CopyLies::kBesideTheModel, sink);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), "RIDGE-EXP-0005");
}

TEST(CheckModel, AnotherModelIsRefusedByHashOrByOperators) {
  profile::Profile p = two_layers();
  EXPECT_TRUE(check_model(p, model_of(kNotedModel)).ok());
  p.nodes[1].op_type = "Tanh";
  const auto refused = check_model(p, model_of(kNotedModel));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), "RIDGE-EXP-0003");
  EXPECT_EQ(refused.error().message(),
            "this is not the model that was profiled: node #1 is Relu, in the run it is Tanh");
  p.subject.graph_hash = "00";
  EXPECT_FALSE(check_model(p, model_of(kNotedModel)).ok());
  p.subject.graph_hash = graph::structure_hash(model_of(kNotedModel));
  EXPECT_TRUE(check_model(p, model_of(kNotedModel)).ok());
}

}  // namespace
}  // namespace ridge::exports
