// SPDX-License-Identifier: Apache-2.0
// Coverage of multiply-accumulates by products, on whole networks and on the operator cases of the
// onnx package.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "accelerator/lowering.h"
#include "accelerator/products.h"
#include "accelerator/testing/networks.h"

namespace ridge::accelerator {
namespace {

struct ProductTally {
  int with_macs = 0, with_products = 0;
  std::set<std::string> without;
};

/// Compares every layer's products with the node's own count, and the layers' MACs with the
/// model's.
void check_products(const analysis::Resolved& r, const std::string& name, ProductTally& tally) {
  SCOPED_TRACE(name);
  const Lowered l = lower(r);
  std::int64_t macs = 0;
  for (const Layer& layer : l.layers) {
    if (r.counts(layer.node).macs.is(0)) continue;
    ++tally.with_macs;
    if (layer.gemms.empty()) {
      EXPECT_FALSE(layer.reason.empty());
      tally.without.insert(name + " " + layer.op_type + ": " + layer.reason);
      continue;
    }
    ++tally.with_products;
    std::int64_t sum = 0;
    for (const Gemm& g : layer.gemms) sum += g.macs();
    EXPECT_EQ(sum, r.counts(layer.node).macs.value()) << layer.name;
    macs += sum;
  }
  EXPECT_EQ(macs + l.without_gemms, l.macs);
  EXPECT_EQ(l.macs, r.totals().macs.value());
}

auto products_checked(ProductTally& tally) {
  return [&tally](const analysis::Resolved& r, const std::string& name) {
    check_products(r, name, tally);
  };
}

TEST(LoweringOfModels, EveryMultiplyAccumulateOfTheReferenceNetworksHasAProduct) {
  ProductTally tally;
  if (!testing::for_each_reference_network(products_checked(tally)))
    GTEST_SKIP() << "the reference networks are not here";
  EXPECT_EQ(tally.without, std::set<std::string>());
  RecordProperty("nodes", tally.with_macs);
}

bool all_floats(const analysis::Resolved& r, graph::NodeId n) {
  const graph::Node node = r.model().node(n);
  const auto floats = [&](graph::ValueId v) {
    return v == graph::kNone || r.type(v).dtype == onnx::DataType::kFloat;
  };
  return std::all_of(node.inputs.begin(), node.inputs.end(), floats) &&
         std::all_of(node.outputs.begin(), node.outputs.end(), floats);
}

/// Value behind the views of a value.
graph::ValueId behind_views(const analysis::Resolved& r, graph::ValueId v) {
  const std::set<std::string_view> views = {"Reshape", "Unsqueeze", "Squeeze", "Flatten",
                                            "Identity"};
  for (;;) {
    const graph::NodeId n = r.model().value(v).producer;
    if (n == graph::kNone || !views.contains(r.model().node(n).op_type)) return v;
    v = r.model().node(n).inputs[0];
  }
}

/// True for a node that reads one tensor under two names, which it reads once.
bool reads_one_tensor_twice(const analysis::Resolved& r, graph::NodeId n) {
  std::set<graph::ValueId> seen;
  return !std::ranges::all_of(r.model().node(n).inputs, [&](graph::ValueId v) {
    return v == graph::kNone || seen.insert(behind_views(r, v)).second;
  });
}

/// The elements that a layer alone moves are its node's, unless it moves data without a copy.
void check_moved(const analysis::Resolved& r, const Layer& l) {
  const std::int64_t read = r.counts(l.node).bytes_read.value(),
                     written = r.counts(l.node).bytes_written.value();
  if ((l.move != Move::kNone && l.move != Move::kCopy) || reads_one_tensor_twice(r, l.node)) {
    EXPECT_LE(l.vector->read * 4, read) << l.name;
    EXPECT_LE(l.vector->written * 4, written) << l.name;
    return;
  }
  EXPECT_EQ(l.vector->read * 4, read) << l.name;
  EXPECT_EQ(l.vector->written * 4, written) << l.name;
}

/// Fusion puts every node in one layer, with the same operations and fewer elements moved.
void check_fusion(const analysis::Resolved& r) {
  std::set<graph::NodeId> alone, together;
  std::int64_t operations = 0, moved = 0;
  for (const Layer& l : lower(r, {.fuse = analysis::Fuse::kNone}).layers) {
    EXPECT_TRUE(l.riders.empty());
    EXPECT_TRUE(alone.insert(l.node).second);
    const VectorWork& work = l.vector.value();
    operations += work.operations;
    moved += work.read + work.written;
    if (!l.vector_only() || !all_floats(r, l.node)) continue;
    check_moved(r, l);
  }
  for (const Layer& l : lower(r).layers) {
    EXPECT_TRUE(together.insert(l.node).second);
    for (const graph::NodeId n : l.riders) EXPECT_TRUE(together.insert(n).second);
    operations -= l.vector.value().operations;
    moved -= l.vector->read + l.vector->written;
  }
  EXPECT_EQ(alone, together);
  EXPECT_EQ(operations, 0);
  EXPECT_GE(moved, 0);
}

TEST(LoweringOfModels, FusionMovesNodesAndSavesElements) {
  if (!testing::for_each_reference_network(
          [](const analysis::Resolved& r, const std::string& name) {
            SCOPED_TRACE(name);
            check_fusion(r);
          }))
    GTEST_SKIP() << "the reference networks are not here";
}

TEST(LoweringOfModels, EveryMultiplyAccumulateOfTheZooHasAProduct) {
  ProductTally tally;
  testing::for_each_zoo_network(products_checked(tally));
  EXPECT_EQ(tally.without, std::set<std::string>());
  RecordProperty("nodes", tally.with_macs);
}

TEST(LoweringOfModels, OperatorCasesHaveProductsWhereTheirWorkIsKnown) {
  ProductTally tally;
  if (!testing::for_each_operator_case(products_checked(tally)))
    GTEST_SKIP() << "scripts/fetch_onnx_cases.sh has not been able to run";
  EXPECT_EQ(tally.without, std::set<std::string>());
  RecordProperty("nodes", tally.with_macs);
}

TEST(LoweringOfModels, EveryOperatorThatMultipliesAndAddsHasARule) {
  // Operators whose amount of work depends on the data.
  const std::set<std::string_view> decided = {
      "DynamicSparseAttention",   "LongformerAttention",         "PackedAttention",
      "PackedMultiHeadAttention", "QOrderedLongformerAttention", "SparsePagedAttention",
      "WordConvEmbedding"};
  for (const ops::Operator* op : ops::all()) {
    if (op->formula.find("MAC") == std::string_view::npos || decided.contains(op->name)) continue;
    EXPECT_TRUE(has_products(op->domain, op->name)) << op->name << ": " << op->formula;
  }
}

TEST(LoweringOfModels, PackagedModelsHaveAProductForEveryMultiplyAccumulate) {
  ProductTally tally;
  if (!testing::for_each_packaged_model(products_checked(tally)))
    GTEST_SKIP() << "scripts/fetch_models.sh has not been able to run";
  EXPECT_EQ(tally.without, std::set<std::string>());
  RecordProperty("nodes", tally.with_macs);
}

}  // namespace
}  // namespace ridge::accelerator
