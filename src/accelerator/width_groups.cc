// SPDX-License-Identifier: Apache-2.0
#include "accelerator/width_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ridge::accelerator {
namespace {

/// Elements of `by_layer` that belong to the group.
template <typename T>
std::vector<T> members(const std::vector<T>& by_layer, const WidthGroup& group) {
  std::vector<T> out;
  for (const std::size_t i : group.layers) out.push_back(by_layer[i]);
  return out;
}

void add_new(std::vector<std::string>& to, const std::string& text) {
  if (std::find(to.begin(), to.end(), text) == to.end()) to.push_back(text);
}

/// Sets the sensitivities of the totals: the layers' fractions, weighted by latency.
void tell_sensitivity(Estimate& e) {
  for (const LayerCost& layer : e.layers)
    for (const auto& [key, share] : layer.sensitivity) {
      // Example: doubling the lanes saves 20 % of a layer of 3 us and 40 % of one of 1 us: (0.6 +
      // 0.4) / 4 = 25 % of both.
      const auto known = std::find_if(e.totals.sensitivity.begin(), e.totals.sensitivity.end(),
                                      [&key = key](const auto& of) { return of.first == key; });
      const double saved = share * layer.latency_ns.value_or(0);
      if (known != e.totals.sensitivity.end())
        known->second += saved;
      else
        e.totals.sensitivity.emplace_back(key, saved);
    }
  const double all = e.totals.latency_ns.value_or(0);
  for (auto& [key, saved] : e.totals.sensitivity) saved = all > 0 ? saved / all : 0;
}

/// Table for a group. A group without multiplications gets free rows for any width: a table without
/// wide multiplications must not reject, for example, a Gather with 64-bit indices.
EnergyTable table_for(const WidthGroup& group, const EnergyTable& table) {
  EnergyTable out = table;
  if (group.multiplies) return out;
  constexpr std::int64_t kAny = 1 << 16;
  for (const bool floating : {false, true})
    out.macs.push_back({.bits = kAny, .accumulator_bits = kAny, .floating = floating, .pj = 0});
  return out;
}

/// Energy of all groups by one table, from their totals; nullopt if it does not cover one of them.
std::optional<EnergyBand> band_by(const EnergyTable& table, std::span<const WidthGroup> groups,
                                  std::span<const LayerCost> totals) {
  EnergyBand sum;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const EnergyTable own = table_for(groups[i], table);
    const auto band = energy_band(groups[i].machine, totals[i], std::span(&own, 1));
    if (!band) return std::nullopt;
    sum.low_pj += band->low_pj;
    sum.high_pj += band->high_pj;
  }
  return sum;
}

}  // namespace

Result<std::vector<WidthGroup>> width_groups(const Machine& machine,
                                             const std::vector<Layer>& layers,
                                             std::span<const Widths> widths,
                                             const EnergyTable* table) {
  std::vector<WidthGroup> out;
  const auto group_of = [&](const Widths& own, bool multiplies) -> Result<WidthGroup*> {
    for (WidthGroup& known : out)
      if (known.machine.widths == own && known.multiplies == multiplies) return &known;
    WidthGroup made{machine, multiplies, {}, {}};
    made.machine.widths = own;
    if (table != nullptr) made.rates = TRY(energy_rates(made.machine, table_for(made, *table)));
    return &out.emplace_back(std::move(made));
  };
  if (layers.empty()) TRY(group_of(machine.widths, true));
  for (std::size_t i = 0; i < layers.size(); ++i) {
    WidthGroup* own = widths.empty() ? TRY(group_of(machine.widths, true))
                                     : TRY(group_of(widths[i], !layers[i].gemms.empty()));
    own->layers.push_back(i);
  }
  return out;
}

Result<Estimate> estimate(const std::vector<Layer>& layers, std::span<const WidthGroup> groups,
                          const EstimateOptions& options) {
  if (groups.size() == 1) return estimate(layers, groups[0].machine, groups[0].rates, options);
  Estimate out;
  out.layers.resize(layers.size());
  std::int64_t units = 0;
  for (const WidthGroup& group : groups) {
    Estimate part = TRY(estimate(members(layers, group), group.machine, group.rates, options));
    for (std::size_t i = 0; i < group.layers.size(); ++i)
      out.layers[group.layers[i]] = std::move(part.layers[i]);
    units = group.machine.units();
  }
  out.totals = totals_of(out.layers, units);
  tell_sensitivity(out);
  return out;
}

std::string mac_rows(std::span<const WidthGroup> groups) {
  std::vector<std::string> told;
  for (const WidthGroup& group : groups)
    if (group.multiplies) add_new(told, group.rates.mac_row);
  return fmt::format("{}", fmt::join(told, "; "));
}

std::string vector_rows(std::span<const WidthGroup> groups) {
  std::vector<std::string> told;
  for (const WidthGroup& group : groups)
    if (!group.rates.vector_row.empty()) add_new(told, group.rates.vector_row);
  return fmt::format("{}", fmt::join(told, "; "));
}

std::vector<std::string> lacks(std::span<const WidthGroup> groups, const EnergyTable& table) {
  std::vector<std::string> out;
  for (const WidthGroup& group : groups)
    for (const std::string& what : lacks(group.machine, table)) add_new(out, what);
  return out;
}

std::optional<EnergyBand> energy_band(const Estimate& e, std::span<const WidthGroup> groups,
                                      std::span<const EnergyTable> tables) {
  std::vector<LayerCost> totals;
  for (const WidthGroup& group : groups)
    totals.push_back(totals_of(members(e.layers, group), group.machine.units()));
  EnergyBand out;
  for (const EnergyTable& table : tables)
    if (const auto band = band_by(table, groups, totals))
      out.take(table.name, band->low_pj, band->high_pj);
    else
      out.unable.push_back(table.name);
  return out.tables.empty() ? std::nullopt : std::optional(std::move(out));
}

}  // namespace ridge::accelerator
