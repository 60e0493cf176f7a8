#include "cli/accel_machines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "accelerator/energy_table_file.h"
#include "accelerator/machine_file.h"
#include "accelerator/scalesim/files.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/name_value.h"
#include "cli/sizes.h"

namespace ridge::cli {
namespace {

using accelerator::Convention;
using accelerator::EnergyTable;
using accelerator::Machine;

constexpr std::int64_t kLargestConfig = std::int64_t{64} << 10;
constexpr std::size_t kMostSets = 4096;

/// A key with its values, in the order written.
using Setting = std::pair<std::string, std::vector<std::string>>;

Result<void> add_values(const std::string& written, std::string_view text, Setting& setting) {
  const auto add = [&](std::string value) {  // given twice, it would be the same point twice
    const auto known = std::find(setting.second.begin(), setting.second.end(), value);
    if (known == setting.second.end()) setting.second.push_back(std::move(value));
  };
  if (text.find("..") == std::string_view::npos) {
    add(std::string(text));
    return {};
  }
  for (const std::int64_t value : TRY(range_values("--set", written, text)))
    add(std::to_string(value));
  return {};
}

/// "array.rows=16,32,dataflow=os,ws": an item without "=" is one more value of the key before.
Result<void> add_setting(const std::string& written, std::vector<Setting>& out) {
  const std::size_t first = out.size();
  for (std::string_view rest = written;;) {
    const std::size_t comma = rest.find(',');
    std::string item(rest.substr(0, comma));
    if (out.size() == first || item.find('=') != std::string::npos) {
      auto [key, value] = TRY(name_and_value(item, "--set"));
      const bool twice = std::any_of(out.begin(), out.end(),
                                     [&key = key](const Setting& s) { return s.first == key; });
      if (twice)
        return usage_error("RIDGE-CLI-0142", fmt::format("--set gives '{}' twice", printable(key)))
            .hint("several values of one key stand in a list: --set array.rows=16,32");
      out.emplace_back(std::move(key), std::vector<std::string>());
      item = std::move(value);
    }
    TRY(add_values(written, item, out.back()));
    if (comma == std::string_view::npos) return {};
    rest.remove_prefix(comma + 1);
  }
}

/// What a configuration of SCALE-Sim has not.
Result<void> check_config(const AccelOptions& o) {
  const std::pair<bool, std::string_view> needs[] = {
      {o.convention == "overlapped", "--convention overlapped"},
      {!o.sets.empty(), "--set"},
      {!o.energy.empty(), "--energy"},
      {o.precision == "file", "--precision file"},
      {!o.tile.empty(), "--tile"},
      {o.pareto, "--pareto"},
      {o.dataflow == "best", "--dataflow best"},
      {o.objective != "latency", "--objective"},
      {o.sensitivity == "on", "--sensitivity"}};
  for (const auto& [given, flag] : needs)
    if (given)
      return usage_error("RIDGE-CLI-0143",
                         fmt::format("{} needs a machine: a SCALE-Sim configuration has no clock, "
                                     "no DRAM bandwidth in GB/s, no element widths and no energies",
                                     flag))
          .hint(
              "--machine takes a shipped one (ridge accel --list-machines) or a .toml (ridge "
              "accel --template > my.toml)");
  return {};
}

Result<std::vector<MachineSet>> from_config(const AccelOptions& options) {
  TRY(check_config(options));
  const std::string text = TRY(read_file(options.config, kLargestConfig));
  auto read = accelerator::read_scalesim_config(text);
  if (!read.ok()) return std::move(read).error().in_file(options.config);
  read->dataflow = accelerator::dataflow_named(options.dataflow).value_or(read->dataflow);
  return std::vector<MachineSet>{{*read, {}, nullptr}};
}

class Tables {
 public:
  Result<std::shared_ptr<const EnergyTable>> find(const std::string& name) {
    if (name.empty()) return std::shared_ptr<const EnergyTable>();
    auto& known = tables_[name];
    if (known == nullptr)
      known = std::make_shared<EnergyTable>(TRY(accelerator::find_energy_table(name)));
    return known;
  }

 private:
  std::map<std::string, std::shared_ptr<const EnergyTable>> tables_;
};

/// A key that a flag of its own has decided already.
Result<void> check_decided(const AccelOptions& options, const std::vector<Setting>& settings) {
  for (const Setting& setting : settings) {
    const bool dataflow = setting.first == "array.dataflow" && !options.dataflow.empty();
    if (dataflow || (setting.first == "energy" && !options.energy.empty()))
      return usage_error("RIDGE-CLI-0150",
                         fmt::format("{} and --set {} do not go together",
                                     dataflow ? "--dataflow" : "--energy", setting.first))
          .hint("give one of them; several values after --set are points side by side");
  }
  return {};
}

/// One for each name; those that call themselves alike (a file made of a template keeps its name)
/// are called as they were given.
Result<std::vector<MachineSet>> named_machines(const AccelOptions& options) {
  std::vector<Machine> machines;
  std::map<std::string, int> times;
  for (const std::string& given : options.machines) {
    machines.push_back(TRY(accelerator::find_machine(given)));
    ++times[machines.back().name];
  }
  std::vector<MachineSet> out;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    Machine& machine = machines[i];
    machine.dataflow = accelerator::dataflow_named(options.dataflow).value_or(machine.dataflow);
    if (times[machine.name] > 1) machine.name = options.machines[i];
    out.push_back({std::move(machine), {}, nullptr});
  }
  return out;
}

Result<std::vector<MachineSet>> from_machines(const AccelOptions& options) {
  std::vector<Setting> settings;
  for (const std::string& written : options.sets) TRY(add_setting(written, settings));
  TRY(check_decided(options, settings));
  std::vector<MachineSet> sets = TRY(named_machines(options));
  for (const auto& [key, values] : settings) {
    if (sets.size() * values.size() > kMostSets)
      return usage_error("RIDGE-CLI-0144",
                         fmt::format("--set makes more than {} machines", kMostSets))
          .hint("give fewer values");
    std::vector<MachineSet> more;
    for (const MachineSet& set : sets)
      for (const std::string& value : values) {
        more.push_back(set);
        TRY(accelerator::set_key(std::get<Machine>(more.back().machine), key, value));
        more.back().set.emplace_back(key, value);
      }
    sets = std::move(more);
  }
  Tables tables;
  for (MachineSet& set : sets) {
    std::string& named = std::get<Machine>(set.machine).energy;
    if (!options.energy.empty()) named = options.energy;
    set.energy = TRY(tables.find(named));
  }
  return sets;
}

}  // namespace

Convention accel_convention(const AccelOptions& options) {
  if (!options.convention.empty())
    return options.convention == "scalesim" ? Convention::kScalesim : Convention::kOverlapped;
  return options.described() ? Convention::kOverlapped : Convention::kScalesim;
}

Result<std::vector<MachineSet>> accel_machines(const AccelOptions& options) {
  if (options.machines.empty() == options.config.empty())
    return usage_error("RIDGE-CLI-0141", options.machines.empty()
                                             ? "no machine is described"
                                             : "--machine and --config do not go together")
        .hint(
            "--machine takes a shipped one (ridge accel --list-machines) or a .toml, --config a "
            "SCALE-Sim configuration");
  return options.described() ? from_machines(options) : from_config(options);
}

}  // namespace ridge::cli
