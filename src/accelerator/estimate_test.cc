// SPDX-License-Identifier: Apache-2.0
// Compares sums with their parts, and doubled machine parts with known effects.
#include "accelerator/estimate.h"

#include <gtest/gtest.h>

#include <map>

#include "accelerator/vector_unit.h"

namespace ridge::accelerator {
namespace {

const EnergyRates kEstimateRates = {.mac = 1,
                                    .register_file = 0.5,
                                    .sram_read = {1, 1, 1},
                                    .sram_write = {2, 2, 2},
                                    .dram_byte = 10,
                                    .leakage_cycle = 3,
                                    .vector_add = 0.5,
                                    .vector_multiply = 1.5};

/// 16 x 16 array; DRAM of 16 bytes per cycle.
Machine estimated_machine() {
  Machine m;
  m.name = "test";
  m.rows = m.columns = 16;
  m.sram.shared_bytes = 1 << 16;
  m.dram = {16, 0};
  m.clock_mhz = 1000;
  m.vector.lanes = 16;
  return m;
}

Layer layer_of_gemms(std::vector<Gemm> gemms) {
  Layer layer;
  layer.name = "l";
  for (const Gemm& g : gemms) layer.macs += g.macs();
  layer.gemms = std::move(gemms);
  return layer;
}

std::map<std::string, double> sensitivities(const LayerCost& cost) {
  return {cost.sensitivity.begin(), cost.sensitivity.end()};
}

TEST(Estimate, ALayerIsTheSumOfItsProductsAndTheNetworkThatOfItsLayers) {
  const Gemm a = matrix_product(100, 30, 70), b = matrix_product(7, 9, 11, 5);
  const auto one = estimate({layer_of_gemms({a, b}), layer_of_gemms({b})}, estimated_machine(),
                            kEstimateRates, {});
  const auto parts =
      estimate({layer_of_gemms({a}), layer_of_gemms({b})}, estimated_machine(), kEstimateRates, {});
  ASSERT_TRUE(one.ok() && parts.ok());
  const LayerCost &pa = parts->layers[0], &pb = parts->layers[1];
  EXPECT_EQ(one->layers[0].total_cycles(), pa.total_cycles() + pb.total_cycles());
  EXPECT_EQ(one->layers[0].dram->filter, pa.dram->filter + pb.dram->filter);
  EXPECT_EQ(one->totals.total_cycles(), pa.total_cycles() + 2 * pb.total_cycles());
  EXPECT_DOUBLE_EQ(one->totals.energy->total(), pa.energy->total() + 2 * pb.energy->total());
  EXPECT_EQ(one->totals.padded_macs, a.macs() + 2 * b.macs());
}

TEST(Estimate, ALayerReportsTheMappingOfItsLongestProduct) {
  // The longest is not as long as the two before it together.
  const Gemm first = matrix_product(64, 64, 600), second = matrix_product(64, 64, 500),
             longest = matrix_product(900, 64, 64);
  const auto cost = [](std::vector<Gemm> products) {
    return estimate({layer_of_gemms(std::move(products))}, estimated_machine(), kEstimateRates, {})
        ->layers[0];
  };
  const LayerCost alone = cost({longest}), all = cost({first, second, longest});
  ASSERT_GT(alone.total_cycles(), cost({first}).total_cycles());
  ASSERT_LT(alone.total_cycles(), cost({first, second}).total_cycles());
  EXPECT_EQ(all.tile, alone.tile);
  EXPECT_NE(all.tile, cost({first}).tile);
}

TEST(Estimate, ProductsInTurnTakeAsLongAsEachAloneAndOthersLess) {
  Gemm b = matrix_product(7, 9, 11, 5);
  const auto cycles = [](const Gemm& g) {
    return estimate({layer_of_gemms({g})}, estimated_machine(), kEstimateRates, {})
        ->totals.total_cycles();
  };
  const std::int64_t one = cycles(matrix_product(7, 9, 11));
  EXPECT_LT(cycles(b), 5 * one);
  b.in_turn = true;
  EXPECT_EQ(cycles(b), 5 * one);
}

TEST(Estimate, WhatADramBoundLayerNeedsIsDramAndWhatAComputeBoundOneNeedsIsTheArray) {
  // A vector-matrix product uses every weight once; 16 weights per cycle exceed the DRAM bandwidth.
  Machine slow = estimated_machine();
  slow.dram.gb_per_s = 4;
  const auto vector =
      estimate({layer_of_gemms({matrix_product(1, 4096, 4096)})}, slow, kEstimateRates, {});
  ASSERT_TRUE(vector.ok());
  EXPECT_EQ(name(vector->layers[0].bound), "dram filter");
  EXPECT_NEAR(sensitivities(vector->layers[0]).at("dram.gb_per_s"), 0.5, 0.01);
  EXPECT_NEAR(sensitivities(vector->layers[0]).at("array.rows"), 0, 0.01);
  // A square product uses each element 512 times.
  const auto square = estimate({layer_of_gemms({matrix_product(512, 512, 512)})},
                               estimated_machine(), kEstimateRates, {});
  ASSERT_TRUE(square.ok());
  EXPECT_EQ(name(square->layers[0].bound), "compute");
  EXPECT_NEAR(sensitivities(square->layers[0]).at("array.rows"), 0.5, 0.02);
  EXPECT_NEAR(sensitivities(square->layers[0]).at("dram.gb_per_s"), 0, 0.02);
}

TEST(Estimate, RidersTakeNoLessThanTheirOwnWorkAndBytesAndHideBehindTheProducts) {
  Layer alone = layer_of_gemms({matrix_product(512, 512, 512)});
  Layer light = alone, heavy = alone;
  light.vector = VectorWork{.read = 10, .written = 0, .operations = 512 * 512};
  heavy.vector = VectorWork{.read = 0, .written = 0, .operations = std::int64_t{1} << 32};
  const auto e =
      estimate({alone, light, heavy}, estimated_machine(), kEstimateRates, {.sensitivity = false});
  ASSERT_TRUE(e.ok());
  // The ten elements are loaded with the operands of their tiles, a byte each at most.
  EXPECT_GE(e->layers[1].total_cycles(), e->layers[0].total_cycles());
  EXPECT_LE(e->layers[1].total_cycles(), e->layers[0].total_cycles() + 10);
  EXPECT_EQ(e->layers[1].dram->ifmap, e->layers[0].dram->ifmap + 10);
  // Nothing hides the first load and the last store.
  EXPECT_GT(e->layers[2].edge_cycles, 0);
  EXPECT_EQ(e->layers[2].total_cycles() - e->layers[2].edge_cycles, (std::int64_t{1} << 32) / 16);
  EXPECT_EQ(e->layers[2].bound, Bound::kVector);
  Machine one_lane = estimated_machine();
  one_lane.vector.lanes = 1;
  const auto slow = estimate({heavy}, one_lane, kEstimateRates, {.sensitivity = false});
  ASSERT_TRUE(slow.ok());
  EXPECT_EQ(slow->layers[0].total_cycles() - slow->layers[0].edge_cycles, std::int64_t{1} << 32);
  EXPECT_EQ(e->layers[0].energy->vector, 0);
  EXPECT_EQ(e->layers[1].energy->vector, 512 * 512);  // 1 pJ per operation
  EXPECT_EQ(e->layers[2].energy->vector, 0x1p32);
  EXPECT_EQ(e->totals.energy->vector, 512 * 512 + 0x1p32);
}

TEST(Estimate, ALayerOfTheVectorUnitAloneCostsWhatTheUnitDoes) {
  Layer pool;
  pool.name = "pool";
  pool.vector = VectorWork{.read = 64'000, .written = 16'000, .operations = 48'000};
  const auto e = estimate({pool}, estimated_machine(), kEstimateRates, {.sensitivity = false});
  ASSERT_TRUE(e.ok());
  // 80,000 bytes at 16 per cycle hide 3,000 cycles of work.
  EXPECT_EQ(e->layers[0].total_cycles(), 5000);
  EXPECT_EQ(e->layers[0].compute_cycles, 3000);
  EXPECT_EQ(e->layers[0].bound, Bound::kDramIfmap);
  EXPECT_DOUBLE_EQ(e->layers[0].energy->dram, 800'000);
  EXPECT_DOUBLE_EQ(e->layers[0].energy->vector, 48'000);
}

TEST(Estimate, ATileThatDoesNotFitIsRefusedWithTheBytesThatItLacks) {
  Machine m = estimated_machine();
  m.sram.shared_bytes = 1000;
  const auto e = estimate({layer_of_gemms({matrix_product(64, 64, 64)})}, m, kEstimateRates,
                          {.tile = Tile{32, 32, 32}});
  ASSERT_FALSE(e.ok());
  // Two tiles of 32 x 32 bytes of each factor, two of 32 x 32 accumulators with 4 bytes.
  EXPECT_EQ(e.error().message(),
            "tile 32,32,32 of layer 'l' needs 11288 bytes more than the SRAM of test has");
  EXPECT_EQ(e.error().code(), "RIDGE-ACC-0160");
}

TEST(Estimate, TheScalesimConventionOnAMachineIsThatOfItsConfiguration) {
  const std::vector<Layer> layers = {layer_of_gemms({matrix_product(100, 30, 70)})};
  Machine m = estimated_machine();
  m.sram.shared_bytes = 0;
  m.sram.bytes = {4096, 4096, 4096};
  const auto e = estimate(layers, m, kEstimateRates, {.convention = Convention::kScalesim});
  const Estimate own =
      estimate(layers, ScalesimMachine{16, 16, m.dataflow, m.sram.bytes, std::nullopt});
  ASSERT_TRUE(e.ok());
  EXPECT_EQ(e->totals.total_cycles(), own.totals.total_cycles());
  EXPECT_EQ(e->totals.dram->ifmap, own.totals.dram->ifmap);
  EXPECT_DOUBLE_EQ(*e->totals.latency_ns, static_cast<double>(own.totals.total_cycles()));
  EXPECT_FALSE(own.totals.latency_ns.has_value());
  EXPECT_FALSE(own.totals.energy.has_value());
}

}  // namespace
}  // namespace ridge::accelerator
