// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/accel/spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "accelerator/scalesim/files.h"
#include "base/list.h"
#include "base/text.h"
#include "cli/flags/name_value.h"
#include "cli/flags/sizes.h"

namespace ridge::cli {
namespace {

using accelerator::PadRule;
using accelerator::StudySpec;

/// Key with its values, in the order written.
using Setting = std::pair<std::string, std::vector<std::string>>;

Result<void> add_values(const std::string& written, std::string_view text, Setting& setting) {
  const auto add = [&](std::string value) {  // a repeated value would repeat its point
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

/// Parses "array.rows=16,32,dataflow=os,ws": an item without "=" is another value of the key
/// before.
Result<void> add_setting(const std::string& written, std::vector<Setting>& out) {
  const std::size_t first = out.size();
  for (const std::string_view part : split(written)) {
    std::string item(part);
    if (out.size() == first || item.find('=') != std::string::npos) {
      auto [key, value] = TRY(name_and_value(item, "--set"));
      const bool twice = std::any_of(out.begin(), out.end(),
                                     [&key = key](const Setting& s) { return s.first == key; });
      if (twice)
        return usage_error("RIDGE-CLI-0142",
                           fmt::format("--set: '{}' is given twice", printable(key)))
            .hint("write several values of one key as a list: --set array.rows=16,32");
      out.emplace_back(std::move(key), std::vector<std::string>());
      item = std::move(value);
    }
    TRY(add_values(written, item, out.back()));
  }
  return {};
}

std::optional<accelerator::Objective> objective_of(std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (text == "energy") return accelerator::Objective::kEnergy;
  return text == "edp" ? accelerator::Objective::kEdp : accelerator::Objective::kLatency;
}

accelerator::Sensitivity sensitivity_of(std::string_view text) {
  if (text == "on") return accelerator::Sensitivity::kOn;
  return text == "off" ? accelerator::Sensitivity::kOff : accelerator::Sensitivity::kAuto;
}

Result<accelerator::Tile> tile_of(const std::string& text) {
  const auto tile = accelerator::parse_gemm(text);
  if (!tile.ok() || tile->count != 1)
    return usage_error("RIDGE-CLI-0146", fmt::format("--tile: invalid tile '{}'", text))
        .hint("write --tile Tm,Tn,Tk: three integers, each at least 1");
  return accelerator::Tile{tile->m, tile->n, tile->k};
}

Result<std::vector<PadRule>> pads_of(const std::vector<std::string>& texts) {
  std::vector<PadRule> out;
  for (const std::string& text : texts)
    for (const PadRule& rule : TRY(accelerator::parse_pads(text)))
      if (std::find(out.begin(), out.end(), rule) == out.end()) out.push_back(rule);
  if (out.empty()) out.emplace_back();
  return out;
}

}  // namespace

// Values outside a fixed list were rejected when the flags were parsed.
Result<StudySpec> spec_of(const AccelOptions& o) {
  StudySpec spec{.model = o.model, .topology = o.topology, .machines = o.machines};
  for (const std::string& text : o.gemms)
    spec.products.emplace_back(text, TRY(accelerator::parse_gemm(text)));
  spec.sizes = TRY(sweep_points(TRY(parse_sizes(o.binds, o.shapes))));
  spec.fuse = o.fuse == "none" ? analysis::Fuse::kNone : analysis::Fuse::kEpilogue;
  spec.memory = accelerator::profile_source(o.profile_with).value_or(spec.memory);
  spec.run_hooks = o.run_hooks;
  if (o.precision == "file") spec.widths = accelerator::OperandWidths::kStored;
  spec.config = o.config;
  for (const std::string& written : o.sets) TRY(add_setting(written, spec.settings));
  spec.dataflow = find_word<accelerator::Dataflow>(o.dataflow);
  spec.any_dataflow = o.dataflow == "best";
  spec.energy = o.energy;
  if (!o.convention.empty())
    spec.convention = o.convention == "scalesim" ? accelerator::Convention::kScalesim
                                                 : accelerator::Convention::kOverlapped;
  spec.pads = TRY(pads_of(o.pads));
  if (!o.tile.empty()) spec.tile = TRY(tile_of(o.tile));
  spec.objective = objective_of(o.objective);
  spec.sensitivity = sensitivity_of(o.sensitivity);
  spec.pareto = o.pareto;
  return spec;
}

}  // namespace ridge::cli
