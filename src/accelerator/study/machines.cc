// SPDX-License-Identifier: Apache-2.0
#include "accelerator/study/machines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "accelerator/energy_table_file.h"
#include "accelerator/machine_file.h"
#include "accelerator/scalesim/files.h"
#include "base/lines.h"

namespace ridge::accelerator {
namespace {

constexpr std::int64_t kLargestConfig = std::int64_t{64} << 10;
constexpr std::size_t kMaxSets = 4096;

/// Usage error (RIDGE-WB-0143) for options that a SCALE-Sim configuration does not support.
Result<void> check_config(const StudySpec& o) {
  const std::pair<bool, std::string_view> needs[] = {
      {o.convention == Convention::kOverlapped, "--convention overlapped"},
      {!o.settings.empty(), "--set"},
      {!o.energy.empty(), "--energy"},
      {o.widths == OperandWidths::kStored, "--precision file"},
      {o.tile.has_value(), "--tile"},
      {o.pareto, "--pareto"},
      {o.any_dataflow, "--dataflow best"},
      {o.objective.has_value(), "--objective"},
      {o.sensitivity == Sensitivity::kOn, "--sensitivity"}};
  for (const auto& [given, flag] : needs)
    if (given)
      return usage_error(
                 "RIDGE-WB-0143",
                 fmt::format("{} requires --machine: a SCALE-Sim configuration has no clock, "
                             "no DRAM bandwidth in GB/s, no element widths and no energies",
                             flag))
          .hint(
              "--machine takes a shipped one (ridge accel --list-machines) or a .toml (ridge "
              "accel --template > my.toml)");
  return {};
}

Result<std::vector<StudiedMachine>> from_config(const StudySpec& spec) {
  TRY(check_config(spec));
  const std::string text = TRY(read_text_file(spec.config, kLargestConfig));
  auto read = read_scalesim_config(text);
  if (!read.ok()) return std::move(read).error().in_file(spec.config);
  read->dataflow = spec.dataflow.value_or(read->dataflow);
  return std::vector<StudiedMachine>{{*read, {}, nullptr}};
}

class EnergyTables {
 public:
  Result<std::shared_ptr<const EnergyTable>> find(const std::string& name) {
    if (name.empty()) return std::shared_ptr<const EnergyTable>();
    auto& known = tables_[name];
    if (known == nullptr) known = std::make_shared<EnergyTable>(TRY(find_energy_table(name)));
    return known;
  }

 private:
  std::map<std::string, std::shared_ptr<const EnergyTable>> tables_;
};

/// Usage error (RIDGE-WB-0150) if --set contains a key that another flag sets.
Result<void> check_overridden_keys(const StudySpec& spec) {
  for (const auto& [key, values] : spec.settings) {
    const bool dataflow = key == "array.dataflow" && (spec.dataflow || spec.any_dataflow);
    if (dataflow || (key == "energy" && !spec.energy.empty()))
      return usage_error("RIDGE-WB-0150", fmt::format("{} cannot be combined with --set {}",
                                                      dataflow ? "--dataflow" : "--energy", key))
          .hint("give one of them; several values of --set make a sweep");
  }
  return {};
}

/// Machines by name. Machines with equal names (a file made from a template keeps the template's
/// name) are renamed to what the user wrote.
Result<std::vector<StudiedMachine>> named_machines(const StudySpec& spec) {
  std::vector<Machine> machines;
  std::map<std::string, int> times;
  for (const std::string& given : spec.machines) {
    machines.push_back(TRY(find_machine(given)));
    ++times[machines.back().name];
  }
  std::vector<StudiedMachine> out;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    Machine& machine = machines[i];
    machine.dataflow = spec.dataflow.value_or(machine.dataflow);
    if (times[machine.name] > 1) machine.name = spec.machines[i];
    out.push_back({std::move(machine), {}, nullptr});
  }
  return out;
}

Result<std::vector<StudiedMachine>> from_machines(const StudySpec& spec) {
  TRY(check_overridden_keys(spec));
  std::vector<StudiedMachine> sets = TRY(named_machines(spec));
  for (const auto& [key, values] : spec.settings) {
    if (sets.size() * values.size() > kMaxSets)
      return usage_error("RIDGE-WB-0144",
                         fmt::format("--set produces more than {} machines", kMaxSets))
          .hint("give fewer values");
    std::vector<StudiedMachine> more;
    for (const StudiedMachine& set : sets)
      for (const std::string& value : values) {
        more.push_back(set);
        TRY(set_key(std::get<Machine>(more.back().machine), key, value));
        more.back().set.emplace_back(key, value);
      }
    sets = std::move(more);
  }
  EnergyTables tables;
  for (StudiedMachine& set : sets) {
    std::string& named = std::get<Machine>(set.machine).energy;
    if (!spec.energy.empty()) named = spec.energy;
    set.energy = TRY(tables.find(named));
  }
  return sets;
}

}  // namespace

Result<std::vector<StudiedMachine>> study_machines(const StudySpec& spec) {
  if (spec.machines.empty() == spec.config.empty())
    return usage_error("RIDGE-WB-0141", spec.machines.empty()
                                            ? "no machine was given"
                                            : "--machine cannot be combined with --config")
        .hint(
            "--machine takes a shipped one (ridge accel --list-machines) or a .toml, --config a "
            "SCALE-Sim configuration");
  return spec.described() ? from_machines(spec) : from_config(spec);
}

}  // namespace ridge::accelerator
