// SPDX-License-Identifier: Apache-2.0
#include "accelerator/schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "accelerator/array_cycles.h"

namespace ridge::accelerator {
namespace {

using enum Dimension;

/// Run of equal steps of one loop: the first step and their number.
struct Run {
  std::int64_t first = 0, count = 1;
};

/// Groups the steps of a loop into runs whose steps are equal in themselves and in their
/// predecessor and successor.
/// Example: 6 tiles of a matrix dimension, of which the last may be smaller, form the runs {0}, {1,
/// 2, 3}, {4}, {5}: tile 0 has no predecessor, the successor of tile 4 may be smaller.
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
  std::span<const Run> all() const&& = delete;  // the span points into this object

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

/// One step: its tile index along each dimension.
struct Step {
  std::array<std::int64_t, 3> at{};

  std::int64_t operator[](Dimension d) const { return at[static_cast<std::size_t>(d)]; }
  std::int64_t& operator[](Dimension d) { return at[static_cast<std::size_t>(d)]; }
};

/// Bytes to load and store and array cycles of one step.
class Pipeline {
 public:
  Pipeline(const Tiles& t, const Machine& m, const Mapping& how, std::int64_t rider_words)
      : t_(t),
        m_(m),
        how_(how),
        stay_(t, how),
        count_{t.m().count(), t.n().count(), t.k().count()},
        rider_words_(rider_words),
        all_outputs_(t.products() * t.m().length * t.n().length),
        bytes_per_cycle_(m.dram_bytes_per_cycle()) {
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
    if (rider_words_ > 0 && s[kK] + 1 == count(kK))
      bytes += word_bytes(rider_words(outputs(s)), w.bits.ifmap);
    return bytes;
  }
  std::int64_t store_bytes(const Step& s) const {
    if (s[kK] + 1 == count(kK)) return word_bytes(outputs(s), m_.widths.bits.ofmap);
    return stay_.ofmap ? 0 : word_bytes(outputs(s), m_.widths.accumulator_bits);
  }
  std::int64_t dram_cycles(std::int64_t bytes) const {
    if (bytes == 0) return 0;
    return latency_ + accelerator::dram_cycles(static_cast<double>(bytes), bytes_per_cycle_);
  }
  std::int64_t array(const Step& s) const {
    return array_[(last(s, kM) ? 1U : 0U) + (last(s, kN) ? 2U : 0U) + (last(s, kK) ? 4U : 0U)];
  }
  /// Array cycles of all steps of one product.
  std::int64_t all_array() const {
    std::int64_t cycles = 0;
    for (std::size_t lasts = 0; lasts < array_.size(); ++lasts) {
      std::int64_t steps = 1;
      for (const Dimension d : {kM, kN, kK}) steps *= is_in(lasts, d) ? 1 : count(d) - 1;
      cycles += steps * array_[lasts];
    }
    return cycles;
  }
  /// Array cycles of the first tile, with the array empty before and after.
  std::int64_t first_array() const {
    const Layout l = layout(t_.m().size(0), t_.n().size(0), t_.k().size(0), how_.dataflow);
    return std::max(array(Step{}), filled_cycles(l, m_.rows, m_.columns, how_.dataflow));
  }
  /// Moves `s` to the next (`by` 1) or previous (`by` -1) step; false if there is none.
  bool move(Step& s, std::int64_t by) const {
    for (std::size_t i = 3; i-- > 0;) {
      const Dimension d = how_.order[i];
      const std::int64_t end = count(d);
      s[d] += by;
      if (s[d] >= 0 && s[d] < end) return true;
      s[d] = by > 0 ? 0 : end - 1;
    }
    return false;
  }

 private:
  std::int64_t size(Dimension d, std::size_t lasts) const {
    const Cut& c = cut(t_, d);
    return c.size(is_in(lasts, d) ? count(d) - 1 : 0);
  }
  static bool is_in(std::size_t lasts, Dimension d) {
    return (lasts >> static_cast<unsigned>(d) & 1U) != 0;
  }
  std::int64_t count(Dimension d) const { return count_[static_cast<std::size_t>(d)]; }
  bool last(const Step& s, Dimension d) const { return s[d] + 1 == count(d); }
  std::int64_t outputs(const Step& s) const { return t_.m().size(s[kM]) * t_.n().size(s[kN]); }
  std::int64_t array_cycles(std::int64_t m, std::int64_t n, std::int64_t k) const;
  /// Elements that riders read besides `outputs` of all outputs, rounded up.
  std::int64_t rider_words(std::int64_t outputs) const {
    __extension__ using Wide = __int128;
    return static_cast<std::int64_t>((Wide(rider_words_) * outputs + all_outputs_ - 1) /
                                     all_outputs_);
  }

  const Tiles& t_;
  const Machine& m_;
  const Mapping& how_;
  Residence stay_;
  std::array<std::int64_t, 3> count_;  ///< tiles along M, N and K
  std::int64_t rider_words_, all_outputs_;
  double bytes_per_cycle_;
  std::int64_t latency_ = 0;
  /// Indexed by the dimensions at their last tile: 1 for M + 2 for N + 4 for K
  std::array<std::int64_t, 8> array_{};
};

std::int64_t Pipeline::array_cycles(std::int64_t m, std::int64_t n, std::int64_t k) const {
  const Layout l = layout(m, n, k, how_.dataflow);
  const std::int64_t steady = steady_cycles(l, m_.rows, m_.columns);
  const Sram& sram = m_.sram;
  if (sram.port_bytes == 0) return steady;
  const Widths& width = m_.widths;
  const Traffic w = array_words(l, m_.rows, m_.columns, how_.dataflow);
  const std::int64_t sums = w.ofmap + w.psum_reads + w.psum_writes;
  const std::int64_t ifmap = word_bytes(w.ifmap, width.bits.ifmap);
  const std::int64_t filter = word_bytes(w.filter, width.bits.filter);
  const std::int64_t bytes = sram.shared_bytes > 0
                                 ? ifmap + filter + word_bytes(sums, width.accumulator_bits)
                                 : std::max({ifmap, filter, word_bytes(sums, width.bits.ifmap)});
  return std::max(steady, ceil_div(bytes, sram.port_bytes * sram.ports * sram.banks));
}

/// Steps of all products, executed one after the other in parts of `tile.products`.
class Series {
 public:
  Series(const Tiles& t, const Pipeline& p, const Mapping& how)
      : t_(t),
        p_(p),
        at_a_time_(how.tile.products),
        parts_(ceil_div(t.products(), how.tile.products)),
        ahead_(how.ahead),
        doubled_(how.doubled),
        filling_(p.first_array() - p.array(Step{})),
        runs_{Runs(t, how.order[0]), Runs(t, how.order[1]), Runs(t, how.order[2])},
        order_(how.order) {
    p.move(last_, -1);
  }

  /// Cycles to fill and empty the array: for every part, or once with `ahead`.
  std::int64_t filling() const { return (ahead_ ? 1 : parts_) * filling_; }
  /// Cycles of the first load and the last store, which nothing hides: for every part, or once with
  /// `ahead`.
  std::int64_t edges() const {
    if (!doubled_) return 0;  // nothing hides anything: the transfers belong to their steps
    if (ahead_) return load(0) + store(parts_ - 1);
    return (parts_ - 1) * (load(0) + store(0)) + load(parts_ - 1) + store(parts_ - 1);
  }
  /// Array cycles of all products, including filling.
  std::int64_t working() const { return filling() + p_.all_array() * t_.products(); }
  std::int64_t total() const {
    std::int64_t cycles = 0;
    const Runs parts(parts_);
    for (const Run& run : parts.all()) cycles += run.count * part_cycles(run.first);
    return edges() + cycles;
  }

 private:
  /// Number of products in part `i`; only the last part may have fewer.
  std::int64_t products(std::int64_t i) const {
    return std::min(at_a_time_, t_.products() - i * at_a_time_);
  }
  std::int64_t load(std::int64_t part) const {
    return p_.dram_cycles(products(part) * p_.load_bytes(Step{}));
  }
  std::int64_t store(std::int64_t part) const {
    return p_.dram_cycles(products(part) * p_.store_bytes(last_));
  }
  /// Cycles to load and store one step of a part.
  std::int64_t own_transfers(std::int64_t part, const Step& s) const {
    return p_.dram_cycles(products(part) * p_.load_bytes(s)) +
           p_.dram_cycles(products(part) * p_.store_bytes(s));
  }
  /// Calls visit(step, number of equal steps) for each class of equal steps.
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
  /// Cycles of the steps of one part, without `edges`.
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
      cycles += times * (doubled_ ? std::max(work, stores + loads) : work + own_transfers(part, s));
    });
    return cycles;
  }

  const Tiles& t_;
  const Pipeline& p_;
  std::int64_t at_a_time_, parts_;
  bool ahead_, doubled_;
  std::int64_t filling_;
  std::array<Runs, 3> runs_;
  LoopOrder order_;
  Step last_{};
};

}  // namespace

// Example: 12 x 4 x 4 product, weight stationary on a 4 x 4 array, tile 4,4,4, order n,k,m, 8-bit
// operands, 8 bytes per cycle from DRAM, no latency. Each of the 3 steps takes max(4, 4) = 4 array
// cycles, the first one 14 with filling. Step 0 loads 16 + 16 bytes (4 cycles), steps 1 and 2 load
// 16 bytes of the ifmap (2 cycles), each step stores 16 bytes (2 cycles). So total = 4 + max(14, 2)
// + max(4, 2 + 2) + max(4, 2) + 2 = 28, working = 14 + 4 + 4 = 22, filling = 10, edges = 4 + 2 = 6.
Schedule schedule(const Tiles& tiles, const Machine& machine, const Mapping& how,
                  std::int64_t rider_words) {
  const Pipeline pipeline(tiles, machine, how, rider_words);
  const Series series(tiles, pipeline, how);
  return {series.total(), series.working(), series.filling(), series.edges()};
}

}  // namespace ridge::accelerator
