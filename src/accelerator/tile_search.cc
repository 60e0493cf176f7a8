// SPDX-License-Identifier: Apache-2.0
#include "accelerator/tile_search.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace ridge::accelerator {
namespace {

/// Next number of parts to cut a dimension into: 1, 2, 3, 4, 6, 8, 12, 16, ...
std::int64_t more_parts(std::int64_t parts) {
  const bool power = (parts & (parts - 1)) == 0;
  return parts < 3 ? parts + 1 : power ? parts + parts / 2 : parts / 3 * 4;
}

/// Appends tile sizes that are multiples of `unit`, for a dimension of `length` units: the whole
/// dimension first, one unit last.
/// Example: length 10, unit 1. 1, 2, 3, 4, 6 parts give tiles of 10, 5, 4, 3, 2; 8 parts give 2
/// again, which is skipped; then one unit: 10, 5, 4, 3, 2, 1.
void add_parts(std::vector<std::int64_t>& out, std::int64_t length, std::int64_t unit) {
  for (std::int64_t parts = 1; parts <= length; parts = more_parts(parts)) {
    const std::int64_t tile = ceil_div(length, parts) * unit;
    if (out.empty() || out.back() > tile) out.push_back(tile);
  }
  if (out.back() > unit) out.push_back(unit);
}

struct Candidates {
  std::vector<std::int64_t> m, n, k;
};

Candidates candidates(const Gemm& g, const std::optional<Tile>& given) {
  if (given)
    return {{std::min(given->m, g.m)}, {std::min(given->n, g.n)}, {std::min(given->k, g.k)}};
  Candidates out;
  const BandShape band = band_shape(g.window);
  const std::int64_t covered = band.outputs * band.output_rows();
  const bool rows = covered <= g.m && band.outputs > 1;
  const bool channels = g.k % band.filter_area == 0 && band.filter_area < g.k;
  add_parts(out.m, rows ? ceil_div(g.m, band.outputs) : g.m, rows ? band.outputs : 1);
  out.m[0] = g.m;
  if (rows) add_parts(out.m, band.outputs, 1);
  if (rows && covered < g.m) {  // padded: also even parts that are not whole rows of outputs
    std::vector<std::int64_t> even;
    add_parts(even, g.m, 1);
    out.m.insert(out.m.end(), even.begin() + 1, even.end());
  }
  add_parts(out.n, g.n, 1);
  add_parts(out.k, channels ? g.k / band.filter_area : g.k, channels ? band.filter_area : 1);
  if (channels) add_parts(out.k, band.filter_area, 1);
  return out;
}

/// True if loops with a single tile are outermost and in the order M, N, K; other positions of
/// these loops give the same mapping.
bool is_canonical(const LoopOrder& order, const Tiles& t) {
  const auto count = [&t](Dimension d) {
    return d == Dimension::kM ? t.m().count() : d == Dimension::kN ? t.n().count() : t.k().count();
  };
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    const bool one = count(order[i]) == 1, next_one = count(order[i + 1]) == 1;
    if (next_one && (!one || order[i] > order[i + 1])) return false;
  }
  return true;
}

/// Visits the ways to keep tiles on chip for a loop order that fit the SRAM, least traffic first.
/// Skips a way that keeps less than a visited one: it moves at least as many bytes.
void for_each_keeping(const Tiles& t, Mapping how, const Machine& machine, auto&& visit) {
  const auto fits = [&](bool middle, bool outer) {
    how.keep_middle = middle, how.keep_outer = outer;
    return sram_shortage(sram_bytes(t, machine.widths, how), machine.sram) == 0;
  };
  if (fits(true, true)) return visit(how);
  const bool middle = fits(true, false);
  if (middle) visit(how);
  const bool outer = fits(false, true);
  if (outer) visit(how);
  if (!middle && !outer && fits(false, false)) visit(how);
}

/// Search key: the objective, then a tie-breaker. Of the many mappings that hide DRAM transfers
/// behind the array, the one with the least energy wins.
using Value = std::pair<double, double>;
Value value(Objective objective, double latency_ns, double energy_pj) {
  if (objective == Objective::kLatency) return {latency_ns, energy_pj};
  if (objective == Objective::kEnergy) return {energy_pj, latency_ns};
  return {latency_ns * energy_pj, energy_pj};
}

/// Energy of a byte of DRAM. Without an energy table, which has a rate for it, 1: the bytes stand
/// for the energy.
double dram_rate(const EnergyRates& rates) {
  return rates.dram_byte > 0 || rates.mac > 0 ? rates.dram_byte : 1;
}

double energy_to_compare(const LayerCost& cost, const EnergyRates& rates) {
  if (dram_rate(rates) == rates.dram_byte) return cost.energy->total();
  return static_cast<double>(cost.dram_read_bytes + cost.dram_write_bytes);
}

/// Lower bound on latency and energy of any mapping with these bytes and these array cycles.
struct TileBounds {
  TileBounds(std::int64_t array_cycles, const Movement& moved, std::int64_t macs,
             const Machine& machine, const EnergyRates& rates) {
    const auto bytes = static_cast<double>(moved.read_bytes + moved.write_bytes);
    const double cycles =
        std::max(static_cast<double>(array_cycles), bytes / machine.dram_bytes_per_cycle());
    latency_ns = machine.cycle_ns() * cycles;
    energy_pj = bytes * dram_rate(rates) +
                static_cast<double>(macs) * (rates.mac + rates.register_file) +
                cycles * rates.leakage_cycle;
  }
  double latency_ns = 0, energy_pj = 0;
};

/// Evaluates every candidate for which useful(bounds) is true and passes it to take(found).
template <typename Useful, typename Take>
class Explorer {
 public:
  Explorer(const Gemm& g, const Machine& machine, const EnergyRates& rates, const Search& search,
           Useful useful, Take take)
      : g_(g),
        machine_(machine),
        rates_(rates),
        search_(search),
        dataflows_(search.any_dataflow ? std::vector<Dataflow>(kDataflows.begin(), kDataflows.end())
                                       : std::vector<Dataflow>{machine.dataflow}),
        useful_(useful),
        take_(take) {}

  void explore() {
    const Candidates c = candidates(g_, search_.tile);
    for (const std::int64_t m : c.m)
      for (const std::int64_t k : c.k) {
        Tiles tiles(g_, {m, c.n[0], k});
        for (const std::int64_t n : c.n) {
          tiles.cut_n(n);
          explore(tiles, {m, n, k});
        }
      }
  }

 private:
  /// Evaluates the mappings of one tile.
  /// Example: one product with M = 8, N = K = 4 on a 4 x 4 array, weight stationary. candidates()
  /// gives m = 8, 4, 3, 2, 1 and n = k = 4, 2, 1: 45 tiles, the first 8,4,4. It has one tile per
  /// loop: only the order m,n,k is canonical, and it takes max(4, 8) = 8 array cycles. Tile 4,4,4
  /// cuts M in two: only n,k,m is canonical. Tile 2,4,4 takes 4 * max(4, 2) = 16 array cycles: with
  /// the latency objective, it is dropped before any order is tried if the best mapping so far
  /// takes fewer.
  void explore(const Tiles& tiles, const Tile& tile) {
    std::array<std::int64_t, kDataflows.size()> cycles{};
    bool any = false;
    for (std::size_t d = 0; d < dataflows_.size(); ++d) {
      cycles[d] = array_cycles(tiles, machine_, dataflows_[d]);
      any = any || may_help(cycles[d], {});
    }
    if (!any) return;
    for (const LoopOrder& order : kLoopOrders)
      if (is_canonical(order, tiles))
        for_each_series(tiles, {.tile = tile, .order = order}, [&](const Mapping& series) {
          for_each_keeping(tiles, series, machine_, [&](Mapping how) {
            const Movement moved = movement(tiles, machine_.widths, how);
            for (std::size_t d = 0; d < dataflows_.size(); ++d) {
              if (!may_help(cycles[d], moved)) continue;
              how.dataflow = dataflows_[d];
              Found found{how, overlapped(tiles, machine_, how, search_.riders)};
              found.cost.energy = energy_of(found.cost, rates_);
              take_(std::move(found));
            }
          });
        });
  }
  /// Visits the ways to process several products: how many at a time, and the next one ahead or
  /// not.
  void for_each_series(const Tiles& tiles, Mapping how, auto&& visit) const {
    std::vector<std::int64_t> at_a_time{1};
    if (tiles.whole() && !g_.in_turn) at_a_time.clear(), add_parts(at_a_time, g_.count, 1);
    for (const std::int64_t products : at_a_time)
      for (const bool ahead : {true, false}) {
        if (ahead && (g_.in_turn || products == g_.count || !machine_.double_buffered)) continue;
        how.tile.products = products, how.ahead = ahead, how.doubled = machine_.double_buffered;
        visit(how);
      }
  }
  bool may_help(std::int64_t cycles, const Movement& moved) const {
    return useful_(TileBounds(cycles, moved, g_.macs(), machine_, rates_));
  }

  const Gemm& g_;
  const Machine& machine_;
  const EnergyRates& rates_;
  const Search& search_;
  const std::vector<Dataflow> dataflows_;
  Useful useful_;
  Take take_;
};

}  // namespace

std::optional<Found> search_mapping(const Gemm& g, const Machine& machine, const EnergyRates& rates,
                                    const Search& search) {
  std::optional<Found> best;
  constexpr double kMax = std::numeric_limits<double>::infinity();
  Value least = {kMax, kMax};
  Explorer(
      g, machine, rates, search,
      [&](const TileBounds& b) {
        return value(search.objective, b.latency_ns, b.energy_pj) < least;
      },
      [&](Found&& found) {
        const Value now =
            value(search.objective, *found.cost.latency_ns, energy_to_compare(found.cost, rates));
        if (now >= least) return;
        least = now;
        best = std::move(found);
      })
      .explore();
  return best;
}

std::vector<Found> pareto_front(const Gemm& g, const Machine& machine, const EnergyRates& rates,
                                const Search& search) {
  std::vector<Found> front;
  const auto beaten = [&](double latency_ns, double energy_pj) {
    return std::any_of(front.begin(), front.end(), [&](const Found& f) {
      return *f.cost.latency_ns <= latency_ns && energy_to_compare(f.cost, rates) <= energy_pj;
    });
  };
  Explorer(
      g, machine, rates, search,
      [&](const TileBounds& b) { return !beaten(b.latency_ns, b.energy_pj); },
      [&](Found&& found) {
        const double latency = *found.cost.latency_ns,
                     energy = energy_to_compare(found.cost, rates);
        if (beaten(latency, energy)) return;
        std::erase_if(front, [&](const Found& f) {
          return latency <= *f.cost.latency_ns && energy <= energy_to_compare(f.cost, rates);
        });
        front.push_back(std::move(found));
      })
      .explore();
  std::sort(front.begin(), front.end(),
            [](const Found& a, const Found& b) { return *a.cost.latency_ns < *b.cost.latency_ns; });
  return front;
}

std::int64_t min_shortage(const Gemm& g, const Machine& machine, const Tile& tile) {
  const Tile within{std::min(tile.m, g.m), std::min(tile.n, g.n), std::min(tile.k, g.k)};
  const Tiles tiles(g, within);
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const LoopOrder& order : kLoopOrders) {
    const Mapping how{.tile = within, .order = order, .doubled = machine.double_buffered};
    least = std::min(least, sram_shortage(sram_bytes(tiles, machine.widths, how), machine.sram));
  }
  return least;
}

}  // namespace ridge::accelerator
