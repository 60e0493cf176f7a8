// SPDX-License-Identifier: Apache-2.0
// Compares with an exhaustive search and with a lower bound for any machine.
#include "accelerator/tile_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "accelerator/padding.h"
#include "accelerator/testing.h"
#include "base/testing/sanitized.h"

namespace ridge::accelerator {
namespace {

const EnergyRates kSearchRates = {.mac = 0.3,
                                  .register_file = 0.1,
                                  .sram_read = {1, 1, 4},
                                  .sram_write = {1.5, 1.5, 6},
                                  .dram_byte = 64,
                                  .leakage_cycle = 20};

/// Sanitizers find errors that few cases show and take ten times as long: run fewer cases.
int cases(int all) { return kSanitized ? all / 4 : all; }

double value(Objective objective, const LayerCost& c) {
  if (objective == Objective::kLatency) return *c.latency_ns;
  return objective == Objective::kEnergy ? c.energy->total() : *c.edp_pj_ns();
}

Search all_dataflows(Objective objective) { return {objective, std::nullopt, true}; }

Machine with_room(testing::RandomProducts& random, std::int64_t most) {
  Machine m = random.machine();
  m.sram.shared_bytes = random.from(20, most);
  return m;
}

/// Least value over all even cuts, loop orders and ways to keep tiles.
double min_of_everything(const Gemm& g, const Machine& m, Objective objective) {
  double least = std::numeric_limits<double>::infinity();
  const auto tile = [](std::int64_t length, std::int64_t parts) {
    return (length + parts - 1) / parts;
  };
  for (std::int64_t pm = 1; pm <= g.m; ++pm)
    for (std::int64_t pn = 1; pn <= g.n; ++pn)
      for (std::int64_t pk = 1; pk <= g.k; ++pk)
        for (const LoopOrder& order : kLoopOrders)
          for (int keep = 0; keep < 4; ++keep)
            for (const Dataflow d : kDataflows) {
              const Mapping how{d,
                                {tile(g.m, pm), tile(g.n, pn), tile(g.k, pk)},
                                order,
                                (keep & 1) != 0,
                                (keep & 2) != 0};
              const Tiles tiles(g, how.tile);
              if (sram_shortage(sram_bytes(tiles, m.widths, how), m.sram) > 0) continue;
              LayerCost c = overlapped(tiles, m, how);
              c.energy = energy_of(c, kSearchRates);
              least = std::min(least, value(objective, c));
            }
  return least;
}

TEST(TileSearch, FindsTheBestOfAllWhereItTriesAllParts) {
  testing::RandomProducts random(31);
  for (int i = 0; i < cases(150); ++i) {
    const Gemm g = matrix_product(random.from(1, 4), random.from(1, 4), random.from(1, 4));
    const Machine m = with_room(random, 120);
    for (const Objective o : {Objective::kLatency, Objective::kEnergy, Objective::kEdp}) {
      const auto found = search_mapping(g, m, kSearchRates, all_dataflows(o));
      const double least = min_of_everything(g, m, o);
      ASSERT_EQ(found.has_value(), std::isfinite(least));
      if (found.has_value()) {
        ASSERT_DOUBLE_EQ(value(o, found->cost), least);
      }
    }
  }
}

TEST(TileSearch, NeverGetsWorseWithMoreOfAnything) {
  testing::RandomProducts random(32);
  const auto more = [&random](std::int64_t n) { return n + random.from(1, n); };
  for (int i = 0; i < cases(120); ++i) {
    Gemm g = random.product();
    if (i % 2 == 0) g = matrix_product(random.from(1, 90), random.from(1, 90), random.from(1, 90));
    Machine m = with_room(random, 3000);
    m.double_buffered = i % 3 != 0;
    m.vector.lanes = 2;
    const RiderWork riders{.read = random.from(0, 1) * g.m * g.n * g.count,
                           .operations = random.from(0, 9) * g.m * g.n};
    const auto best = [&](const Machine& machine, Objective o) {
      const auto found = search_mapping(g, machine, kSearchRates, {o, std::nullopt, true, riders});
      return found ? value(o, found->cost) : std::numeric_limits<double>::infinity();
    };
    Machine room = m, fast = m, tall = m, wide = m;
    room.sram.shared_bytes = more(m.sram.shared_bytes);
    fast.dram.gb_per_s *= 1 + static_cast<double>(random.from(1, 30)) / 10;
    tall.rows = more(m.rows);
    wide.columns = more(m.columns);
    for (const Objective o : {Objective::kLatency, Objective::kEnergy, Objective::kEdp})
      ASSERT_LE(best(room, o), best(m, o)) << g.m << "x" << g.n << "x" << g.k;
    for (const Machine& better : {fast, tall, wide})
      ASSERT_LE(best(better, Objective::kLatency), best(m, Objective::kLatency))
          << g.m << "x" << g.n << "x" << g.k;
  }
}

TEST(TileSearch, ALargerBufferNeverCostsMoreInTheDefaultObjective) {
  // Layers of ResNet-50, GPT-2 and MobileNetV2; buffers from 16 KiB to 16 MiB.
  Gemm conv{784, 128, 1152, 1, {}};
  conv.window.channels = 128;
  conv.window.axes[1] = conv.window.axes[2] = {.size = 28, .filter = 3, .out = 28, .pad = 1};
  const Gemm layers[] = {conv,
                         matrix_product(3136, 64, 256),
                         matrix_product(1024, 3072, 768),
                         matrix_product(1024, 1024, 64, 12),
                         matrix_product(1, 49152, 576),
                         matrix_product(3136, 1, 9, 144)};
  for (const Gemm& g : layers)
    for (const std::int64_t side : {16, 128})
      for (const double gb_per_s : {4.0, 32.0}) {
        Machine m;
        m.rows = m.columns = side;
        m.dram = {gb_per_s, 100};
        m.clock_mhz = 1000;
        double last = std::numeric_limits<double>::infinity();
        std::int64_t moved = std::numeric_limits<std::int64_t>::max();
        for (std::int64_t kib = 16; kib <= 16 << 10; kib *= 4) {
          m.sram.shared_bytes = kib << 10;
          const auto found = search_mapping(g, m, kSearchRates, {});
          ASSERT_TRUE(found);
          ASSERT_LE(*found->cost.edp_pj_ns(), last) << g.m << "x" << g.n << "x" << g.k;
          last = *found->cost.edp_pj_ns();
          EXPECT_LE(found->cost.dram_read_bytes + found->cost.dram_write_bytes, moved);
          moved = found->cost.dram_read_bytes + found->cost.dram_write_bytes;
        }
      }
}

TEST(TileSearch, TheDefaultIsNotTheLeastLatencyAtAnyPrice) {
  // On gemmini-16, whose memories are small for GPT-2: 12 heads are 12 products of 1024 x 1024 x 64.
  Machine m;
  m.rows = m.columns = 16;
  m.sram.bytes = {128 << 10, 128 << 10, 64 << 10};
  m.dram = {16, 100};
  m.clock_mhz = 1000;
  const Gemm g = matrix_product(1024, 3072, 768);
  const auto usual = search_mapping(g, m, kSearchRates, {});
  const auto fastest =
      search_mapping(g, m, kSearchRates, {Objective::kLatency, std::nullopt, false});
  const auto moved = [](const LayerCost& c) { return c.dram_read_bytes + c.dram_write_bytes; };
  EXPECT_LT(moved(usual->cost), moved(fastest->cost));
  EXPECT_LT(*usual->cost.latency_ns, 1.03 * *fastest->cost.latency_ns);
}

TEST(TileSearch, WithoutAnEnergyTableBytesStandForTheEnergy) {
  testing::RandomProducts random(36);
  for (int i = 0; i < cases(60); ++i) {
    const Gemm g = matrix_product(random.from(1, 40), random.from(1, 40), random.from(1, 40));
    const Machine m = with_room(random, 1500);
    const auto least = search_mapping(g, m, {}, all_dataflows(Objective::kEnergy));
    if (!least) continue;
    const EnergyRates of_bytes{.dram_byte = 1};
    const auto known = search_mapping(g, m, of_bytes, all_dataflows(Objective::kEnergy));
    EXPECT_EQ(least->cost.dram_read_bytes + least->cost.dram_write_bytes,
              known->cost.dram_read_bytes + known->cost.dram_write_bytes);
    EXPECT_EQ(least->cost.energy->total(), 0);
  }
}

TEST(TileSearch, MovesNoLessThanAnyMachineMustAndNoMoreThanWithoutReuse) {
  testing::RandomProducts random(33);
  for (int i = 0; i < cases(400); ++i) {
    const Gemm g = matrix_product(random.from(1, 60), random.from(1, 60), random.from(1, 60));
    Machine m = with_room(random, 1500);
    m.widths = {{8, 8, 8}, 8};  // a word is a byte: S is the number of elements on chip
    for (const Dataflow d : kDataflows) {
      m.dataflow = d;
      const auto found =
          search_mapping(g, m, kSearchRates, {Objective::kEnergy, std::nullopt, false});
      if (!found) continue;
      const Traffic& t = *found->cost.dram;
      const std::int64_t moved = t.ifmap + t.filter + t.ofmap + t.psum_reads + t.psum_writes;
      const auto macs = static_cast<double>(g.m * g.n * g.k);
      const auto room = static_cast<double>(m.sram.shared_bytes);
      // Bound of Smith, Lowery, Langou and van de Geijn (2019), with S for their 2 S: two tiles of
      // each operand share the memory here.
      EXPECT_GE(static_cast<double>(moved), 2 * macs / std::sqrt(room) - room);
      EXPECT_GE(moved, g.m * g.k + g.k * g.n + g.m * g.n);
      EXPECT_LE(static_cast<double>(moved), 4 * macs);
      EXPECT_LE(found->cost.sram_used_bytes, m.sram.shared_bytes);
    }
  }
}

TEST(TileSearch, ReadsAConvolutionInBandsThoughItsRowsArePadded) {
  Gemm g;
  g.window.channels = 16;
  for (std::size_t i = 1; i < 3; ++i)
    g.window.axes[i] = {.size = 28, .filter = 3, .out = 28, .stride = 1, .dilation = 1, .pad = 1};
  g.m = 28 * 28, g.k = 3 * 3 * 16, g.n = 16;
  const auto rows = padded(g, {.m = 32, .n = 1, .k = 1});
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows->m, 800);
  Machine m;
  m.rows = m.columns = 16;
  m.widths = {{8, 8, 8}, 32};
  m.sram.shared_bytes = 8 << 10;  // less than the map and the filters
  m.dram = {1, 0};
  m.clock_mhz = 1000;
  const auto found =
      search_mapping(*rows, m, kSearchRates, {Objective::kEnergy, std::nullopt, false});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->cost.dram->ifmap, 28 * 28 * 16);  // every element of the map once
}

TEST(TileSearch, TheFrontHoldsTheBestOfBothAndNothingThatIsBeaten) {
  testing::RandomProducts random(34);
  for (int i = 0; i < cases(40); ++i) {
    const Gemm g = matrix_product(random.from(8, 60), random.from(8, 60), random.from(8, 60));
    const Machine m = with_room(random, 3000);
    const auto front = pareto_front(g, m, kSearchRates, all_dataflows(Objective::kLatency));
    ASSERT_FALSE(front.empty());
    const auto fastest = search_mapping(g, m, kSearchRates, all_dataflows(Objective::kLatency));
    const auto thriftiest = search_mapping(g, m, kSearchRates, all_dataflows(Objective::kEnergy));
    EXPECT_DOUBLE_EQ(*front.front().cost.latency_ns, *fastest->cost.latency_ns);
    EXPECT_DOUBLE_EQ(front.back().cost.energy->total(), thriftiest->cost.energy->total());
    for (std::size_t f = 1; f < front.size(); ++f) {
      EXPECT_GT(*front[f].cost.latency_ns, *front[f - 1].cost.latency_ns);
      EXPECT_LT(front[f].cost.energy->total(), front[f - 1].cost.energy->total());
    }
  }
}

TEST(TileSearch, ATileThatDoesNotFitLacksSoManyBytes) {
  Machine m;
  m.rows = m.columns = 4;
  m.sram.bytes = {100, 100, 100};
  const Gemm g = matrix_product(64, 64, 64);
  // Two tiles of 8 x 8 bytes of the ifmap and filter are 128 bytes; one tile of 4-byte accumulators
  // is 256, two are 512. With K innermost an ofmap tile still needs a second one while it is
  // stored.
  EXPECT_EQ(min_shortage(g, m, {8, 8, 8}), 412);
  EXPECT_EQ(min_shortage(g, m, {2, 2, 2}), 0);
}

}  // namespace
}  // namespace ridge::accelerator
