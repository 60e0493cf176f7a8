// SPDX-License-Identifier: Apache-2.0
// Networks whose layers have operands of different widths: one machine per width, and the cost of
// all together.
//
//   std::vector<WidthGroup> groups = TRY(width_groups(machine, layers, widths, table));
//   Estimate e = TRY(estimate(layers, groups, options));
//
// A layer's figures are those on its group's machine; the totals are sums over layers.
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
  Machine machine;  ///< with the widths of the group's layers
  /// False: layers of the vector unit, which need no multiply-accumulate row of the table
  bool multiplies = true;
  EnergyRates rates;
  std::vector<std::size_t> layers;  ///< indices in the network
};

/// Groups in the order of their first layers, at least one. `widths`: one per layer; empty: the
/// machine's own. `table`: nullptr if no energy is wanted. Errors: as energy_rates.
Result<std::vector<WidthGroup>> width_groups(const Machine& machine,
                                             const std::vector<Layer>& layers,
                                             std::span<const Widths> widths,
                                             const EnergyTable* table);

/// Errors: as `estimate` for one machine.
Result<Estimate> estimate(const std::vector<Layer>& layers, std::span<const WidthGroup> groups,
                          const EstimateOptions& options);

/// Table rows used for multiply-accumulates and for vector operations: "int8 into int32"; several
/// are separated by "; ".
std::string mac_rows(std::span<const WidthGroup> groups);
std::string vector_rows(std::span<const WidthGroup> groups);

/// Energy terms that a total by this table omits for at least one group.
std::vector<std::string> lacks(std::span<const WidthGroup> groups, const EnergyTable& table);

/// Energy of the totals over the tables that cover every group.
std::optional<EnergyBand> energy_band(const Estimate& estimate, std::span<const WidthGroup> groups,
                                      std::span<const EnergyTable> tables);

}  // namespace ridge::accelerator
