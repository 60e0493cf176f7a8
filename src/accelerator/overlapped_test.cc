// SPDX-License-Identifier: Apache-2.0
// Compares with an interpreter that simulates every tile, with the tiles on chip in a set and the
// feature map as single elements.
#include "accelerator/overlapped.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "accelerator/array_cycles.h"
#include "accelerator/testing.h"

namespace ridge::accelerator {
namespace {

constexpr Dimension kM = Dimension::kM, kN = Dimension::kN, kK = Dimension::kK;
using Index = std::array<std::int64_t, 3>;
using TileId = std::pair<std::int64_t, std::int64_t>;

std::size_t at(Dimension d) { return static_cast<std::size_t>(d); }

/// Tiles of one operand on chip.
class OnChip {
 public:
  /// `other`: the loop that the operand is independent of; with one step in that loop, there is no
  /// reuse to keep tiles for.
  OnChip(const Gemm& g, const Mapping& how, Dimension other) : how_(how), other_(other) {
    while (how.order[depth_] != other) ++depth_;
    const Index length = {g.m, g.n, g.k}, tile = {how.tile.m, how.tile.n, how.tile.k};
    keeps_ = tile[at(other)] < length[at(other)] &&
             (depth_ == 1 ? how.keep_middle : depth_ == 0 && how.keep_outer);
  }
  TileId tile(const Index& step) const {
    const Dimension a = other_ == kM ? kN : kM, b = other_ == kK ? kN : kK;
    return {step[at(a)], step[at(b)]};
  }
  /// True if the tile must be loaded from memory.
  bool misses(const Index& step) {
    std::vector<std::int64_t> outside;
    for (std::size_t i = 0; i < depth_; ++i) outside.push_back(step[at(how_.order[i])]);
    if (keeps_ && outside != outside_) leaving_ = std::exchange(tiles_, {});
    outside_ = outside;
    if (tiles_.contains(tile(step))) return false;
    if (!keeps_) leaving_ = std::exchange(tiles_, {});
    tiles_.insert(tile(step));
    return true;
  }
  /// True if a tile's elements are on chip while a missing tile is loaded.
  bool holds(const TileId& id) const { return tiles_.contains(id) || leaving_.contains(id); }

 private:
  const Mapping& how_;
  Dimension other_;
  std::size_t depth_ = 0;
  bool keeps_ = false;
  std::vector<std::int64_t> outside_ = {-1};
  std::set<TileId> tiles_, leaving_;  ///< leaving: until the tiles that follow replace them
};

struct Walked {
  Traffic dram;
  std::int64_t cycles = 0, array = 0;
};

std::int64_t bytes(std::int64_t elements, std::int64_t bits) { return (elements * bits + 7) / 8; }

class Interpreter {
 public:
  /// `riders`: elements that riders read per output.
  Interpreter(const Gemm& g, const Machine& m, const Mapping& how, std::int64_t riders)
      : g_(g), m_(m), how_(how), riders_(riders) {}

  Walked walk() {
    Walked out;
    std::vector<Step> series;  // steps that follow each other without a pause
    for (std::int64_t first = 0; first < g_.count; first += how_.tile.products) {
      walk_part(std::min(how_.tile.products, g_.count - first), series, out);
      if (how_.ahead && first + how_.tile.products < g_.count) continue;
      out.cycles += cycles_of(series, out);
      series.clear();
    }
    return out;
  }

 private:
  struct Step {
    std::int64_t work, filled, load, store;  ///< filled: work if it is the first step of its series
  };

  /// Simulates the tiles of one product, or of `products` that are one tile each.
  void walk_part(std::int64_t products, std::vector<Step>& steps, Walked& out) const {
    OnChip ifmap(g_, how_, kN), filter(g_, how_, kM), ofmap(g_, how_, kK);
    std::map<TileId, std::int64_t> done;  // per tile of the ofmap: tiles of K added so far
    const std::vector<Index> order = all_tiles();
    const std::int64_t last_k = pieces(g_.k, how_.tile.k);
    for (std::size_t s = 0; s < order.size(); ++s) {
      const Index& now = order[s];
      const std::int64_t m = size(g_.m, how_.tile.m, now[0]), n = size(g_.n, how_.tile.n, now[1]),
                         k = size(g_.k, how_.tile.k, now[2]);
      std::int64_t load = 0, store = 0;
      if (ifmap.misses(now)) {
        const bool slides = ifmap.holds({now[0] - 1, now[2]});
        const std::int64_t elements =
            testing::elements_of_tile(g_, now[0] * how_.tile.m, m, k, how_.tile, slides);
        out.dram.ifmap += products * elements;
        load += products * bytes(elements, m_.widths.bits.ifmap);
      }
      if (filter.misses(now)) {
        out.dram.filter += products * k * n;
        load += products * bytes(k * n, m_.widths.bits.filter);
      }
      std::int64_t& added = done[ofmap.tile(now)];
      if (ofmap.misses(now) && added > 0) {
        out.dram.psum_reads += products * m * n;
        load += products * bytes(m * n, m_.widths.accumulator_bits);
      }
      if (++added == last_k) {
        out.dram.ifmap += riders_ * products * m * n;
        load += products * bytes(riders_ * m * n, m_.widths.bits.ifmap);
        out.dram.ofmap += products * m * n;
        store = products * bytes(m * n, m_.widths.bits.ofmap);
      } else if (spilled(ofmap, order, s)) {
        out.dram.psum_writes += products * m * n;
        store = products * bytes(m * n, m_.widths.accumulator_bits);
      }
      const Layout l = layout(m, n, k, how_.dataflow);
      const std::int64_t steady = steady_cycles(l, m_.rows, m_.columns);
      const std::int64_t filled =
          std::max(steady, filled_cycles(l, m_.rows, m_.columns, how_.dataflow));
      steps.push_back(
          {products * steady, (products - 1) * steady + filled, cycles(load), cycles(store)});
    }
  }
  std::int64_t cycles_of(const std::vector<Step>& steps, Walked& out) const {
    std::int64_t sum = steps.front().load + steps.back().store;
    if (!how_.doubled) sum = 0;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const std::int64_t work = s == 0 ? steps[s].filled : steps[s].work;
      out.array += work;
      if (!how_.doubled) {  // one after the other
        sum += steps[s].load + work + steps[s].store;
        continue;
      }
      sum += std::max(
          work, (s > 0 ? steps[s - 1].store : 0) + (s + 1 < steps.size() ? steps[s + 1].load : 0));
    }
    return sum;
  }
  std::vector<Index> all_tiles() const {
    const Index count = {pieces(g_.m, how_.tile.m), pieces(g_.n, how_.tile.n),
                         pieces(g_.k, how_.tile.k)};
    std::vector<Index> order;
    Index i{};
    const auto d = [&](std::size_t depth) { return at(how_.order[depth]); };
    for (i[d(0)] = 0; i[d(0)] < count[d(0)]; ++i[d(0)])
      for (i[d(1)] = 0; i[d(1)] < count[d(1)]; ++i[d(1)])
        for (i[d(2)] = 0; i[d(2)] < count[d(2)]; ++i[d(2)]) order.push_back(i);
    return order;
  }
  static std::int64_t pieces(std::int64_t length, std::int64_t tile) {
    return (length + tile - 1) / tile;
  }
  static std::int64_t size(std::int64_t length, std::int64_t tile, std::int64_t i) {
    return std::min(length, (i + 1) * tile) - i * tile;
  }
  std::int64_t cycles(std::int64_t b) const {
    const double per_cycle = m_.dram.gb_per_s * 1e9 / (m_.clock_mhz * 1e6);
    const double latency = std::ceil(m_.dram.latency_ns * m_.clock_mhz / 1000);
    return b == 0 ? 0
                  : static_cast<std::int64_t>(latency) +
                        static_cast<std::int64_t>(std::ceil(static_cast<double>(b) / per_cycle));
  }
  /// True if partial sums leave the chip: the tile is gone when it is needed again.
  bool spilled(OnChip chip, const std::vector<Index>& order, std::size_t s) const {
    for (std::size_t next = s + 1; next < order.size(); ++next) {
      const bool missed = chip.misses(order[next]);
      if (chip.tile(order[next]) == chip.tile(order[s])) return missed;
    }
    return false;
  }
  const Gemm& g_;
  const Machine& m_;
  const Mapping& how_;
  std::int64_t riders_;
};

TEST(Overlapped, CountsWhatAWalkOverAllTilesCounts) {
  testing::RandomProducts random(21);
  for (int i = 0; i < 12'000; ++i) {
    const Gemm g = random.product();
    const Machine m = random.machine();
    Mapping how = random.mapping(g);
    how.doubled = i % 4 != 0;
    how.ahead = how.ahead && how.doubled;
    const std::int64_t riders = i % 3;
    SCOPED_TRACE(testing::describe(g, m, how));
    const Walked walked = Interpreter(g, m, how, riders).walk();
    const LayerCost cost =
        overlapped(Tiles(g, how.tile), m, how, {.read = riders * g.m * g.n * g.count});
    ASSERT_EQ(cost.dram->ifmap, walked.dram.ifmap);
    ASSERT_EQ(cost.dram->filter, walked.dram.filter);
    ASSERT_EQ(cost.dram->ofmap, walked.dram.ofmap);
    ASSERT_EQ(cost.dram->psum_reads, walked.dram.psum_reads);
    ASSERT_EQ(cost.dram->psum_writes, walked.dram.psum_writes);
    ASSERT_EQ(cost.compute_cycles, walked.array);
    ASSERT_EQ(cost.total_cycles(), walked.cycles);
  }
}

/// Largest number of elements of one operand on chip in any step of all products. A tile is on chip
/// from its first use, or the step before if it is fetched ahead, to its last use before it is
/// loaded again.
std::int64_t max_on_chip(const Gemm& g, const Mapping& how, Dimension other) {
  const Index length = {g.m, g.n, g.k}, tile = {how.tile.m, how.tile.n, how.tile.k};
  struct Stay {
    std::int64_t from, to, elements;
  };
  std::vector<Stay> stays;
  std::int64_t steps = 0;
  const auto d = [&](std::size_t depth) { return at(how.order[depth]); };
  const auto count = [&](std::size_t depth) {
    return (length[d(depth)] + tile[d(depth)] - 1) / tile[d(depth)];
  };
  for (std::int64_t first = 0; first < g.count; first += how.tile.products) {
    OnChip chip(g, how, other);
    std::map<TileId, std::size_t> latest;
    const std::int64_t start = steps;
    Index i{};
    for (i[d(0)] = 0; i[d(0)] < count(0); ++i[d(0)])
      for (i[d(1)] = 0; i[d(1)] < count(1); ++i[d(1)])
        for (i[d(2)] = 0; i[d(2)] < count(2); ++i[d(2)], ++steps) {
          if (chip.misses(i)) {
            std::int64_t elements = std::min(how.tile.products, g.count - first);
            for (const Dimension x : {kM, kN, kK})
              if (x != other)
                elements *=
                    std::min(length[at(x)], (i[at(x)] + 1) * tile[at(x)]) - i[at(x)] * tile[at(x)];
            latest[chip.tile(i)] = stays.size();
            const std::int64_t fetched = steps > start || how.ahead ? steps - 1 : steps;
            stays.push_back({std::max<std::int64_t>(0, fetched), steps, elements});
          }
          stays[latest.at(chip.tile(i))].to = steps;
        }
  }
  std::int64_t most = 0;
  for (std::int64_t s = 0; s < steps; ++s) {
    std::int64_t now = 0;
    for (const Stay& stay : stays)
      if (stay.from <= s && s <= stay.to) now += stay.elements;
    most = std::max(most, now);
  }
  return most;
}

TEST(Overlapped, AsksForRoomForAllThatLiesOnChipAndNoMoreThanTwice) {
  testing::RandomProducts random(22);
  for (int i = 0; i < 3'000; ++i) {
    const Gemm g =
        matrix_product(random.from(1, 9), random.from(1, 9), random.from(1, 9), random.from(1, 3));
    const Mapping how = random.mapping(g);
    SCOPED_TRACE(testing::describe(g, random.machine(), how));
    const PerOperand<std::int64_t> room = sram_bytes(Tiles(g, how.tile), Widths{{8, 8, 8}, 8}, how);
    for (const auto& [other, bytes] :
         {std::pair(kN, room.ifmap), std::pair(kM, room.filter), std::pair(kK, room.ofmap)}) {
      const std::int64_t most = max_on_chip(g, how, other);
      ASSERT_GE(bytes, most);
      ASSERT_LE(bytes, 2 * most);
    }
  }
}

TEST(Overlapped, ASecondInputIsLoadedWithItsTileNotBesideIt) {
  Machine m;
  m.rows = m.columns = 4;
  m.sram.shared_bytes = 1 << 20;
  m.dram = {1, 20};  // a byte per cycle after 20 cycles
  m.clock_mhz = 1000;
  m.vector.lanes = 1;
  const Gemm g = matrix_product(4, 4, 4);
  const Mapping how{Dataflow::kWeightStationary, {4, 4, 4}, kLoopOrders[0]};
  const Tiles tiles(g, how.tile);
  // 32 bytes come, 4 + 2 * 4 + 4 - 2 = 14 cycles pass in the array, 16 bytes go.
  EXPECT_EQ(overlapped(tiles, m, how).total_cycles(), 20 + 32 + 14 + 20 + 16);
  // A residual of 16 bytes comes with the operands.
  EXPECT_EQ(overlapped(tiles, m, how, {.read = 16}).total_cycles(), 20 + 48 + 14 + 20 + 16);
  // 400 operations take longer than the array; nothing hides the first load and the last store.
  const LayerCost busy = overlapped(tiles, m, how, {.read = 16, .operations = 400});
  EXPECT_EQ(busy.total_cycles(), 20 + 48 + 400 + 20 + 16);
  EXPECT_EQ(busy.bound, Bound::kVector);
  EXPECT_EQ(busy.dram_read_bytes, 48);
}

TEST(Overlapped, WithoutDoubleBufferingEachTileWaitsForItsData) {
  Machine m;
  m.rows = m.columns = 4;
  m.sram.shared_bytes = 1 << 20;
  m.dram = {8, 0};
  m.clock_mhz = 1000;
  const Gemm g = matrix_product(12, 4, 4);
  Mapping how{Dataflow::kWeightStationary, {4, 4, 4}, kLoopOrders[4]};
  const Tiles tiles(g, how.tile);
  EXPECT_EQ(overlapped(tiles, m, how).total_cycles(), 28);  // the example of schedule.cc
  EXPECT_EQ(sram_bytes(tiles, m.widths, how).ifmap, 2 * 16);
  how.doubled = false;
  // Loads of 4, 2 and 2 cycles, 14 + 4 + 4 in the array, three stores of 2.
  EXPECT_EQ(overlapped(tiles, m, how).total_cycles(), 8 + 22 + 6);
  EXPECT_EQ(sram_bytes(tiles, m.widths, how).ifmap, 16);
}

TEST(Overlapped, PortsOfASharedMemoryCarryAllAndThoseOfOwnOnesTheirOwn) {
  Machine m;
  m.rows = m.columns = 16;
  m.sram.bytes = {1 << 20, 1 << 20, 1 << 20};
  m.sram.port_bytes = 16;
  m.dram = {1e6, 0};
  m.clock_mhz = 1000;
  const Gemm g = matrix_product(1000, 16, 32);
  const Mapping how{Dataflow::kWeightStationary, {1000, 16, 32}, kLoopOrders[0]};
  const Tiles tiles(g, how.tile);
  // Two folds stream 1,000 rows each: 32,000 bytes of the ifmap and 512 of the filter are read,
  // 32,000 sums are written and 16,000 read back. A port transfers 16 of them per cycle.
  const auto cycles = [&] { return overlapped(tiles, m, how).compute_cycles; };
  EXPECT_EQ(cycles(), 48'000 / 16);
  m.sram.banks = 2;
  EXPECT_EQ(cycles(), 2000 + 2 * 16 + 16 - 2);  // the array itself, filled and emptied
  m.sram.shared_bytes = 3 << 20;
  EXPECT_EQ(cycles(), (32'000 + 512 + 4 * 48'000) / 32);
}

}  // namespace
}  // namespace ridge::accelerator
