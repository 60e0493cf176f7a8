// SPDX-License-Identifier: Apache-2.0
#include "accelerator/energy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "accelerator/describe.h"
#include "accelerator/energy_table.h"
#include "accelerator/energy_table_file.h"

namespace ridge::accelerator {
namespace {

std::string row_name(const MacEnergy& m) {
  const std::string_view format = Format::out(m.floating);
  return fmt::format("{0}{1} into {0}{2}", format, m.bits, m.accumulator_bits);
}

Result<MacEnergy> mac_of(const Widths& widths, const EnergyTable& table) {
  const std::int64_t bits = std::max(widths.bits.ifmap, widths.bits.filter);
  const auto best = std::find_if(table.macs.begin(), table.macs.end(), [&](const MacEnergy& m) {
    return m.floating == widths.floating && m.bits >= bits &&
           m.accumulator_bits >= widths.accumulator_bits;
  });
  if (best != table.macs.end()) return *best;
  std::vector<std::string> rows;
  for (const MacEnergy& m : table.macs) rows.push_back(row_name(m));
  const MacEnergy asked{bits, widths.accumulator_bits, widths.floating, 0};
  return input_error("RIDGE-ACC-0230",
                     fmt::format("energy table '{}' has no row for a multiply-accumulate of {}",
                                 table.name, row_name(asked)))
      .hint(fmt::format("available rows: {}; use your own table or other precisions",
                        fmt::join(rows, ", ")));
}

/// Narrowest row that is wide enough; nullptr if there is none.
const ArithmeticEnergy* vector_row_of(const Widths& widths, const EnergyTable& table) {
  const auto best = std::find_if(
      table.arithmetic.begin(), table.arithmetic.end(), [&](const ArithmeticEnergy& a) {
        return a.floating == widths.floating && a.bits >= widths.accumulator_bits;
      });
  return best == table.arithmetic.end() ? nullptr : &*best;
}

/// Interpolates linearly in scale(size) between the rows around `bytes`; proportional to
/// scale(size) outside the table.
template <typename Scale, typename Value>
double between(const std::vector<SramEnergy>& rows, double bytes, Scale scale, Value value) {
  const auto above = std::find_if(rows.begin(), rows.end(), [&](const SramEnergy& s) {
    return static_cast<double>(s.bytes) >= bytes;
  });
  const auto size = [&](const SramEnergy& s) { return scale(static_cast<double>(s.bytes)); };
  if (above == rows.begin() || above == rows.end()) {
    const SramEnergy& end = above == rows.begin() ? rows.front() : rows.back();
    return value(end) * scale(bytes) / size(end);
  }
  const SramEnergy &low = above[-1], &high = *above;
  const double part = (scale(bytes) - size(low)) / (size(high) - size(low));
  return value(low) + part * (value(high) - value(low));
}

double bytes_of(std::int64_t bits) { return static_cast<double>(bits) / 8; }

/// SRAM that consists of `count` banks.
struct Banks {
  const EnergyTable& table;
  std::int64_t count;

  double size(std::int64_t bytes) const {
    return static_cast<double>(bytes) / static_cast<double>(count);
  }
  double read(std::int64_t bytes, double word) const {
    return word * between(table.srams, size(bytes), root, &read_of);
  }
  double write(std::int64_t bytes, double word) const {
    return word * between(table.srams, size(bytes), root, &write_of);
  }
  double leakage_mw(std::int64_t bytes) const {
    const auto same = [](double b) { return b; };
    return static_cast<double>(count) * between(table.srams, size(bytes), same, &leakage_of);
  }

 private:
  static double root(double bytes) { return std::sqrt(bytes); }
  static double read_of(const SramEnergy& s) { return s.read_pj_per_byte; }
  static double write_of(const SramEnergy& s) { return s.write_pj_per_byte; }
  static double leakage_of(const SramEnergy& s) { return s.leakage_mw; }
};

}  // namespace

Result<EnergyRates> energy_rates(const Machine& machine, const EnergyTable& table) {
  const MacEnergy mac = TRY(mac_of(machine.widths, table));
  const Sram& sram = machine.sram;
  const PerOperand<std::int64_t>& bits = machine.widths.bits;
  const std::int64_t shared = sram.shared_bytes;
  const PerOperand<std::int64_t> size =
      shared > 0 ? PerOperand<std::int64_t>{shared, shared, shared} : sram.bytes;
  const PerOperand<double> word = {bytes_of(bits.ifmap), bytes_of(bits.filter),
                                   bytes_of(machine.widths.accumulator_bits)};
  const Banks banks{table, sram.banks};

  EnergyRates r;
  r.mac = mac.pj;
  r.mac_row = row_name(mac);
  r.register_file = table.register_pj_per_byte * (word.ifmap + word.filter + 2 * word.ofmap);
  r.sram_read = {banks.read(size.ifmap, word.ifmap), banks.read(size.filter, word.filter),
                 banks.read(size.ofmap, word.ofmap)};
  r.sram_write = {banks.write(size.ifmap, word.ifmap), banks.write(size.filter, word.filter),
                  banks.write(size.ofmap, word.ofmap)};
  r.dram_byte = 8 * table.dram_pj_per_bit;
  const double leakage_mw = shared > 0
                                ? banks.leakage_mw(shared)
                                : banks.leakage_mw(size.ifmap) + banks.leakage_mw(size.filter) +
                                      banks.leakage_mw(size.ofmap);
  r.leakage_cycle = leakage_mw * machine.cycle_ns();  // 1 mW for 1 ns is 1 pJ
  if (const ArithmeticEnergy* row = vector_row_of(machine.widths, table)) {
    r.vector_add = row->add_pj;
    r.vector_multiply = row->multiply_pj;
    r.vector_row = fmt::format("{}{}", Format::out(row->floating), row->bits);
  }
  return r;
}

std::vector<std::string> lacks(const Machine& machine, const EnergyTable& table) {
  std::vector<std::string> out;
  if (table.register_pj_per_byte == 0) out.emplace_back("registers");
  const auto still = [](const SramEnergy& s) { return s.leakage_mw == 0; };
  if (std::all_of(table.srams.begin(), table.srams.end(), still)) out.emplace_back("leakage");
  if (machine.vector.lanes > 0 && vector_row_of(machine.widths, table) == nullptr)
    out.emplace_back("vector operations");
  return out;
}

Energy energy_of(const LayerCost& layer, const EnergyRates& r) {
  const auto words = [](std::int64_t n, double pj) { return static_cast<double>(n) * pj; };
  const Traffic& s = layer.sram;
  const Traffic d = layer.dram.value_or(Traffic{});
  Energy out;
  out.mac = words(layer.padded_macs, r.mac);
  out.register_file = words(layer.padded_macs, r.register_file);
  out.vector = words(layer.vector_operations, r.vector());
  out.sram = words(s.ifmap, r.sram_read.ifmap) + words(d.ifmap, r.sram_write.ifmap) +
             words(s.filter, r.sram_read.filter) + words(d.filter, r.sram_write.filter) +
             words(s.psum_reads + d.ofmap + d.psum_writes, r.sram_read.ofmap) +
             words(s.ofmap + s.psum_writes + d.psum_reads, r.sram_write.ofmap);
  out.dram = words(layer.dram_read_bytes + layer.dram_write_bytes, r.dram_byte);
  out.leakage = words(layer.total_cycles(), r.leakage_cycle);
  return out;
}

void EnergyBand::take(const std::string& table, double min_pj, double max_pj) {
  tables.push_back(table);
  if (low.empty() || min_pj < low_pj) low_pj = min_pj, low = table;
  if (high.empty() || max_pj > high_pj) high_pj = max_pj, high = table;
}

std::optional<EnergyBand> energy_band(const Machine& machine, const LayerCost& totals,
                                      std::span<const EnergyTable> tables) {
  EnergyBand band;
  for (const EnergyTable& table : tables) {
    const Result<EnergyRates> rates = energy_rates(machine, table);
    if (!rates.ok()) {
      band.unable.push_back(table.name);
      continue;
    }
    const Energy e = energy_of(totals, *rates);
    const auto [cheap, dear] = std::minmax(rates->vector_add, rates->vector_multiply);
    const auto operations = static_cast<double>(totals.vector_operations);
    const double others = e.total() - e.vector;
    band.take(table.name, others + operations * cheap, others + operations * dear);
  }
  if (band.tables.empty()) return std::nullopt;
  return band;
}

}  // namespace ridge::accelerator
