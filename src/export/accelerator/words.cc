// SPDX-License-Identifier: Apache-2.0
#include "export/accelerator/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>

#include "base/numeral.h"
#include "base/percent.h"
#include "base/text.h"
#include "export/analysis/figure_text.h"

namespace ridge::exports {
namespace {

using accelerator::Bound;
using accelerator::LayerCost;
using accelerator::Machine;
using accelerator::ScalesimMachine;

/// Name of a bound within a sentence.
std::string_view bound_words(Bound bound) {
  constexpr std::array<std::string_view, 9> kWords = {
      "nothing",           "the array's arithmetic", "filling the array",
      "DRAM inputs",       "DRAM weights",           "DRAM outputs",
      "DRAM partial sums", "the SRAM's ports",       "the vector unit"};
  return kWords[static_cast<std::size_t>(bound)];
}

struct MachinePart {
  std::string_view key, words;
};
constexpr std::array kMachineParts = {MachinePart{"array.rows", "the array's rows"},
                                      MachinePart{"array.columns", "the array's columns"},
                                      MachinePart{"sram", "the SRAM"},
                                      MachinePart{"dram.gb_per_s", "the DRAM bandwidth"},
                                      MachinePart{"clock_mhz", "the clock"},
                                      MachinePart{"vector.lanes", "the vector unit's lanes"}};

std::string_view part_words(std::string_view key) {
  for (const MachinePart& part : kMachineParts)
    if (part.key == key) return part.words;
  return key;
}

constexpr double kWorthSaying = 0.005;

/// "128 + 128 + 64 KiB (ifmap, filter, ofmap)"; the unit of each where they differ.
template <typename Sizes>
std::string sram_text(const Sizes& sizes) {
  std::array<std::string, 3> texts = {binary_bytes(sizes.ifmap), binary_bytes(sizes.filter),
                                      binary_bytes(sizes.ofmap)};
  const std::string unit = texts[2].substr(texts[2].find(' '));
  if (texts[0].ends_with(unit) && texts[1].ends_with(unit))
    for (std::string& text : std::span(texts).first(2)) text.resize(text.size() - unit.size());
  return fmt::format("{} (ifmap, filter, ofmap)", fmt::join(texts, " + "));
}

std::string text_of(const ScalesimMachine& m) {
  return fmt::format("array {} x {}, {}, SRAM {}, {}", m.rows, m.columns, name(m.dataflow),
                     sram_text(m.sram_bytes),
                     m.bandwidth ? fmt::format("{} words per cycle to each", *m.bandwidth)
                                 : "no stalls (mode CALC)");
}

std::string text_of(const Machine& m) {
  const std::string sram = m.sram.shared_bytes > 0 ? binary_bytes(m.sram.shared_bytes) + " shared"
                                                   : sram_text(m.sram.bytes);
  return fmt::format("{}, array {} x {}, {}, {}, SRAM {}, DRAM {} GB/s, {} MHz", printable(m.name),
                     m.rows, m.columns, name(m.dataflow), widths_text(m.widths), sram,
                     m.dram.gb_per_s, m.clock_mhz);
}

/// Value with three digits in the fitting unit; `value` is in the first unit, each further unit is
/// 1000 of the previous one.
std::string in_units(double value, std::span<const std::string_view> units) {
  std::size_t unit = 0;
  // Limits are on what is printed: 999.6 would round to 1000, four digits, so it becomes 1.00 of
  // the next unit; 9.996 would print as 10.00 with two decimals.
  for (; std::abs(value) >= 999.5 && unit + 1 < units.size(); ++unit) value /= 1000;
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, units[unit]);
}

/// Adds an axis with the values `value(point)`, unless all are equal.
template <typename Value>
void add_axis(const accelerator::Study& view, std::string title, Value&& value,
              std::vector<Axis>& out) {
  Axis axis{std::move(title), {}};
  for (const accelerator::StudyPoint& p : view.points) axis.values.push_back(value(p));
  const bool alike = std::all_of(axis.values.begin(), axis.values.end(),
                                 [&](const std::string& v) { return v == axis.values[0]; });
  if (!alike) out.push_back(std::move(axis));
}

}  // namespace

std::string energy_text(const std::optional<double>& pj) {
  constexpr std::array<std::string_view, 5> kUnits = {"pJ", "nJ", "\u00B5J", "mJ", "J"};
  return pj ? in_units(*pj, kUnits) : "?";
}

std::string energy_parts_text(const accelerator::Energy& e) {
  const std::pair<std::string_view, double> parts[] = {{"multiply-accumulates", e.mac},
                                                       {"registers", e.register_file},
                                                       {"vector unit", e.vector},
                                                       {"SRAM", e.sram},
                                                       {"DRAM", e.dram},
                                                       {"leakage", e.leakage}};
  std::vector<std::string> out;
  for (const auto& [what, pj] : parts)
    if (pj > 0) out.push_back(fmt::format("{} {}", what, percent_text(pj / e.total())));
  return fmt::format("{}", fmt::join(out, ", "));
}

std::string edp_text(const std::optional<double>& pj_ns) {
  constexpr std::array<std::string_view, 8> kUnits = {"zJ s", "aJ s",      "fJ s", "pJ s",
                                                      "nJ s", "\u00B5J s", "mJ s", "J s"};
  return pj_ns ? in_units(*pj_ns, kUnits) : "?";
}

std::string latency_text(const std::optional<double>& ns) { return ns ? duration(*ns) : "?"; }

std::string products_text(const accelerator::Layer& layer) {
  std::string out;
  for (const accelerator::Gemm& g : layer.gemms) {
    if (!out.empty()) out += " + ";
    out += fmt::format("{}x{}x{}", g.m, g.n, g.k);
    if (g.count > 1) out += fmt::format(" x{}", g.count);
    if (!g.sparsity.dense()) out += fmt::format(" {}:{}", g.sparsity.kept, g.sparsity.of);
  }
  if (!out.empty()) return out;
  if (layer.move != accelerator::Move::kNone) return std::string(name(layer.move));
  return layer.vector_only() ? "vector unit" : layer.reason;
}

std::string widths_text(const accelerator::Widths& w) {
  return fmt::format("{}/{}/{}-bit into {}", w.bits.ifmap, w.bits.filter, w.bits.ofmap,
                     w.accumulator_bits);
}

std::string stored_widths_text(const accelerator::StudyPoint& point) {
  std::map<std::string, std::int64_t> layers;
  for (std::size_t i = 0; i < point.widths.size(); ++i)
    if (costed(point, i)) ++layers[widths_text(point.widths[i])];
  std::string out;
  for (const auto& [text, count] : layers)
    out += fmt::format("{}{} in {}", out.empty() ? "as the model stores them: " : ", ", text,
                       counted(count, "layer"));
  return out;
}

std::string machine_text(const accelerator::StudyMachine& machine) {
  return std::visit([](const auto& m) { return text_of(m); }, machine);
}

std::string machine_name(const accelerator::StudyMachine& machine) {
  const auto* described = std::get_if<Machine>(&machine);
  return described == nullptr ? "SCALE-Sim configuration" : described->name;
}

std::vector<std::string> machine_texts(const accelerator::Study& view) {
  std::vector<std::string> names, out;
  for (const accelerator::StudyPoint& p : view.points) {
    std::string name = machine_name(p.machine);
    if (std::ranges::find(names, name) != names.end()) continue;
    out.push_back(machine_text(p.machine));
    names.push_back(std::move(name));
  }
  return out;
}

std::vector<Axis> axes(const accelerator::Study& view) {
  std::vector<Axis> out;
  const accelerator::StudyPoint& first = view.points.front();
  add_axis(
      view, "machine", [](const accelerator::StudyPoint& p) { return machine_name(p.machine); },
      out);
  for (std::size_t i = 0; i < first.set.size(); ++i)
    add_axis(
        view, first.set[i].first, [&](const accelerator::StudyPoint& p) { return p.set[i].second; },
        out);
  for (const auto& [size, binding] : first.network->bindings)
    add_axis(
        view, size,
        [&name = size](const accelerator::StudyPoint& p) {
          const auto found = p.network->bindings.find(name);
          return found == p.network->bindings.end() ? std::string()
                                                    : std::to_string(found->second.value);
        },
        out);
  add_axis(
      view, "pad", [](const accelerator::StudyPoint& p) { return p.pad; }, out);
  return out;
}

std::string point_text(const accelerator::Study& view, const std::vector<Axis>& axes,
                       std::size_t point) {
  if (axes.empty()) return machine_name(view.points[point].machine);
  std::string out;
  for (const Axis& axis : axes)
    out += (out.empty() ? "" : ", ") + axis.title + " " + axis.values[point];
  return out;
}

bool one_network(const accelerator::Study& view) {
  return std::all_of(view.points.begin(), view.points.end(), [&](const accelerator::StudyPoint& p) {
    return p.network == view.points.front().network;
  });
}

bool some_beaten(const accelerator::Study& view) {
  return std::ranges::any_of(view.points, [](const accelerator::StudyPoint& p) { return !p.best; });
}

bool costed(const accelerator::StudyPoint& point, std::size_t layer) {
  using accelerator::Move;
  const accelerator::Layer& of = point.network->lowered.layers[layer];
  const bool free = of.move != Move::kNone && of.move != Move::kCopy;
  return !of.gemms.empty() || free || point.estimate.layers[layer].total_cycles() > 0;
}

std::string search_text(const accelerator::Study& view) {
  if (view.convention == accelerator::Convention::kScalesim) return "";
  std::string out = view.tile ? fmt::format("tile {} x {} x {} as given, the best loop order",
                                            view.tile->m, view.tile->n, view.tile->k)
                              : "the best tile and loop order";
  if (view.any_dataflow) out += " and dataflow";
  out += " of each layer for " + std::string(word(view.objective));
  if (view.objective == accelerator::Objective::kEdp) out += " (energy x latency)";
  const bool without = view.objective != accelerator::Objective::kLatency &&
                       std::ranges::any_of(view.points, [](const accelerator::StudyPoint& p) {
                         return p.energy == nullptr;
                       });
  return without ? out + "; without an energy table, DRAM bytes stand for the energy" : out;
}

std::string moves_text(const accelerator::StudyPoint& point) {
  using accelerator::Move;
  std::map<Move, std::int64_t> layers;
  std::int64_t all = 0, cycles = 0;
  for (std::size_t i = 0; i < point.estimate.layers.size(); ++i) {
    const Move move = point.network->lowered.layers[i].move;
    if (move == Move::kNone) continue;
    ++all, ++layers[move];
    cycles += point.estimate.layers[i].total_cycles();
  }
  if (all == 0) return "";
  std::vector<std::string> out;
  for (const auto& [move, count] : layers) out.push_back(fmt::format("{} {}", count, name(move)));
  return fmt::format("{} only move data ({}) and take {} cycles", counted(all, "layer"),
                     fmt::join(out, ", "), readable(cycles));
}

std::string left_out_text(const accelerator::StudyPoint& point) {
  const std::int64_t macs = point.network->lowered.without_gemms;
  if (macs == 0) return "";
  return readable(macs) + " MACs are of layers without known products, which cost nothing here";
}

std::string stored_text(const accelerator::StudyNetwork& network) {
  using Role = accelerator::BufferProfile::Role;
  std::map<std::string, std::int64_t> bytes;
  for (const accelerator::LayerProfile& layer : network.memory.layers)
    for (const accelerator::BufferProfile& b : layer.buffers)
      if (b.role != Role::kInput && b.bytes > 0) bytes[b.dtype] += b.bytes;
  const auto most = std::ranges::max_element(bytes, {}, [](const auto& of) { return of.second; });
  if (most == bytes.end()) return "as stored";
  return fmt::format("as stored, {}{}", bytes.size() > 1 ? "mostly " : "", printable(most->first));
}

std::optional<accelerator::PaddedBytes> memory_of(const accelerator::StudyPoint& point) {
  std::optional<accelerator::PaddedBytes> sum;
  for (const std::optional<accelerator::PaddedBytes>& layer : point.padded) {
    if (!layer) continue;
    if (!sum) sum.emplace();
    sum->parameters += layer->parameters;
    sum->allocated += layer->allocated;
  }
  return sum;
}

std::optional<LongPole> long_pole(const accelerator::Estimate& estimate) {
  std::map<Bound, double> cycles;
  for (const LayerCost& c : estimate.layers)
    if (c.bound != Bound::kNone) cycles[c.bound] += static_cast<double>(c.total_cycles());
  const auto most =
      std::max_element(cycles.begin(), cycles.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  const auto all = static_cast<double>(estimate.totals.total_cycles());
  if (most == cycles.end() || !(all > 0)) return std::nullopt;
  return LongPole{std::string(bound_words(most->first)), most->second / all};
}

std::string lever_text(const LayerCost& cost) {
  const auto most =
      std::max_element(cost.sensitivity.begin(), cost.sensitivity.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == cost.sensitivity.end() || most->second < kWorthSaying) return "";
  return fmt::format("doubling {} saves {}", part_words(most->first), percent(most->second, 0));
}

std::string pole_text(const accelerator::Estimate& estimate) {
  const std::optional<LongPole> pole = long_pole(estimate);
  if (!pole) return "";
  const std::string lever = lever_text(estimate.totals);
  return fmt::format("bound by {} in layers with {} of the time{}", pole->what,
                     percent(pole->share, 0), lever.empty() ? "" : "; " + lever);
}

std::string tile_text(const accelerator::Tile& t) {
  const std::string one = fmt::format("{}x{}x{}", t.m, t.n, t.k);
  return t.products > 1 ? fmt::format("{} of {}", t.products, one) : one;
}

std::string mapping_text(const accelerator::LayerCost& c) {
  if (c.loop_order.empty()) return "";
  return fmt::format("{}, tile {}, loops {}", name(c.dataflow), tile_text(c.tile), c.loop_order);
}

}  // namespace ridge::exports
