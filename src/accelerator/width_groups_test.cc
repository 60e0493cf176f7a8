// SPDX-License-Identifier: Apache-2.0
// Compares a network of two widths with its two parts of one width each.
#include "accelerator/width_groups.h"

#include <gtest/gtest.h>

#include <map>

#include "accelerator/energy_table_file.h"
#include "accelerator/machine_file.h"

namespace ridge::accelerator {
namespace {

Layer layer_of_gemm(const Gemm& gemm) {
  Layer layer;
  layer.name = "l";
  layer.macs = gemm.macs();
  layer.gemms = {gemm};
  return layer;
}

const Widths kBytes{{8, 8, 8}, 32, false}, kSingles{{32, 32, 32}, 32, true};

class TwoWidths : public ::testing::Test {
 protected:
  Result<Estimate> of(const std::vector<Layer>& layers, const std::vector<Widths>& widths) {
    groups_ = width_groups(machine_, layers, widths, &table_).value();
    return estimate(layers, groups_, {});
  }

  const Machine machine_ = shipped_machine("edge-32").value();
  const EnergyTable table_ = shipped_energy_table("cacti-22nm").value();
  const Layer small_ = layer_of_gemm(matrix_product(100, 60, 70)),
              large_ = layer_of_gemm(matrix_product(400, 300, 200));
  std::vector<WidthGroup> groups_;
};

TEST_F(TwoWidths, CostWhatEachCostsOnAMachineOfItsWidth) {
  const auto both = of({small_, large_, small_}, {kBytes, kSingles, kSingles});
  ASSERT_TRUE(both.ok());
  EXPECT_EQ(groups_.size(), 2U);
  EXPECT_EQ(mac_rows(groups_), "int8 into int32; float32 into float32");
  Machine singles = machine_;
  singles.widths = kSingles;
  const auto first = estimate({small_}, machine_, energy_rates(machine_, table_).value(), {});
  const auto rest = estimate({large_, small_}, singles, energy_rates(singles, table_).value(), {});
  ASSERT_TRUE(first.ok() && rest.ok());
  EXPECT_EQ(both->layers[0].total_cycles(), first->layers[0].total_cycles());
  EXPECT_EQ(both->layers[1].dram_read_bytes, rest->layers[0].dram_read_bytes);
  EXPECT_EQ(both->totals.total_cycles(),
            first->totals.total_cycles() + rest->totals.total_cycles());
  EXPECT_DOUBLE_EQ(both->totals.energy->total(),
                   first->totals.energy->total() + rest->totals.energy->total());
}

TEST_F(TwoWidths, SaveTogetherWhatAMachineWithTwiceThePartSaves) {
  const std::vector<Layer> layers = {small_, large_};
  const std::vector<Widths> widths = {kBytes, kSingles};
  const auto before = of(layers, widths);
  Machine faster = machine_;
  faster.dram.gb_per_s *= 2;
  const auto groups = width_groups(faster, layers, widths, &table_);
  const auto after = estimate(layers, *groups, {});
  ASSERT_TRUE(before.ok() && after.ok());
  const std::map<std::string, double> told = {before->totals.sensitivity.begin(),
                                              before->totals.sensitivity.end()};
  EXPECT_NEAR(told.at("dram.gb_per_s"), 1 - *after->totals.latency_ns / *before->totals.latency_ns,
              1e-12);
}

TEST_F(TwoWidths, HaveABandOfTheTablesThatKnowBoth) {
  const std::vector<EnergyTable> tables = shipped_energy_tables();
  const auto both = of({small_, large_}, {kBytes, kSingles});
  const auto band = energy_band(*both, groups_, tables);
  ASSERT_TRUE(band);
  EXPECT_LE(band->low_pj, both->totals.energy->total());
  EXPECT_GE(band->high_pj, both->totals.energy->total());
  EXPECT_EQ(band->tables.size() + band->unable.size(), tables.size());
}

TEST_F(TwoWidths, AreAnErrorWhereTheTableHasNoRowAsWide) {
  const std::vector<Widths> doubles = {{{64, 64, 64}, 64, true}};
  EXPECT_FALSE(width_groups(machine_, {small_}, doubles, &table_).ok());
  EXPECT_TRUE(width_groups(machine_, {small_}, doubles, nullptr).ok());
  Layer vector;  // multiplies nothing, so no row is needed
  vector.vector = VectorWork{.read = 10, .written = 10, .operations = 10};
  const auto groups = width_groups(machine_, {vector}, doubles, &table_);
  ASSERT_TRUE(groups.ok());
  EXPECT_EQ(mac_rows(*groups), "");
}

}  // namespace
}  // namespace ridge::accelerator
