// SPDX-License-Identifier: Apache-2.0
#include "bricks/brick_model.h"

#include <deque>

#include "bricks/testing.h"

namespace ridge::bricks {
namespace {

using testing::crafted;
using testing::must;
using testing::resolved;

constexpr std::string_view kModel = R"(graph main
  input x[2,8,4,6]
  constant w[8,8,1,1]
  conv: Conv(x, w) -> y
  output y[2,8,4,6])";

/// "in0 [2,16,4,6] | Conv in0.conv, Relu in0.relu, ..., | out0 [2,16,4,6]", without weights.
std::string model_text(const BrickModel& brick) {
  const auto ports = [](std::span<const onnx::ValueInfo> infos) {
    std::string out;
    for (const onnx::ValueInfo& info : infos) {
      out += fmt::format("{} [", info.name);
      for (const onnx::Dimension& d : info.type.shape)
        out += fmt::format("{}{}", out.back() == '[' ? "" : ",", d.value);
      out += "]";
    }
    return out;
  };
  const onnx::Graph& graph = brick.document->model.graph;
  std::string out = ports(graph.inputs) + " |";
  for (const onnx::Node& node : graph.nodes)
    if (node.op_type != "ConstantOfShape")
      out += fmt::format(" {} {}", std::string_view(node.op_type), std::string_view(node.name));
  return out + " | " + ports(graph.outputs);
}

std::string brick_text(Layout layout, bool donor) {
  const Network network = crafted(resolved(kModel));
  Piece piece = Cutter(network).piece(0, 1);
  for (auto* crossing : {&piece.inputs, &piece.outputs})
    for (CrossingTensor& t : *crossing) t.layout = layout, t.donor = donor;
  return model_text(must(brick_model(network, piece, must(canonical_form(network, piece)))));
}

TEST(BrickModel, HasDonorsThatProduceTheLayoutOfEachPort) {
  EXPECT_EQ(brick_text(Layout::kPlain, true),
            "in0 [2,8,4,6] | Neg in0.copy Conv n0 Neg out0.copy | out0 [2,8,4,6]");
  EXPECT_EQ(brick_text(Layout::kPlain, false), "in0 [2,8,4,6] | Conv n0 | t0.0 [2,8,4,6]");
  EXPECT_EQ(brick_text(Layout::kBlocked, true),
            "in0 [2,16,4,6] | Conv in0.conv Relu in0.relu Conv n0 Conv out0.conv | "
            "out0 [2,16,4,6]");
  EXPECT_EQ(brick_text(Layout::kChannelsLast, true),
            "in0 [2,4,6,8] | Transpose in0.transpose Conv n0 Transpose out0.transpose | "
            "out0 [2,4,6,8]");
}

TEST(BrickModel, ReturnsWhatTheModelKeeps) {
  const Network network = crafted(resolved(kModel));
  Piece piece = Cutter(network).piece(0, 1);
  const std::string key = must(canonical_form(network, piece)).key;
  piece.inputs[0].kept = true;
  const Form form = must(canonical_form(network, piece));
  EXPECT_NE(form.key, key);
  const BrickModel model = must(brick_model(network, piece, form));
  EXPECT_EQ(
      model_text(model),
      "in0 [2,8,4,6] | Neg in0.copy Conv n0 Neg out0.copy | in0.made [2,8,4,6]out0 [2,8,4,6]");
  EXPECT_EQ(model.ports[0].donor, "Neg, kept");
}

// ConstantOfShape, which weights are written as, exists from opset 9 on.
TEST(BrickModel, RaisesModelsOfOpset7And8) {
  std::deque<Network> networks;  // to which the models of bricks refer
  const auto raised = [&](int opset, std::string_view line) -> Result<BrickModel> {
    const std::shared_ptr<onnx::Document> document = graph::Sketch::document(fmt::format(
        "graph main\n input x[2,8,4,6]\n constant w[8,8,1,1] s[8] b[8] m[8] v[8]\n {} -> y\n"
        " output y",
        line));
    document->model.ir_version = 3;
    document->model.opsets = document->arena.copy(std::vector<onnx::OperatorSet>{{"", opset}});
    const Network& network = networks.emplace_back(crafted(testing::resolved_document(document)));
    const Piece piece = Cutter(network).piece(0, 1);
    return brick_model(network, piece, TRY(canonical_form(network, piece)));
  };
  const BrickModel conv = must(raised(7, "Conv(x, w)"));
  EXPECT_EQ(conv.document->model.opsets[0].version, 9);
  EXPECT_EQ(conv.document->model.ir_version, 4);
  EXPECT_EQ(must(raised(11, "Conv(x, w)")).document->model.opsets[0].version, 11);
  const BrickModel normal =
      must(raised(7, "BatchNormalization(x, s, b, m, v) {spatial=1 epsilon=0.25f}"));
  for (const onnx::Node& node : normal.document->model.graph.nodes)
    if (node.op_type == "BatchNormalization") {
      EXPECT_EQ(node.attributes.size(), 1U);
    }
  EXPECT_EQ(raised(7, "BatchNormalization(x, s, b, m, v) {spatial=0}").error().code(),
            "RIDGE-BRICK-0003");
}

TEST(BrickModel, DonorsArePartOfTheKey) {
  const Network network = crafted(resolved(kModel));
  const Piece piece = Cutter(network).piece(0, 1);
  std::set<std::string> keys;
  for (const bool input : {true, false})
    for (const bool output : {true, false})
      for (const Layout layout : {Layout::kPlain, Layout::kBlocked, Layout::kChannelsLast}) {
        Piece other = piece;
        other.inputs[0].donor = input;
        other.outputs[0].donor = output;
        other.inputs[0].layout = layout;
        keys.insert(must(canonical_form(network, other)).key);
      }
  EXPECT_EQ(keys.size(), 12U);
}

TEST(BrickModel, CountsOnlyNodesOfThePieceAsItsCore) {
  EXPECT_TRUE(is_core_name("n0"));
  EXPECT_TRUE(is_core_name("n17"));
  for (const std::string_view name : {"n", "h0", "n0.1", "in0.conv", "out0.copy", "c0.fill", ""})
    EXPECT_FALSE(is_core_name(name)) << name;
}

}  // namespace
}  // namespace ridge::bricks
