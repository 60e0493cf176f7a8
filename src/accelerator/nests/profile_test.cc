// SPDX-License-Identifier: Apache-2.0
#include "accelerator/nests/profile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

namespace ridge::accelerator {
namespace {

/// for i in 8: y[i] = y[i] + x[i] * y[i]; kByData: only if x[i] < 0.
enum class Decided { kByLoops, kByData };
Nest multiplying(Decided decided) {
  Nest nest;
  const BufferId x = nest.add_buffer({.name = "x", .shape = {8}});
  const BufferId y = nest.add_buffer({.name = "y", .shape = {8}});
  Stmt loop;
  loop.kind = Stmt::Kind::kLoop;
  loop.variable = nest.add_variable("i");
  loop.extent = 8;
  const std::array at = {nest.variable(loop.variable)};
  Stmt store;
  store.kind = Stmt::Kind::kStore;
  store.buffer = y;
  store.indices = {at[0]};
  store.value =
      nest.combine(Expr::Kind::kAdd, nest.load(y, at),
                   nest.combine(Expr::Kind::kMultiply, nest.load(x, at), nest.load(y, at)));
  loop.children = {nest.add(std::move(store))};
  if (decided == Decided::kByData) {
    Stmt branch;
    branch.kind = Stmt::Kind::kIf;
    branch.condition = nest.combine(Expr::Kind::kLess, nest.load(x, at), nest.integer(0));
    branch.children = loop.children;
    loop.children = {nest.add(std::move(branch))};
  }
  Stmt block;
  block.kind = Stmt::Kind::kBlock;
  block.node = 3;
  block.children = {nest.add(std::move(loop))};
  nest.root = nest.add(std::move(block));
  return nest;
}

TEST(NestProfile, AddsUpTheNestsOfANode) {
  ProfileCollector all;
  ASSERT_TRUE(all.add(multiplying(Decided::kByLoops), {}).ok());
  ASSERT_TRUE(all.add(multiplying(Decided::kByLoops), {}, 10).ok());
  const Profiles p = all.finish(ProfileSource::kNest);
  ASSERT_EQ(p.layers.size(), 1U);
  EXPECT_EQ(p.layers[0].node, 3U);
  EXPECT_EQ(p.layers[0].macs, 88);
  EXPECT_EQ(p.layers[0].reason, "");
}

TEST(NestProfile, SaysWhereTheDataDecideHowOftenItMultiplies) {
  ProfileCollector all;
  ASSERT_TRUE(all.add(multiplying(Decided::kByData), {}).ok());
  const Profiles p = all.finish(ProfileSource::kNest);
  ASSERT_EQ(p.layers.size(), 1U);
  EXPECT_EQ(p.layers[0].reason, "the data decide how often it multiplies and accumulates");
  EXPECT_EQ(p.layers[0].macs, 0);
  EXPECT_TRUE(p.layers[0].buffers.empty());
}

TEST(NestProfile, NestsShareTheirLimit) {
  const Nest nest = multiplying(Decided::kByLoops);
  std::int64_t steps = 0;
  NestHooks none;
  ASSERT_TRUE(count(nest, none, {.taken = &steps}).ok());
  ProfileCollector all(WalkLimits{.steps = 2 * steps - 1});
  ASSERT_TRUE(all.add(nest, {}).ok());
  const auto second = all.add(nest, {});
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().text(),
            fmt::format("error: evaluating the loop nest takes more than {} steps\n"
                        "  [RIDGE-ACC-0303]\n",
                        2 * steps - 1));
}

}  // namespace
}  // namespace ridge::accelerator
