#include "accelerator/energy_table_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "accelerator/keys.h"
#include "accelerator/shipped.h"
#include "base/text.h"

namespace ridge::accelerator {
namespace {

using enum KeyRule::Need;
constexpr Bounds kPicojoules = {1e-6, 1e6};

constexpr Key<EnergyTable> kTableKeys[] = {
    text<EnergyTable>(
        "source", "source of the figures", kRequired, [](const EnergyTable& t) { return t.source; },
        [](EnergyTable& t, std::string_view text) -> Result<void> {
          t.source = text;
          return {};
        }),
    number<[](auto& t) -> auto& { return t.node_nm; }, EnergyTable>(
        "node_nm", "process node, nm", {0.1, 10'000}, kRequired, "node"),
    number<[](auto& t) -> auto& { return t.register_pj_per_byte; }, EnergyTable>(
        "register_pj_per_byte", "pJ per byte that enters or leaves a register of a unit",
        kPicojoules, kOptional, "register"),
    number<[](auto& t) -> auto& { return t.dram_pj_per_bit; }, EnergyTable>(
        "dram_pj_per_bit", "pJ per bit that crosses the pins", kPicojoules, kRequired, "dram"),
};

template <typename Row>
constexpr Key<Row> format_key() {
  return text<Row>(
      "format", "\"int\" or \"float\"", kRequired,
      [](const Row& r) { return std::string(format_name(r.floating)); },
      [](Row& r, std::string_view text) -> Result<void> {
        r.floating = TRY(parse_format(text));
        return {};
      });
}

constexpr Key<MacEnergy> kMacKeys[] = {
    number<[](auto& m) -> auto& { return m.bits; }, MacEnergy>("bits", "bits of both factors",
                                                               {1, 64}),
    number<[](auto& m) -> auto& { return m.accumulator_bits; }, MacEnergy>(
        "accumulator_bits", "bits of the sum", {1, 64}, kRequired, "accumulator"),
    format_key<MacEnergy>(),
    number<[](auto& m) -> auto& { return m.pj; }, MacEnergy>(
        "pj", "pJ of a multiplication and an addition", kPicojoules, kRequired, "energy"),
};

constexpr Key<ArithmeticEnergy> kArithmeticKeys[] = {
    number<[](auto& a) -> auto& { return a.bits; }, ArithmeticEnergy>(
        "bits", "bits of both numbers", {1, 64}),
    format_key<ArithmeticEnergy>(),
    number<[](auto& a) -> auto& { return a.add_pj; }, ArithmeticEnergy>(
        "add_pj", "pJ of an addition", kPicojoules, kRequired, "add"),
    number<[](auto& a) -> auto& { return a.multiply_pj; }, ArithmeticEnergy>(
        "multiply_pj", "pJ of a multiplication", kPicojoules, kRequired, "multiply"),
};

constexpr Key<SramEnergy> kSramKeys[] = {
    kibibytes<[](auto& s) -> auto& { return s.bytes; }, SramEnergy>(
        "kib", "KiB of one bank", {1.0 / 1024, 1 << 24}, kRequired, "size"),
    number<[](auto& s) -> auto& { return s.read_pj_per_byte; }, SramEnergy>(
        "read_pj_per_byte", "pJ per byte read", kPicojoules, kRequired, "read"),
    number<[](auto& s) -> auto& { return s.write_pj_per_byte; }, SramEnergy>(
        "write_pj_per_byte", "pJ per byte written", kPicojoules, kRequired, "write"),
    number<[](auto& s) -> auto& { return s.leakage_mw; }, SramEnergy>(
        "leakage_mw", "mW of one bank at rest", {0, 1e6}, kOptional, "leakage"),
};

constexpr KeyRule kMacRows = {.name = "mac", .meaning = "rows of multiply-accumulates"};
constexpr KeyRule kArithmeticRows = {
    .name = "arithmetic", .meaning = "rows of additions and multiplications", .need = kOptional};
constexpr KeyRule kSramRows = {.name = "sram", .meaning = "rows of SRAM sizes"};

Result<Toml> table_in(const Toml& item, std::string_view name) {
  if (item.kind == Toml::Kind::kTable) return item;
  return input_error("RIDGE-ACC-0214",
                     fmt::format("a row of {} is {}, not a table", name, ridge::name(item.kind)))
      .hint("write each row in braces: { key = value, ... }")
      .in(item.place.text());
}

/// Removes the array `rule.name` from `values` and returns its rows, each parsed from a table.
template <typename Row>
Result<std::vector<Row>> take_rows(std::vector<NamedValue>& values, const KeyRule& rule,
                                   std::span<const Key<Row>> keys) {
  const auto found = std::find_if(values.begin(), values.end(),
                                  [&](const NamedValue& v) { return v.name == rule.name; });
  if (found == values.end() && rule.need == kOptional) return std::vector<Row>{};
  if (found == values.end() || found->value->items.empty())
    return input_error("RIDGE-ACC-0215", fmt::format("the table has no {}", rule.meaning))
        .hint(fmt::format("{} = [ {{ ... }}, ... ]; `data/energy` has examples", rule.name));
  std::vector<Row> out;
  for (const Toml& item : found->value->items) {
    const Toml table = TRY(table_in(item, rule.name));
    Row row;
    Result<void> read = read_keys(named_values(table), keys, row);
    if (!read.ok())
      return read.error().where().empty() ? std::move(read).error().in(item.place.text())
                                          : std::move(read).error();
    out.push_back(row);
  }
  values.erase(found);
  return out;
}

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

std::string_view format_name(bool floating) { return floating ? "float" : "int"; }

Result<bool> parse_format(std::string_view text) {
  for (const bool floating : {false, true})
    if (text == format_name(floating)) return floating;
  return input_error("RIDGE-ACC-0217",
                     fmt::format("invalid format '{}': expected int or float", shown(text)));
}

Result<EnergyTable> read_energy_table(std::string_view text) {
  const Toml file = TRY(read_toml(text));
  std::vector<NamedValue> values = named_values(file);
  EnergyTable t;
  t.macs = TRY(take_rows<MacEnergy>(values, kMacRows, kMacKeys));
  t.arithmetic = TRY(take_rows<ArithmeticEnergy>(values, kArithmeticRows, kArithmeticKeys));
  t.srams = TRY(take_rows<SramEnergy>(values, kSramRows, kSramKeys));
  TRY(read_keys<EnergyTable>(values, kTableKeys, t));
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
