#include "accelerator/tile_search.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace ridge::accelerator {
namespace {

/// 1, 2, 3, 4, 6, 8, 12, 16, ...: parts that a dimension is cut into.
std::int64_t more_parts(std::int64_t parts) {
  const bool power = (parts & (parts - 1)) == 0;
  return parts < 3 ? parts + 1 : power ? parts + parts / 2 : parts / 3 * 4;
}

/// Adds tiles of whole units of `unit`, of a dimension of `length` units; the whole first, one unit
/// last.
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
  if (rows && covered < g.m) {  // padded: parts of that many rows, too
    std::vector<std::int64_t> even;
    add_parts(even, g.m, 1);
    out.m.insert(out.m.end(), even.begin() + 1, even.end());
  }
  add_parts(out.n, g.n, 1);
  add_parts(out.k, channels ? g.k / band.filter_area : g.k, channels ? band.filter_area : 1);
  if (channels) add_parts(out.k, band.filter_area, 1);
  return out;
}

/// Loops of a single tile stand outside, in their own order: the other orders are the same ones.
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

/// Ways to keep tiles on chip in an order of loops, the one that moves least first; each moves no
/// more than those after it that keep less.
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

/// What is sought, and what decides among equals: of many that hide DRAM behind the array the
/// thriftiest.
using Value = std::pair<double, double>;
Value value(Objective objective, double latency_ns, double energy_pj) {
  if (objective == Objective::kLatency) return {latency_ns, energy_pj};
  if (objective == Objective::kEnergy) return {energy_pj, latency_ns};
  return {latency_ns * energy_pj, energy_pj};
}

/// What no mapping with these bytes and these cycles of the array stays below.
struct Bounds {
  Bounds(std::int64_t array_cycles, const Movement& moved, std::int64_t macs,
         const Machine& machine, const EnergyRates& rates) {
    const auto bytes = static_cast<double>(moved.read_bytes + moved.write_bytes);
    const double cycles =
        std::max(static_cast<double>(array_cycles), bytes / machine.dram_bytes_per_cycle());
    latency_ns = machine.cycle_ns() * cycles;
    energy_pj = bytes * rates.dram_byte +
                static_cast<double>(macs) * (rates.mac + rates.register_file) +
                cycles * rates.leakage_cycle;
  }
  double latency_ns = 0, energy_pj = 0;
};

/// Reckons what may still be of use and offers it: useful(bounds), take(found).
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
  /// All mappings of one tile.
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
              Found found{how, overlapped(tiles, machine_, how)};
              found.cost.energy = energy_of(found.cost, rates_);
              take_(std::move(found));
            }
          });
        });
  }
  /// Ways to go through several products.
  void for_each_series(const Tiles& tiles, Mapping how, auto&& visit) const {
    std::vector<std::int64_t> at_a_time{1};
    if (tiles.whole() && !g_.in_turn) at_a_time.clear(), add_parts(at_a_time, g_.count, 1);
    for (const std::int64_t products : at_a_time)
      for (const bool ahead : {true, false}) {
        if (ahead && (g_.in_turn || products == g_.count)) continue;
        how.tile.products = products, how.ahead = ahead;
        visit(how);
      }
  }
  bool may_help(std::int64_t cycles, const Movement& moved) const {
    return useful_(Bounds(cycles, moved, g_.macs(), machine_, rates_));
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
  constexpr double kMost = std::numeric_limits<double>::infinity();
  Value least = {kMost, kMost};
  Explorer(
      g, machine, rates, search,
      [&](const Bounds& b) { return value(search.objective, b.latency_ns, b.energy_pj) < least; },
      [&](Found&& found) {
        const Value now =
            value(search.objective, *found.cost.latency_ns, found.cost.energy->total());
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
      return *f.cost.latency_ns <= latency_ns && f.cost.energy->total() <= energy_pj;
    });
  };
  Explorer(
      g, machine, rates, search,
      [&](const Bounds& b) { return !beaten(b.latency_ns, b.energy_pj); },
      [&](Found&& found) {
        const double latency = *found.cost.latency_ns, energy = found.cost.energy->total();
        if (beaten(latency, energy)) return;
        std::erase_if(front, [&](const Found& f) {
          return latency <= *f.cost.latency_ns && energy <= f.cost.energy->total();
        });
        front.push_back(std::move(found));
      })
      .explore();
  std::sort(front.begin(), front.end(),
            [](const Found& a, const Found& b) { return *a.cost.latency_ns < *b.cost.latency_ns; });
  return front;
}

std::int64_t least_shortage(const Gemm& g, const Machine& machine, const Tile& tile) {
  const Tile within{std::min(tile.m, g.m), std::min(tile.n, g.n), std::min(tile.k, g.k)};
  const Tiles tiles(g, within);
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const LoopOrder& order : kLoopOrders) {
    const Mapping how{.tile = within, .order = order};
    least = std::min(least, sram_shortage(sram_bytes(tiles, machine.widths, how), machine.sram));
  }
  return least;
}

}  // namespace ridge::accelerator
