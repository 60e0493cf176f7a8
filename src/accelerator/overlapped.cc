#include "accelerator/overlapped.h"

#include <cmath>
#include <span>

#include "accelerator/array_cycles.h"

namespace ridge::accelerator {
namespace {

constexpr Dimension kM = Dimension::kM, kN = Dimension::kN, kK = Dimension::kK;

std::size_t depth_of(const LoopOrder& order, Dimension d) {
  return order[0] == d ? 0 : order[1] == d ? 1 : 2;
}

const Cut& cut(const Tiles& t, Dimension d) { return d == kM ? t.m() : d == kN ? t.n() : t.k(); }

/// Whether an operand that the loop over `d` does not concern stays on chip for all of it.
bool stays(const Tiles& t, const Mapping& how, Dimension d) {
  const std::size_t depth = depth_of(how.order, d);
  if (depth == 2 || (depth == 1 ? how.keep_middle : how.keep_outer)) return true;
  for (std::size_t inside = depth + 1; inside < 3; ++inside)
    if (cut(t, how.order[inside]).count() > 1) return false;
  return true;
}

/// Whether the ifmap tile before in M, at the same tile of K, is still on chip when the next one is
/// loaded.
bool slides(const Tiles& t, const Mapping& how) {
  const std::size_t m = depth_of(how.order, kM), n = depth_of(how.order, kN),
                    k = depth_of(how.order, kK);
  if (t.k().count() == 1 || m > k) return true;
  const bool keeps = n == 1 ? how.keep_middle : n == 0 && how.keep_outer;
  return keeps && n < k && t.n().count() > 1;  // all tiles of K are there
}

/// What a mapping makes of each operand.
struct Residence {
  explicit Residence(const Tiles& t, const Mapping& how)
      : ifmap(stays(t, how, kN)),
        filter(stays(t, how, kM)),
        ofmap(stays(t, how, kK)),
        bands(slides(t, how)) {}
  bool ifmap, filter, ofmap;
  bool bands;  ///< of a band only what the one before has not is loaded
};

/// Elements on chip of an operand over `rows` and `columns` that the loop over `other` does not
/// concern; all(d) is how many lie along d at most, together and in one tile.
template <typename Elements>
std::int64_t held(const Tiles& t, const Mapping& how, Dimension other, bool kept,
                  Elements&& elements) {
  const std::size_t depth = depth_of(how.order, other);
  std::array<bool, 3> whole{};  // dimensions of which every tile is there
  std::int64_t tiles = 1, inside = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    if (i == depth) continue;
    const std::int64_t count = cut(t, how.order[i]).count();
    tiles *= count;
    if (i < depth) continue;
    inside *= count;
    whole[static_cast<std::size_t>(how.order[i])] = kept;
  }
  const std::int64_t tile = elements(std::array<bool, 3>{});
  if (kept && inside > 1 && cut(t, other).count() > 1)
    return elements(whole) + (how.ahead ? tile : 0);
  return (tiles > 1 || how.ahead ? 2 : 1) * how.together * tile;
}

/// Where a step lies in one loop: a run of steps that are alike, by its first.
struct Run {
  std::int64_t first = 0, count = 1;
};

/// Steps of a loop that are alike in themselves, in the one before and the one after.
class Runs {
 public:
  explicit Runs(std::int64_t steps) { add_all(steps); }
  Runs(const Tiles& t, Dimension d) {
    const std::int64_t n = cut(t, d).count();
    if (d == kM && t.in_bands()) {
      for (std::int64_t i = 0; i < n; ++i)
        if (i > 2 && i + 2 < n && t.like_before(i - 1) && t.like_before(i) && t.like_before(i + 1))
          ++many_.back().count;
        else
          many_.push_back({i, 1});
      return;
    }
    add_all(n);
  }

  std::span<const Run> all() const& {
    return many_.empty() ? std::span<const Run>(few_.data(), used_) : many_;
  }
  std::span<const Run> all() const&& = delete;  // the rows are its own

 private:
  void add(Run r) { few_[used_++] = r; }
  void add_all(std::int64_t n) {
    add({0, 1});
    if (n > 3) add({1, n - 3});
    if (n > 2) add({n - 2, 1});
    if (n > 1) add({n - 1, 1});
  }

  std::array<Run, 4> few_;
  std::size_t used_ = 0;
  std::vector<Run> many_;
};

/// One step of the three loops, by dimension.
struct Step {
  std::array<std::int64_t, 3> at{};

  std::int64_t operator[](Dimension d) const { return at[static_cast<std::size_t>(d)]; }
  std::int64_t& operator[](Dimension d) { return at[static_cast<std::size_t>(d)]; }
};

/// What one step reads, works and writes.
class Pipeline {
 public:
  Pipeline(const Tiles& t, const Machine& m, const Mapping& how)
      : t_(t), m_(m), how_(how), stay_(t, how), bytes_per_cycle_(m.dram_bytes_per_cycle()) {
    latency_ = static_cast<std::int64_t>(std::ceil(m.dram.latency_ns / m.cycle_ns()));
    for (std::size_t i = 0; i < array_.size(); ++i)
      array_[i] = array_cycles(size(kM, i), size(kN, i), size(kK, i));
  }

  std::int64_t load_bytes(const Step& s) const {
    const Widths& w = m_.widths;
    std::int64_t bytes = 0;
    if (!stay_.ifmap || s[kN] == 0)
      bytes += word_bytes(stay_.bands ? t_.ifmap_added(s[kM], s[kK]) : t_.ifmap(s[kM], s[kK]),
                          w.bits.ifmap);
    if (!stay_.filter || s[kM] == 0)
      bytes += word_bytes(t_.k().size(s[kK]) * t_.n().size(s[kN]), w.bits.filter);
    if (!stay_.ofmap && s[kK] > 0) bytes += word_bytes(outputs(s), w.accumulator_bits);
    return bytes;
  }
  std::int64_t store_bytes(const Step& s) const {
    if (s[kK] + 1 == t_.k().count()) return word_bytes(outputs(s), m_.widths.bits.ofmap);
    return stay_.ofmap ? 0 : word_bytes(outputs(s), m_.widths.accumulator_bits);
  }
  std::int64_t dram_cycles(std::int64_t bytes) const {
    if (bytes == 0) return 0;
    return latency_ +
           static_cast<std::int64_t>(std::ceil(static_cast<double>(bytes) / bytes_per_cycle_));
  }
  std::int64_t array(const Step& s) const {
    return array_[(last(s, kM) ? 1U : 0U) + (last(s, kN) ? 2U : 0U) + (last(s, kK) ? 4U : 0U)];
  }
  /// Of the first tile, the array empty before and after.
  std::int64_t first_array() const {
    const Layout l = layout(t_.m().size(0), t_.n().size(0), t_.k().size(0), how_.dataflow);
    return std::max(array(Step{}), filled_cycles(l, m_.rows, m_.columns, how_.dataflow));
  }
  /// The step after or before; false where there is none.
  bool move(Step& s, std::int64_t by) const {
    for (std::size_t i = 3; i-- > 0;) {
      const Dimension d = how_.order[i];
      const std::int64_t end = cut(t_, d).count();
      s[d] += by;
      if (s[d] >= 0 && s[d] < end) return true;
      s[d] = by > 0 ? 0 : end - 1;
    }
    return false;
  }

 private:
  std::int64_t size(Dimension d, std::size_t lasts) const {
    const Cut& c = cut(t_, d);
    return c.size((lasts >> static_cast<unsigned>(d) & 1U) != 0 ? c.count() - 1 : 0);
  }
  bool last(const Step& s, Dimension d) const { return s[d] + 1 == cut(t_, d).count(); }
  std::int64_t outputs(const Step& s) const { return t_.m().size(s[kM]) * t_.n().size(s[kN]); }
  std::int64_t array_cycles(std::int64_t m, std::int64_t n, std::int64_t k) const;

  const Tiles& t_;
  const Machine& m_;
  const Mapping& how_;
  Residence stay_;
  double bytes_per_cycle_;
  std::int64_t latency_ = 0;
  std::array<std::int64_t, 8> array_{};  ///< by which of M, N, K are at their last tile
};

/// The steps of all products, one after the other.
class Schedule {
 public:
  Schedule(const Tiles& t, const Pipeline& p, const Mapping& how)
      : t_(t),
        p_(p),
        together_(how.together),
        parts_(ceil_div(t.products(), how.together)),
        ahead_(how.ahead),
        filling_(p.first_array() - p.array(Step{})),
        runs_{Runs(t, how.order[0]), Runs(t, how.order[1]), Runs(t, how.order[2])},
        order_(how.order) {
    p.move(last_, -1);
  }

  /// Filling and emptying the array: for every product by itself, or once.
  std::int64_t filling() const { return (ahead_ ? 1 : parts_) * filling_; }
  /// The first load and the last store, which nothing hides: likewise.
  std::int64_t edges() const {
    if (ahead_) return load(0) + store(parts_ - 1);
    return (parts_ - 1) * (load(0) + store(0)) + load(parts_ - 1) + store(parts_ - 1);
  }
  /// Cycles of the array.
  std::int64_t working() const {
    std::int64_t cycles = 0;
    for_each_run([&](const Step& s, std::int64_t times) { cycles += times * p_.array(s); });
    return filling() + cycles * t_.products();
  }
  std::int64_t total() const {
    std::int64_t cycles = 0;
    const Runs parts(parts_);
    for (const Run& run : parts.all()) cycles += run.count * part_cycles(run.first);
    return edges() + cycles;
  }

 private:
  /// Products in part `i`: all parts but the last are alike.
  std::int64_t products(std::int64_t i) const {
    return std::min(together_, t_.products() - i * together_);
  }
  std::int64_t load(std::int64_t part) const {
    return p_.dram_cycles(products(part) * p_.load_bytes(Step{}));
  }
  std::int64_t store(std::int64_t part) const {
    return p_.dram_cycles(products(part) * p_.store_bytes(last_));
  }
  /// Visits steps that are alike with one of them and how many there are.
  template <typename Visit>
  void for_each_run(Visit&& visit) const {
    for (const Run& a : runs_[0].all())
      for (const Run& b : runs_[1].all())
        for (const Run& c : runs_[2].all()) {
          Step s;
          s[order_[0]] = a.first, s[order_[1]] = b.first, s[order_[2]] = c.first;
          visit(s, a.count * b.count * c.count);
        }
  }
  /// Of the steps of one part, but for the first load and the last store of all.
  std::int64_t part_cycles(std::int64_t part) const {
    const bool before = ahead_ && part > 0, after = ahead_ && part + 1 < parts_;
    std::int64_t cycles = 0;
    for_each_run([&](const Step& s, std::int64_t times) {
      Step previous = s, next = s;
      const bool is_first = !p_.move(previous, -1), is_last = !p_.move(next, 1);
      const std::int64_t stores = !is_first ? p_.dram_cycles(p_.store_bytes(previous))
                                  : before  ? store(part - 1)
                                            : 0;
      const std::int64_t loads = !is_last ? p_.dram_cycles(p_.load_bytes(next))
                                 : after  ? load(part + 1)
                                          : 0;
      const std::int64_t work = products(part) * p_.array(s) + (is_first && !before ? filling_ : 0);
      cycles += times * std::max(work, stores + loads);
    });
    return cycles;
  }

  const Tiles& t_;
  const Pipeline& p_;
  std::int64_t together_, parts_;
  bool ahead_;
  std::int64_t filling_;
  std::array<Runs, 3> runs_;
  LoopOrder order_;
  Step last_{};
};

/// Words that the array exchanges with the SRAM for a tile; the final ones count as ofmap.
Traffic edge_words(const Layout& held, std::int64_t m, std::int64_t n, std::int64_t k,
                   const Machine& machine, Dataflow dataflow) {
  const std::int64_t x = ceil_div(held.rows, machine.rows);
  const std::int64_t y = ceil_div(held.columns, machine.columns);
  switch (dataflow) {
    case Dataflow::kOutputStationary:
      return {.ifmap = m * k * y, .filter = k * n * x, .psum_reads = 0, .ofmap = m * n};
    case Dataflow::kWeightStationary:
      return {.ifmap = m * k * y,
              .filter = k * n,
              .psum_reads = m * n * (x - 1),
              .ofmap = m * n,
              .psum_writes = m * n * (x - 1)};
    case Dataflow::kInputStationary:
      return {.ifmap = m * k,
              .filter = k * n * y,
              .psum_reads = m * n * (x - 1),
              .ofmap = m * n,
              .psum_writes = m * n * (x - 1)};
  }
  return {};
}

std::int64_t Pipeline::array_cycles(std::int64_t m, std::int64_t n, std::int64_t k) const {
  const Layout l = layout(m, n, k, how_.dataflow);
  const std::int64_t steady = steady_cycles(l, m_.rows, m_.columns);
  const Sram& sram = m_.sram;
  if (sram.port_bytes == 0) return steady;
  const Widths& width = m_.widths;
  const Traffic w = edge_words(l, m, n, k, m_, how_.dataflow);
  const std::int64_t sums = w.ofmap + w.psum_reads + w.psum_writes;
  const std::int64_t ifmap = word_bytes(w.ifmap, width.bits.ifmap);
  const std::int64_t filter = word_bytes(w.filter, width.bits.filter);
  const std::int64_t bytes = sram.shared_bytes > 0
                                 ? ifmap + filter + word_bytes(sums, width.accumulator_bits)
                                 : std::max({ifmap, filter, word_bytes(sums, width.bits.ifmap)});
  return std::max(steady, ceil_div(bytes, sram.port_bytes * sram.ports * sram.banks));
}

/// Calls visit(sizes of M, N, K; how many tiles have them).
template <typename Visit>
void for_each_tile_shape(const Tiles& t, Visit&& visit) {
  const auto shapes = [](const Cut& c, auto&& use) {
    if (c.count() > 1) use(c.tile, c.count() - 1);
    use(c.size(c.count() - 1), std::int64_t{1});
  };
  shapes(t.m(), [&](std::int64_t m, std::int64_t cm) {
    shapes(t.n(), [&](std::int64_t n, std::int64_t cn) {
      shapes(t.k(), [&](std::int64_t k, std::int64_t ck) { visit(m, n, k, cm * cn * ck); });
    });
  });
}

/// Of all tiles: words between SRAM and array, folds.
void count_array(const Tiles& t, const Machine& machine, Dataflow dataflow, LayerCost& cost) {
  for_each_tile_shape(t, [&](std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t tiles) {
    const std::int64_t times = tiles * t.products();
    const Layout l = layout(m, n, k, dataflow);
    const Traffic w = edge_words(l, m, n, k, machine, dataflow);
    cost.sram.ifmap += times * w.ifmap;
    cost.sram.filter += times * w.filter;
    cost.sram.psum_reads += times * w.psum_reads;
    cost.sram.psum_writes += times * w.psum_writes;
    cost.folds += times * ceil_div(l.rows, machine.rows) * ceil_div(l.columns, machine.columns);
  });
  // Every tile of K but the first adds to what the one before left.
  const std::int64_t outputs = t.products() * t.m().length * t.n().length;
  cost.sram.ofmap = outputs;
  cost.sram.psum_reads += outputs * (t.k().count() - 1);
  cost.sram.psum_writes += outputs * (t.k().count() - 1);
}

/// What the layer waits for, from the parts of its time.
Bound bound_of(const LayerCost& c, const Machine& m, std::int64_t ports, std::int64_t fill) {
  const Widths& w = m.widths;
  const auto cycles = [&](std::int64_t words, std::int64_t bits) {
    return static_cast<double>(word_bytes(words, bits)) / m.dram_bytes_per_cycle();
  };
  const std::array streams = {
      std::pair(Bound::kDramIfmap, cycles(c.dram->ifmap, w.bits.ifmap)),
      std::pair(Bound::kDramFilter, cycles(c.dram->filter, w.bits.filter)),
      std::pair(Bound::kDramOfmap, cycles(c.dram->ofmap, w.bits.ofmap)),
      std::pair(Bound::kDramPsum,
                cycles(c.dram->psum_reads + c.dram->psum_writes, w.accumulator_bits))};
  double dram = 0;
  auto widest = streams[0];
  for (const auto& s : streams) {
    dram += s.second;
    if (s.second > widest.second) widest = s;
  }
  const auto steady = static_cast<double>(c.compute_cycles);
  if (static_cast<double>(fill) > std::max(steady, dram)) return Bound::kFill;
  if (dram > steady) return widest.first;
  return ports > 0 ? Bound::kSramPort : Bound::kCompute;
}

}  // namespace

std::string_view name(const LoopOrder& order) {
  constexpr std::array<std::string_view, 6> kNames = {"m,n,k", "n,m,k", "m,k,n",
                                                      "k,m,n", "n,k,m", "k,n,m"};
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kLoopOrders[i] == order) return kNames[i];
  return "";
}

PerOperand<std::int64_t> sram_bytes(const Tiles& t, const Widths& w, const Mapping& how) {
  const Residence stay(t, how);
  const auto along = [&t](Dimension d, const std::array<bool, 3>& whole) {
    const Cut& c = cut(t, d);
    return whole[static_cast<std::size_t>(d)] ? c.length : c.tile;
  };
  const std::int64_t ifmap = held(t, how, kN, stay.ifmap, [&](const std::array<bool, 3>& whole) {
    const bool all_m = whole[0], all_k = whole[2];
    if (all_m && all_k) return t.ifmap_added_sum();
    if (all_m) return t.ifmap_column(0);
    if (!all_k) return t.ifmap_most();
    std::int64_t most = 0;  // all of K at one tile of M
    for (std::int64_t i = 0; i < (t.in_bands() ? t.m().count() : 1); ++i) {
      const std::int64_t last = t.k().count() - 1;
      most = std::max(most, last * t.ifmap(i, 0) + t.ifmap(i, last));
    }
    return most;
  });
  const std::int64_t filter = held(t, how, kM, stay.filter, [&](const auto& whole) {
    return along(kK, whole) * along(kN, whole);
  });
  const std::int64_t ofmap = held(t, how, kK, stay.ofmap, [&](const auto& whole) {
    return along(kM, whole) * along(kN, whole);
  });
  return {word_bytes(ifmap, w.bits.ifmap), word_bytes(filter, w.bits.filter),
          word_bytes(ofmap, w.accumulator_bits)};
}

std::int64_t sram_shortage(const PerOperand<std::int64_t>& needed, const Sram& sram) {
  if (sram.shared_bytes > 0)
    return std::max<std::int64_t>(0,
                                  needed.ifmap + needed.filter + needed.ofmap - sram.shared_bytes);
  return std::max({std::int64_t{0}, needed.ifmap - sram.bytes.ifmap,
                   needed.filter - sram.bytes.filter, needed.ofmap - sram.bytes.ofmap});
}

Movement movement(const Tiles& t, const Widths& w, const Mapping& how) {
  const Residence stay(t, how);
  Movement out;
  Traffic& words = out.words;
  const std::int64_t products = t.products();
  words.ifmap = products * (stay.bands ? t.ifmap_added_sum() : t.ifmap_sum()) *
                (stay.ifmap ? 1 : t.n().count());
  words.filter = products * t.k().length * t.n().length * (stay.filter ? 1 : t.m().count());
  words.ofmap = products * t.m().length * t.n().length;
  if (!stay.ofmap) words.psum_reads = words.psum_writes = words.ofmap * (t.k().count() - 1);
  out.read_bytes = word_bytes(words.ifmap, w.bits.ifmap) + word_bytes(words.filter, w.bits.filter) +
                   word_bytes(words.psum_reads, w.accumulator_bits);
  out.write_bytes =
      word_bytes(words.ofmap, w.bits.ofmap) + word_bytes(words.psum_writes, w.accumulator_bits);
  return out;
}

std::int64_t array_cycles(const Tiles& t, const Machine& machine, Dataflow dataflow) {
  std::int64_t cycles = 0;
  for_each_tile_shape(t, [&](std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t times) {
    cycles += times * steady_cycles(layout(m, n, k, dataflow), machine.rows, machine.columns);
  });
  return cycles * t.products();
}

LayerCost overlapped(const Tiles& t, const Machine& machine, const Mapping& how) {
  const Pipeline p(t, machine, how);
  const Movement moved = movement(t, machine.widths, how);
  LayerCost c;
  c.dataflow = how.dataflow;
  c.tile = {t.m().tile, t.n().tile, t.k().tile};
  c.loop_order = name(how.order);
  c.together = how.together;
  c.padded_macs = t.products() * t.m().length * t.n().length * t.k().length;
  c.dram = moved.words;
  c.dram_read_bytes = moved.read_bytes;
  c.dram_write_bytes = moved.write_bytes;
  const PerOperand<std::int64_t> needed = sram_bytes(t, machine.widths, how);
  c.sram_used_bytes = needed.ifmap + needed.filter + needed.ofmap;
  count_array(t, machine, how.dataflow, c);

  const Schedule schedule(t, p, how);
  const std::int64_t total = schedule.total();
  c.compute_cycles = schedule.working();
  c.stall_cycles = total - c.compute_cycles;
  c.latency_ns = static_cast<double>(total) * machine.cycle_ns();
  const double all_units = static_cast<double>(machine.units()) * static_cast<double>(total);
  c.utilization = static_cast<double>(c.padded_macs) / all_units;
  c.bound = bound_of(c, machine,
                     c.compute_cycles - schedule.filling() - array_cycles(t, machine, how.dataflow),
                     schedule.edges() + schedule.filling());
  return c;
}

}  // namespace ridge::accelerator
