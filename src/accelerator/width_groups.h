// A network whose layers have operands of different widths: a machine per width, and what they cost
// together.
//
//   std::vector<WidthGroup> groups = TRY(width_groups(machine, layers, widths, table));
//   Estimate e = TRY(estimate(layers, groups, question));
//
// The figures of a layer are those of its group's machine; the totals are sums over layers.
// Thread rule: pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "accelerator/energy.h"
#include "accelerator/energy_table.h"
#include "accelerator/estimate.h"

namespace ridge::accelerator {

struct WidthGroup {
  Machine machine;  ///< with their widths
  bool multiplies =
      true;  ///< false: layers of the vector unit, which need no row of multiplications
  EnergyRates rates;
  std::vector<std::size_t> layers;  ///< by their place in the network
};

/// In the order of their first layers, at least one. `widths`: by layer; empty: the machine's own.
/// `table`: null where no energy is told. Errors: those of energy_rates.
Result<std::vector<WidthGroup>> width_groups(const Machine& machine,
                                             const std::vector<Layer>& layers,
                                             std::span<const Widths> widths,
                                             const EnergyTable* table);

/// Errors: those of estimate of one machine.
Result<Estimate> estimate(const std::vector<Layer>& layers, std::span<const WidthGroup> groups,
                          const Question& question);

/// The tables' rows of a multiply-accumulate, and of the vector unit's operations: "int8 into
/// int32", several with "; " between.
std::string mac_rows(std::span<const WidthGroup> groups);
std::string vector_rows(std::span<const WidthGroup> groups);

/// What the energy of some group leaves out by this table.
std::vector<std::string> lacks(std::span<const WidthGroup> groups, const EnergyTable& table);

/// What tables say of the totals: of those that can answer for every group.
std::optional<EnergyBand> energy_band(const Estimate& estimate, std::span<const WidthGroup> groups,
                                      std::span<const EnergyTable> tables);

}  // namespace ridge::accelerator
