// SPDX-License-Identifier: Apache-2.0
#include "accelerator/energy_table_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "accelerator/describe.h"
#include "accelerator/shipped.h"
#include "record/toml.h"

namespace ridge::accelerator {
namespace {

/// Sorts the rows by `order`; two rows of equal order are an error.
template <typename Row, typename Order>
Result<void> sort_rows(std::vector<Row>& rows, std::string_view name, Order order) {
  std::sort(rows.begin(), rows.end(),
            [&](const Row& a, const Row& b) { return order(a) < order(b); });
  const auto twice = std::adjacent_find(
      rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return order(a) == order(b); });
  if (twice == rows.end()) return {};
  return input_error("RIDGE-ACC-0216", fmt::format("duplicate row in {}", name));
}

constexpr ShippedKind kShippedTableKind{kShippedEnergyTables, "RIDGE-ACC-0222", "energy table"};

}  // namespace

Result<EnergyTable> read_energy_table(std::string_view text) {
  EnergyTable t = TRY(record::read_toml<EnergyTable>(text));
  TRY(sort_rows(t.macs, "mac", [](const MacEnergy& m) {
    return std::tuple(m.floating, m.bits, m.accumulator_bits);
  }));
  TRY(sort_rows(t.arithmetic, "arithmetic",
                [](const ArithmeticEnergy& a) { return std::tuple(a.floating, a.bits); }));
  TRY(sort_rows(t.srams, "sram", [](const SramEnergy& s) { return s.bytes; }));
  return t;
}

std::vector<std::string> shipped_energy_table_names() { return names_of(kShippedEnergyTables); }

Result<EnergyTable> shipped_energy_table(std::string_view name) {
  return read_shipped(kShippedTableKind, name, read_energy_table);
}

std::vector<EnergyTable> shipped_energy_tables() {
  std::vector<EnergyTable> out;
  for (const std::string& name : shipped_energy_table_names())
    if (Result<EnergyTable> t = shipped_energy_table(name); t.ok()) out.push_back(std::move(*t));
  return out;
}

Result<EnergyTable> find_energy_table(const std::string& name_or_path) {
  return find_described(kShippedTableKind, name_or_path, read_energy_table);
}

}  // namespace ridge::accelerator
