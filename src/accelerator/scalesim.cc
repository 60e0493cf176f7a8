#include "accelerator/scalesim.h"

#include <algorithm>

#include "accelerator/demand.h"
#include "accelerator/half_buffer.h"
#include "accelerator/window_addresses.h"
#include "base/checked.h"

namespace ridge::accelerator {
namespace {

/// Elements that an operand's buffer may be asked for before counting them takes too long.
constexpr std::int64_t kMostDemands = std::int64_t{1} << 32;

class Product {
 public:
  Product(const Gemm& p, const ScalesimMachine& machine)
      : p_(p), machine_(machine), folds_(scalesim_folds(p, machine)) {}

  /// Words that the array asks of each buffer.
  PerOperand<std::int64_t> sram() const {
    const std::int64_t a = p_.m * p_.k, b = p_.k * p_.n, c = p_.m * p_.n;
    switch (machine_.dataflow) {
      case Dataflow::kOutputStationary:
        return {a * folds_.column_folds, b * folds_.row_folds, c};
      case Dataflow::kWeightStationary:
        return {a * folds_.column_folds, b, c * folds_.row_folds};
      case Dataflow::kInputStationary:
        return {a, b * folds_.column_folds, c * folds_.row_folds};
    }
    return {};
  }

  /// Every ifmap element that the array asks for, as visit(m, k).
  template <typename Visit>
  void ifmap_demand(Visit&& visit) const {
    each_fold([&](Slice rows, Slice columns) {
      switch (machine_.dataflow) {
        case Dataflow::kOutputStationary:
          skewed_stream(p_.k, rows, [&](std::int64_t k, std::int64_t m) { visit(m, k); });
          break;
        case Dataflow::kWeightStationary:
          skewed_stream(p_.m, rows, visit);
          break;
        case Dataflow::kInputStationary:
          loaded_block(rows, columns, [&](std::int64_t k, std::int64_t m) { visit(m, k); });
          break;
      }
    });
  }

  /// Every filter element, as visit(k, n).
  template <typename Visit>
  void filter_demand(Visit&& visit) const {
    each_fold([&](Slice rows, Slice columns) {
      switch (machine_.dataflow) {
        case Dataflow::kOutputStationary:
          skewed_stream(p_.k, columns, visit);
          break;
        case Dataflow::kWeightStationary:
          loaded_block(rows, columns, visit);
          break;
        case Dataflow::kInputStationary:
          skewed_stream(p_.n, rows, [&](std::int64_t n, std::int64_t k) { visit(k, n); });
          break;
      }
    });
  }

  const Folds& folds() const { return folds_; }

 private:
  template <typename Visit>
  void each_fold(Visit&& visit) const {
    for (std::int64_t c = 0; c < folds_.column_folds; ++c)
      for (std::int64_t r = 0; r < folds_.row_folds; ++r)
        visit(fold_slice(r, machine_.rows, folds_.rows),
              fold_slice(c, machine_.columns, folds_.columns));
  }

  const Gemm& p_;
  const ScalesimMachine& machine_;
  Folds folds_;
};

std::int64_t ifmap_reads(const Product& product, const Gemm& p, const ScalesimMachine& machine) {
  const WindowAddresses addresses(p.window);
  HalfBuffer buffer(machine.sram_bytes.ifmap, p.window.elements());
  product.ifmap_demand([&](std::int64_t m, std::int64_t k) {
    if (const std::int64_t address = addresses.at(m, k); address >= 0) buffer.read(address);
  });
  return buffer.reads();
}

std::int64_t filter_reads(const Product& product, const Gemm& p, const ScalesimMachine& machine) {
  if (product.sram().filter == p.k * p.n) return p.k * p.n;  // each element is asked for once
  HalfBuffer buffer(machine.sram_bytes.filter, p.k * p.n);
  product.filter_demand([&](std::int64_t k, std::int64_t n) { buffer.read(n * p.k + k); });
  return buffer.reads();
}

}  // namespace

Folds scalesim_folds(const Gemm& p, const ScalesimMachine& machine) {
  Folds f;
  std::int64_t loading = 0;
  switch (machine.dataflow) {
    case Dataflow::kOutputStationary:
      f = {p.m, p.n, p.k};
      break;
    case Dataflow::kWeightStationary:
      f = {p.k, p.n, p.m}, loading = machine.rows;
      break;
    case Dataflow::kInputStationary:
      f = {p.k, p.m, p.n}, loading = machine.rows;
      break;
  }
  f.row_folds = ceil_div(f.rows, machine.rows);
  f.column_folds = ceil_div(f.columns, machine.columns);
  f.cycles_of_one = loading + machine.rows + machine.columns + f.stream - 2;
  return f;
}

ScalesimCost scalesim(const Gemm& p, const ScalesimMachine& machine) {
  const Product product(p, machine);
  ScalesimCost cost;
  cost.folds = product.folds().count();
  cost.cycles = cost.folds * product.folds().cycles_of_one - 1;
  cost.sram = product.sram();
  if (std::max(cost.sram.ifmap, cost.sram.filter) > kMostDemands) return cost;
  cost.dram =
      PerOperand<std::int64_t>{ifmap_reads(product, p, machine), filter_reads(product, p, machine),
                               cost.sram.ofmap};  // partial sums go out with every fold
  return cost;
}

}  // namespace ridge::accelerator
