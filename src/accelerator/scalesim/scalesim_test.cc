// SPDX-License-Identifier: Apache-2.0
#include "accelerator/scalesim/scalesim.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

#include "accelerator/scalesim/files.h"
#include "accelerator/scalesim/folds.h"
#include "accelerator/testing/recorded.h"
#include "base/checked.h"

namespace ridge::accelerator {
namespace {

using testing::Row;

Gemm recorded_gemm(const Row& row) {
  std::string text = "header\nL";
  for (const char* title :
       {"ifmap_h", "ifmap_w", "filter_h", "filter_w", "channels", "filters", "stride"})
    text += "," + row.at(title);
  auto layers = read_topology(text + ",\n");
  EXPECT_TRUE(layers.ok());
  return layers->at(0).gemm;
}

ScalesimMachine machine_of(const Row& row) {
  ScalesimMachine m{.rows = testing::number(row, "rows"),
                    .columns = testing::number(row, "columns")};
  for (const Dataflow d : kDataflows)
    if (row.at("dataflow") == name(d)) m.dataflow = d;
  m.sram_bytes = {1024 * testing::number(row, "ifmap_kb"), 1024 * testing::number(row, "filter_kb"),
                  1024 * testing::number(row, "ofmap_kb")};
  if (row.contains("mode") && row.at("mode") == "USER")
    m.bandwidth = testing::number(row, "bandwidth");
  return m;
}

TEST(Scalesim, AgreesWithWhatScaleSimReportsOfRandomLayers) {
  // Figures reported by SCALE-Sim 2.0.2 (tests/accelerator/scalesim_cases.py).
  const std::vector<Row> rows = testing::recorded("scalesim.csv");
  if (rows.empty()) GTEST_SKIP() << "RIDGE_SOURCE names the repository";
  ASSERT_GE(rows.size(), 64U);
  for (const Row& row : rows) {
    const LayerCost cost = scalesim(recorded_gemm(row), machine_of(row));
    SCOPED_TRACE(row.at("mode") + " " + row.at("dataflow") + " " + row.at("rows") + "x" +
                 row.at("columns"));
    EXPECT_EQ(cost.compute_cycles,
              testing::number(row, "total_cycles") - testing::number(row, "stall_cycles"));
    EXPECT_EQ(cost.sram.ifmap, testing::number(row, "sram_ifmap_reads"));
    EXPECT_EQ(cost.sram.filter, testing::number(row, "sram_filter_reads"));
    ASSERT_TRUE(cost.dram.has_value());
    EXPECT_EQ(cost.dram->ifmap, testing::number(row, "dram_ifmap_reads"));
    EXPECT_EQ(cost.dram->filter, testing::number(row, "dram_filter_reads"));
    EXPECT_EQ(cost.dram->ofmap, testing::number(row, "dram_ofmap_writes"));
    EXPECT_EQ(cost.compute_cycles + cost.stall_cycles, testing::number(row, "total_cycles"));
  }
}

TEST(Scalesim, AgreesWithVersion3OfRandomLayersDenseAndSparse) {
  // Figures reported by SCALE-Sim 3.0.0 (tests/accelerator/scalesim3_cases.py).
  const std::vector<Row> rows = testing::recorded("scalesim3.csv");
  if (rows.empty()) GTEST_SKIP() << "RIDGE_SOURCE names the repository";
  ASSERT_GE(rows.size(), 100U);
  int sparse = 0;
  for (const Row& row : rows) {
    Row layer = row;
    ScalesimMachine m = machine_of(row);
    m.sparse = row.at("sparse") == "true";
    Gemm g = recorded_gemm(row);
    const std::string& ratio = row.at("sparsity");
    if (ratio != "1:1") g.sparsity = {ratio[0] - '0', ratio[2] - '0'};
    sparse += m.sparse && !g.sparsity.dense() ? 1 : 0;
    const LayerCost cost = scalesim(g, m);
    SCOPED_TRACE(ratio + " " + row.at("sparse") + " " + row.at("dataflow") + " " + row.at("rows") +
                 "x" + row.at("columns"));
    EXPECT_EQ(cost.total_cycles(), testing::number(row, "total_cycles"));
    EXPECT_EQ(cost.stall_cycles, testing::number(row, "stall_cycles"));
    EXPECT_EQ(cost.cycles_with_prefetch, testing::number(row, "cycles_with_prefetch"));
    // v3 adds up M / N, a fraction.
    EXPECT_NEAR(static_cast<double>(cost.sram.ifmap), std::stod(row.at("sram_ifmap_reads")), 0.99);
    EXPECT_EQ(cost.sram.filter, testing::number(row, "sram_filter_reads"));
    ASSERT_TRUE(cost.dram.has_value());
    EXPECT_EQ(cost.dram->ifmap, testing::number(row, "dram_ifmap_reads"));
    EXPECT_EQ(cost.dram->filter, testing::number(row, "dram_filter_reads"));
    EXPECT_EQ(cost.dram->ofmap, testing::number(row, "dram_ofmap_writes"));
  }
  EXPECT_GE(sparse, 40);
}

/// Cycle in which the last result leaves an array in which every element moves one step per cycle:
/// computed element by element from the data that each depends on.
std::int64_t last_cycle_of_a_fold(const ScalesimMachine& m, std::int64_t stream) {
  std::int64_t last = 0;
  for (std::int64_t r = 0; r < m.rows; ++r)
    for (std::int64_t c = 0; c < m.columns; ++c)
      for (std::int64_t s = 0; s < stream; ++s) {
        // Operands of step s reach element (r, c) after r + c steps; stationary operands are in
        // place after one cycle per row.
        const bool loads = m.dataflow != Dataflow::kOutputStationary;
        const std::int64_t computed = s + r + c + (loads ? m.rows : 0);
        // Partial sums leave at the bottom: they still pass the rows below.
        last = std::max(last, computed + (loads ? m.rows - 1 - r : 0));
      }
  return last;
}

TEST(Scalesim, AFoldTakesUntilItsLastElementIsDone) {
  std::mt19937 random(7);
  std::uniform_int_distribution<std::int64_t> small(1, 9);
  for (int i = 0; i < 500; ++i) {
    const Gemm g = matrix_product(small(random), small(random), small(random));
    ScalesimMachine m{small(random), small(random), kDataflows[i % 3], {1024, 1024, 1024}, {}};
    const Folds f = scalesim_folds(g, m);
    EXPECT_EQ(f.cycles_of_one, last_cycle_of_a_fold(m, f.stream) + 1);
  }
}

TEST(Scalesim, ReadsEveryElementOnceWhereAllFit) {
  std::mt19937 random(8);
  std::uniform_int_distribution<std::int64_t> small(1, 12);
  for (int i = 0; i < 300; ++i) {
    const Gemm g = matrix_product(small(random), small(random), small(random));
    ScalesimMachine m{
        small(random), small(random), kDataflows[i % 3], {1 << 20, 1 << 20, 1 << 20}, {}};
    const LayerCost cost = scalesim(g, m);
    EXPECT_EQ(cost.dram->ifmap, g.m * g.k);
    EXPECT_EQ(cost.dram->filter, g.k * g.n);
  }
}

TEST(Scalesim, SaysNothingOfDramWhereCountingWouldTakeTooLong) {
  const ScalesimMachine m{1, 1, Dataflow::kOutputStationary, {1024, 1024, 1024}, {}};
  const LayerCost cost = scalesim(matrix_product(1 << 12, 1 << 12, 1 << 12), m);
  EXPECT_FALSE(cost.dram.has_value());
  EXPECT_EQ(cost.compute_cycles, (std::int64_t{1} << 24) * (1 << 12) - 1);
}

}  // namespace
}  // namespace ridge::accelerator
