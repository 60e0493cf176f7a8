#include "accelerator/machine_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "accelerator/energy_table_file.h"
#include "accelerator/shipped.h"
#include "base/number.h"
#include "base/text.h"

namespace ridge::accelerator {
namespace {

constexpr std::size_t kLongestName = 60;
using enum KeyRule::Need;

/// 1 byte to 16 GiB.
constexpr Bounds kKibibytes = {1.0 / 1024, 1 << 24};
constexpr Bounds kBitBounds = {1, 64};

Result<void> set_name(Machine& m, std::string_view text) {
  if (text.empty() || text.size() > kLongestName || printable(text) != text)
    return input_error("RIDGE-ACC-0212", fmt::format("invalid name '{}'", shown(text)))
        .hint(fmt::format("expected 1 to {} printable bytes", kLongestName));
  m.name = text;
  return {};
}

Result<void> set_dataflow(Machine& m, std::string_view text) {
  const auto found = dataflow_named(text);
  if (!found)
    return input_error(
        "RIDGE-ACC-0213",
        fmt::format("invalid array.dataflow '{}': expected os, ws or is", shown(text)));
  m.dataflow = *found;
  return {};
}

Result<void> set_energy(Machine& m, std::string_view text) {
  if (!text.ends_with(kTomlEnding) && find_shipped(kShippedEnergyTables, text) == nullptr)
    return unknown_shipped(
        input_error("RIDGE-ACC-0218", fmt::format("unknown energy table '{}'", shown(text))), text,
        shipped_energy_table_names());
  m.energy = text;
  return {};
}

/// In template order: keys outside tables first, then the keys of one table after another.
constexpr Key<Machine> kKeys[] = {
    text<Machine>(
        "name", "name shown in tables", kOptional, [](const Machine& m) { return m.name; },
        set_name),
    number<[](auto& m) -> auto& { return m.clock_mhz; }, Machine>(
        "clock_mhz", "clock of the array, MHz", {0.001, 100'000}, kRequired, "clock"),
    text<Machine>(
        "energy", "energy table: a shipped name, or a file with the suffix .toml", kOptional,
        [](const Machine& m) { return m.energy; }, set_energy),
    flag<[](auto& m) -> auto& { return m.double_buffered; }, Machine>(
        "double_buffered", "whether tiles are loaded and stored while the array works"),
    number<[](auto& m) -> auto& { return m.rows; }, Machine>(
        "array.rows", "rows of multiply-accumulate units", {1, 16'384}),
    number<[](auto& m) -> auto& { return m.columns; }, Machine>(
        "array.columns", "columns of multiply-accumulate units", {1, 16'384}),
    text<Machine>(
        "array.dataflow", "what stays in the array: \"os\" outputs, \"ws\" weights, \"is\" inputs",
        kRequired, [](const Machine& m) { return std::string(name(m.dataflow)); }, set_dataflow),
    text<Machine>(
        "precision.format", "number format of the units: \"int\" (and fixed point) or \"float\"",
        kRequired, [](const Machine& m) { return std::string(format_name(m.widths.floating)); },
        [](Machine& m, std::string_view text) -> Result<void> {
          m.widths.floating = TRY(parse_format(text));
          return {};
        }),
    number<[](auto& m) -> auto& { return m.widths.bits.ifmap; }, Machine>(
        "precision.ifmap_bits", "bits of an activation in memory", kBitBounds, kRequired,
        "precision.ifmap"),
    number<[](auto& m) -> auto& { return m.widths.bits.filter; }, Machine>(
        "precision.filter_bits", "bits of a weight in memory", kBitBounds, kRequired,
        "precision.filter"),
    number<[](auto& m) -> auto& { return m.widths.bits.ofmap; }, Machine>(
        "precision.ofmap_bits", "bits of a result in memory", kBitBounds, kRequired,
        "precision.ofmap"),
    number<[](auto& m) -> auto& { return m.widths.accumulator_bits; }, Machine>(
        "precision.accumulator_bits", "bits of a partial sum", kBitBounds, kRequired,
        "precision.accumulator"),
    kibibytes<[](auto& m) -> auto& { return m.sram.shared_bytes; }, Machine>(
        "sram.shared_kib", "KiB of one SRAM for the three operands", kKibibytes, kOptional,
        "sram.shared"),
    kibibytes<[](auto& m) -> auto& { return m.sram.bytes.ifmap; }, Machine>(
        "sram.ifmap_kib", "KiB for activations, where each operand has an SRAM of its own",
        kKibibytes, kOptional, "sram.ifmap"),
    kibibytes<[](auto& m) -> auto& { return m.sram.bytes.filter; }, Machine>(
        "sram.filter_kib", "KiB for weights", kKibibytes, kOptional, "sram.filter"),
    kibibytes<[](auto& m) -> auto& { return m.sram.bytes.ofmap; }, Machine>(
        "sram.ofmap_kib", "KiB for partial sums", kKibibytes, kOptional, "sram.ofmap"),
    number<[](auto& m) -> auto& { return m.sram.banks; }, Machine>(
        "sram.banks", "banks of each SRAM", {1, 65'536}, kOptional),
    number<[](auto& m) -> auto& { return m.sram.ports; }, Machine>(
        "sram.ports", "ports of each bank", {1, 64}, kOptional),
    number<[](auto& m) -> auto& { return m.sram.port_bytes; }, Machine>(
        "sram.port_bytes", "bytes per port and cycle; 0: unlimited", {0, 65'536}, kOptional),
    number<[](auto& m) -> auto& { return m.dram.gb_per_s; }, Machine>(
        "dram.gb_per_s", "GB/s (10^9 bytes) of reads and writes together", {0.001, 1'000'000},
        kRequired, "dram.bandwidth"),
    number<[](auto& m) -> auto& { return m.dram.latency_ns; }, Machine>(
        "dram.latency_ns", "ns from the request to the first byte", {0, 1'000'000}, kOptional,
        "dram.latency"),
    number<[](auto& m) -> auto& { return m.vector.lanes; }, Machine>(
        "vector.lanes", "elements per cycle of the vector unit; 0: no vector unit", {0, 1 << 20},
        kOptional),
};

bool has(const Key<Machine>& key, const Machine& m) {
  return key.kind == KeyRule::Kind::kText ? !key.text(m).empty() : key.get(m) >= key.least;
}

const Key<Machine>& key_of(std::string_view name) {
  const Key<Machine>* found = kKeys;
  while (found->name != name) ++found;
  return *found;
}

/// Checks the SRAM keys against each other: one shared SRAM or one per operand.
Result<void> check_sram(const Machine& m) {
  std::vector<std::string_view> given, absent;
  for (const std::string_view own : {"sram.ifmap_kib", "sram.filter_kib", "sram.ofmap_kib"})
    (has(key_of(own), m) ? given : absent).push_back(own);
  const bool shared = m.sram.shared_bytes > 0;
  if (shared && !given.empty())
    return input_error("RIDGE-ACC-0211",
                       fmt::format("sram.shared_kib contradicts {}", fmt::join(given, ", ")))
        .hint("either one SRAM for the three operands, or one for each");
  if (shared || absent.empty()) return {};
  if (given.empty()) return missing_key(key_of("sram.shared_kib"));
  return missing_key(key_of(absent[0]));
}

std::string place_of(std::string_view name, const std::vector<NamedValue>& values) {
  for (const NamedValue& v : values)
    if (v.name == name) return v.place.text();
  return {};
}

/// Value of a command-line argument: a number if the rule requires one and `text` is one, else
/// text.
Toml value_of(const KeyRule& rule, std::string_view text) {
  Toml out;
  out.kind = Toml::Kind::kText;
  out.text = text;
  if (rule.kind == KeyRule::Kind::kText) return out;
  if (rule.kind == KeyRule::Kind::kFlag && (text == "true" || text == "false")) {
    out.kind = Toml::Kind::kTruth;
    out.truth = text == "true";
    return out;
  }
  if (const auto number = finite_number(text)) {
    out.kind = Toml::Kind::kNumber;
    out.number = *number;
  }
  return out;
}

Result<Machine> with_key(Machine m, std::string_view key, std::string_view value) {
  const std::vector<KeyRule> rules = rules_of<Machine>(kKeys);
  const Key<Machine>& found = kKeys[TRY(find_rule(key, rules))];
  TRY(assign(found, value_of(found, value), m));
  TRY(check_sram(m));
  return m;
}

std::string_view table_of(std::string_view key) {
  const std::size_t dot = key.find('.');
  return dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
}

std::string template_of(const Machine& m) {
  std::string out = "# An accelerator for `ridge accel`. Every figure's unit is in its key.\n";
  std::string_view table;
  for (const Key<Machine>& key : kKeys) {
    if (const std::string_view now = table_of(key.name); now != table) {
      out += fmt::format("\n[{}]\n", now);
      table = now;
    }
    const bool text = key.kind == KeyRule::Kind::kText, flag = key.kind == KeyRule::Kind::kFlag;
    const std::string value = text   ? '"' + key.text(m) + '"'
                              : flag ? (key.get(m) != 0 ? "true" : "false")
                                     : number_text(key.get(m));
    const std::string line =
        fmt::format("{}{} = {}", has(key, m) ? "" : "# ",
                    key.name.substr(table.empty() ? 0 : table.size() + 1), value);
    out += fmt::format("{:<28}  # {}{}\n", line, key.meaning,
                       text   ? std::string()
                       : flag ? "; true or false"
                              : "; " + allowed(key));
  }
  return out;
}

constexpr ShippedKind kShippedMachineKind{kShippedMachines, "RIDGE-ACC-0220", "machine"};

}  // namespace

Result<Machine> read_machine(std::string_view text) {
  const Toml file = TRY(read_toml(text));
  const std::vector<NamedValue> values = named_values(file);
  Machine m;
  TRY(read_keys<Machine>(values, kKeys, m));
  TRY_IN(place_of("sram.shared_kib", values), check_sram(m));
  return m;
}

std::vector<std::string> shipped_machine_names() { return names_of(kShippedMachines); }

Result<Machine> shipped_machine(std::string_view name) {
  return read_shipped(kShippedMachineKind, name, read_machine);
}

Result<Machine> find_machine(const std::string& name_or_path) {
  return find_described(kShippedMachineKind, name_or_path, read_machine);
}

std::string_view machine_template() {
  static const std::string text = [] {
    const Result<Machine> m = shipped_machine("edge-32");
    return m.ok() ? template_of(*m) : std::string();
  }();
  return text;
}

Result<void> set_key(Machine& machine, std::string_view key, std::string_view value) {
  Result<Machine> set = with_key(machine, key, value);
  if (!set.ok())
    return usage_error("RIDGE-ACC-0221", set.error().message()).hint(set.error().hint());
  machine = std::move(*set);
  return {};
}

std::span<const Key<Machine>> machine_keys() {
  static const std::vector<Key<Machine>> numbers = [] {
    std::vector<Key<Machine>> out;
    for (const Key<Machine>& key : kKeys)
      if (key.kind == KeyRule::Kind::kWhole || key.kind == KeyRule::Kind::kReal) out.push_back(key);
    return out;
  }();
  return numbers;
}

void write_machine(const Machine& machine, JsonWriter& json) {
  json.begin_object();
  std::string_view table;
  for (const Key<Machine>& key : kKeys) {
    if (const std::string_view now = table_of(key.name); now != table) {
      if (!table.empty()) json.end_object();
      json.key(now).begin_object();
      table = now;
    }
    json.key(key.name.substr(table.empty() ? 0 : table.size() + 1));
    if (!has(key, machine))
      json.null();
    else if (key.kind == KeyRule::Kind::kText)
      json.value(key.text(machine));
    else if (key.kind == KeyRule::Kind::kFlag)
      json.value(key.get(machine) != 0);
    else
      json.value(key.get(machine));
  }
  json.end_object().end_object();
}

}  // namespace ridge::accelerator
