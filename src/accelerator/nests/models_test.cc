// SPDX-License-Identifier: Apache-2.0
// Checks which layers have a loop nest and that its multiply-accumulates are the analysis's: on the
// reference networks, the zoo, the packaged models and the operator cases of the onnx package.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "accelerator/lowering.h"
#include "accelerator/nests/registry.h"
#include "accelerator/nests/testing.h"
#include "accelerator/products.h"
#include "accelerator/testing/networks.h"
#include "ops/operator.h"

namespace ridge::accelerator {
namespace {

/// Nests with more multiply-accumulates are counted, not executed.
constexpr std::int64_t kExecuted = 10'000;

/// Operators without a nest, because their factors are attributes and not tensors.
const std::set<std::string_view> kOfAttributes = {"LinearClassifier", "LinearRegressor",
                                                  "SVMClassifier", "SVMRegressor"};

struct NestTally {
  bool executes = false;
  int counted = 0, executed = 0;
  std::set<std::string> without;
};

void check_nests(const analysis::Resolved& r, const std::string& name, NestTally& tally) {
  SCOPED_TRACE(name);
  const Lowered l = lower(r);
  const auto profiles = profile_nests(l, r);
  ASSERT_TRUE(profiles.ok()) << profiles.error().text();
  for (const Layer& layer : l.layers) {
    if (layer.macs == 0 || kOfAttributes.contains(layer.op_type)) continue;
    const LayerProfile* p = profiles->find(layer.node);
    ASSERT_NE(p, nullptr) << layer.name;
    if (!p->reason.empty()) {
      tally.without.insert(name + " " + layer.op_type + ": " + p->reason);
      continue;
    }
    EXPECT_EQ(p->macs, layer.macs) << layer.name << " " << layer.op_type;
    ++tally.counted;
    if (!tally.executes || layer.macs > kExecuted) continue;
    const auto nest = layer_nest(r, layer.node);
    EXPECT_EQ(testing::told_by(count, nest->nest), testing::told_by(testing::execute, nest->nest))
        << layer.name << " " << layer.op_type;
    ++tally.executed;
  }
}

auto nests_checked(NestTally& tally) {
  return [&tally](const analysis::Resolved& r, const std::string& name) {
    check_nests(r, name, tally);
  };
}

TEST(NestOfModels, ReferenceNetworks) {
  NestTally tally;
  if (!testing::for_each_reference_network(nests_checked(tally)))
    GTEST_SKIP() << "the reference networks are not here";
  EXPECT_EQ(tally.without, std::set<std::string>());
  EXPECT_GT(tally.counted, 500);
}

TEST(NestOfModelsSlow, Zoo) {
  NestTally tally;
  testing::for_each_zoo_network(nests_checked(tally));
  EXPECT_EQ(tally.without, std::set<std::string>());
  EXPECT_GT(tally.counted, 500);
}

TEST(NestOfModels, PackagedModels) {
  NestTally tally;
  if (!testing::for_each_packaged_model(nests_checked(tally)))
    GTEST_SKIP() << "scripts/fetch_models.sh has not been able to run";
  EXPECT_EQ(tally.without, std::set<std::string>());
}

TEST(NestOfModelsSlow, OperatorCasesExecutedElementByElement) {
  NestTally tally{.executes = true};
  if (!testing::for_each_operator_case(nests_checked(tally)))
    GTEST_SKIP() << "scripts/fetch_onnx_cases.sh has not been able to run";
  EXPECT_EQ(tally.without, std::set<std::string>());
  EXPECT_GT(tally.executed, 100);
}

TEST(NestOfModels, EveryOperatorWithProductsHasOne) {
  for (const ops::Operator* op : ops::all()) {
    if (!has_products(op->domain, op->name) || kOfAttributes.contains(op->name)) continue;
    EXPECT_TRUE(has_layer_nest(op->domain, op->name)) << op->domain << " " << op->name;
  }
}

}  // namespace
}  // namespace ridge::accelerator
