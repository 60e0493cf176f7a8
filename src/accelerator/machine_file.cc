// SPDX-License-Identifier: Apache-2.0
#include "accelerator/machine_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <utility>

#include "accelerator/describe.h"
#include "accelerator/energy_table_file.h"
#include "accelerator/shipped.h"
#include "base/text.h"
#include "record/settings.h"
#include "record/toml.h"

namespace ridge::accelerator {
namespace {

constexpr std::size_t kLongestName = 60;

constexpr ShippedKind kShippedMachineKind{kShippedMachines, "RIDGE-ACC-0220", "machine"};

Error missing_sram(std::string_view key) {
  return input_error("RIDGE-ACC-0208", fmt::format("{} is missing", key))
      .hint("either one SRAM for the three operands, or one for each");
}

Result<Machine> with_setting(Machine m, std::string_view key, std::string_view value) {
  TRY(record::set(record::kType<Machine>, &m, key, value));
  TRY(check_sram(m));
  return m;
}

}  // namespace

Result<std::int64_t> Kib::in(double kib) {
  const double bytes = kib * 1024;
  if (bytes == std::trunc(bytes)) return static_cast<std::int64_t>(bytes);
  return input_error("RIDGE-ACC-0210", fmt::format("{} KiB are no whole number of bytes", kib));
}

Result<std::string> MachineName::in(std::string name) {
  if (!name.empty() && name.size() <= kLongestName && printable(name) == name) return name;
  return input_error("RIDGE-ACC-0212", fmt::format("invalid name '{}'", shown(name)))
      .hint(fmt::format("expected 1 to {} printable bytes", kLongestName));
}

Result<std::string> TableName::in(std::string name) {
  if (name.ends_with(kTomlEnding) || find_shipped(kShippedEnergyTables, name) != nullptr)
    return name;
  Error error =
      input_error("RIDGE-ACC-0218", fmt::format("unknown energy table '{}'", shown(name)));
  return unknown_shipped(std::move(error), name, shipped_energy_table_names());
}

std::string sparsity_text(const Gemm& gemm) {
  return fmt::format("{}:{}", gemm.sparsity.kept, gemm.sparsity.of);
}

Result<void> check_sram(const Machine& m) {
  std::vector<std::string_view> given, absent;
  const std::pair<std::string_view, std::int64_t> operands[] = {
      {"sram.ifmap_kib", m.sram.bytes.ifmap},
      {"sram.filter_kib", m.sram.bytes.filter},
      {"sram.ofmap_kib", m.sram.bytes.ofmap}};
  for (const auto& [key, bytes] : operands) (bytes > 0 ? given : absent).push_back(key);
  const bool shared = m.sram.shared_bytes > 0;
  if (shared && !given.empty())
    return input_error("RIDGE-ACC-0211",
                       fmt::format("sram.shared_kib contradicts {}", fmt::join(given, ", ")))
        .hint("either one SRAM for the three operands, or one for each");
  if (shared || absent.empty()) return {};
  return missing_sram(given.empty() ? "sram.shared_kib" : absent[0]);
}

Result<Machine> read_machine(std::string_view text) { return record::read_toml<Machine>(text); }

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
    if (!m.ok()) return std::string();
    return "# An accelerator for `ridge accel`. Every figure's unit is in its key.\n" +
           record::toml_text(*m, record::Comments::kMeaning);
  }();
  return text;
}

Result<void> set_key(Machine& machine, std::string_view key, std::string_view value) {
  Result<Machine> set = with_setting(machine, key, value);
  if (!set.ok())
    return usage_error("RIDGE-ACC-0221", set.error().message()).hint(set.error().hint());
  machine = std::move(*set);
  return {};
}

}  // namespace ridge::accelerator
