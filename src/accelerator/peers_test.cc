// SPDX-License-Identifier: Apache-2.0
// Compares the overlapped convention with the figures of ZigZag and MAESTRO for the same layers on
// the same machine (bench/accel_vs_peers.py, docs/accelerator-validation.md).
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "accelerator/scalesim/files.h"
#include "accelerator/testing/recorded.h"
#include "accelerator/tile_search.h"

namespace ridge::accelerator {
namespace {

using testing::Row;

Machine peer_machine() {
  Machine m;
  m.rows = m.columns = 32;
  m.sram.shared_bytes = 512 * 1024;
  m.dram = {16, 0};
  m.clock_mhz = 1000;
  return m;
}

/// 1 pJ per byte of SRAM, 64 pJ per byte of DRAM, 0.3 pJ per multiply-accumulate.
constexpr PerOperand<double> kWordBytes = {1, 1, 4};
EnergyRates peer_rates() {
  return {.mac = 0.3, .sram_read = kWordBytes, .sram_write = kWordBytes, .dram_byte = 64};
}

Gemm peer_gemm(const Row& row) {
  const std::string& out = row.at("out");
  const std::int64_t height = std::stoll(out), width = std::stoll(out.substr(out.find('x') + 1));
  const std::int64_t filter = testing::number(row, "filter"),
                     stride = testing::number(row, "stride");
  const auto layers = read_topology(
      fmt::format("header\nL,{},{},{},{},{},{},{},\n", (height - 1) * stride + filter,
                  (width - 1) * stride + filter, filter, filter, testing::number(row, "channels"),
                  testing::number(row, "filters"), stride));
  EXPECT_TRUE(layers.ok());
  Gemm g = layers->at(0).gemm;
  g.count = testing::number(row, "groups");
  return g;
}

std::vector<Row> rows() { return testing::recorded("peers.csv"); }

TEST(Peers, CyclesAreThoseOfZigZag) {
  if (rows().empty()) GTEST_SKIP() << "RIDGE_SOURCE names the repository";
  for (const Row& row : rows()) {
    const auto found = search_mapping(peer_gemm(row), peer_machine(), peer_rates(),
                                      {.objective = Objective::kLatency});
    ASSERT_TRUE(found);
    const double ratio = static_cast<double>(found->cost.total_cycles()) /
                         static_cast<double>(testing::number(row, "zigzag cycles"));
    EXPECT_GT(ratio, 0.91) << row.at("layer");
    EXPECT_LT(ratio, 1.04) << row.at("layer");
  }
}

TEST(Peers, DramWordsAreNoMoreThanThoseOfZigZagAndNoLessThanEveryElementOnce) {
  if (rows().empty()) GTEST_SKIP() << "RIDGE_SOURCE names the repository";
  for (const Row& row : rows()) {
    const auto found = search_mapping(peer_gemm(row), peer_machine(), peer_rates(),
                                      {.objective = Objective::kEnergy});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->cost.dram_write_bytes, testing::number(row, "zigzag written"));
    EXPECT_LE(found->cost.dram_read_bytes, testing::number(row, "zigzag read")) << row.at("layer");
    if (testing::number(row, "groups") > 1) continue;
    // MAESTRO's buffer is large enough for all operands.
    EXPECT_GE(found->cost.dram_read_bytes, testing::number(row, "maestro read")) << row.at("layer");
  }
}

}  // namespace
}  // namespace ridge::accelerator
