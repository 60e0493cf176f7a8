#include "cli/accel_network.h"

#include <fmt/format.h>

#include <algorithm>

#include "accelerator/scalesim/files.h"
#include "base/checked.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/accel_profile.h"
#include "cli/sizes.h"
#include "workbench/model_source.h"

namespace ridge::cli {
namespace {

using accelerator::Layer;
using accelerator::Lowered;
using exports::AcceleratorNetwork;

constexpr std::int64_t kLargestFile = std::int64_t{64} << 20;

void append(Lowered& network, std::string name, accelerator::Gemm gemm) {
  Layer layer;
  layer.name = std::move(name);
  layer.macs = gemm.macs();
  layer.gemms = {gemm};
  network.macs = checked_add(network.macs, layer.macs).value_or(INT64_MAX);
  network.layers.push_back(std::move(layer));
}

std::vector<SharedNetwork> only(Lowered lowered) {
  return {std::make_shared<AcceleratorNetwork>(AcceleratorNetwork{std::move(lowered), {}, {}, {}})};
}

Result<std::vector<SharedNetwork>> from_topology(const std::string& path) {
  const std::string text = TRY(read_file(path, kLargestFile));
  auto layers = accelerator::read_topology(text);
  if (!layers.ok()) return std::move(layers).error().in_file(path);
  Lowered out;
  for (accelerator::TopologyLayer& l : *layers) append(out, std::move(l.name), l.gemm);
  return only(std::move(out));
}

Result<std::vector<SharedNetwork>> from_products(const std::vector<std::string>& gemms) {
  Lowered out;
  for (const std::string& text : gemms) append(out, text, TRY(accelerator::parse_gemm(text)));
  return only(std::move(out));
}

Result<std::vector<SharedNetwork>> from_model(const AccelOptions& options,
                                              accelerator::Layers layers, Console& console) {
  const SizeFlags flags = TRY(parse_sizes(options.binds, options.shapes));
  const std::vector<analysis::Bindings> points = TRY(sweep_points(flags));
  const workbench::OpenedModel opened = TRY(workbench::open_model(options.model));
  const accelerator::LoweringOptions how{
      options.fuse == "none" ? analysis::Fuse::kNone : analysis::Fuse::kEpilogue, layers};
  std::vector<SharedNetwork> out;
  std::vector<std::string> notes;
  for (const analysis::Bindings& point : points) {
    const auto shared = std::make_shared<const analysis::Resolved>(
        TRY(analysis::resolve(opened.model, point, opened.defaults)));
    const analysis::Resolved& resolved = *shared;
    for (const std::string& note : resolved.notes())
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
        warn(console, options.model, note);
        notes.push_back(note);
      }
    AcceleratorNetwork network{
        accelerator::lower(resolved, how), {}, resolved.bindings(), {}, shared};
    if (options.precision == "file")
      for (const Layer& layer : network.lowered.layers)
        network.stored.push_back(accelerator::stored_widths(resolved, layer));
    network.memory = TRY(accel_profiles(options, network.lowered, resolved));
    out.push_back(std::make_shared<AcceleratorNetwork>(std::move(network)));
  }
  return out;
}

/// What only a model has.
Result<void> check_without_model(const AccelOptions& o) {
  const std::pair<bool, std::string_view> needs[] = {
      {!o.binds.empty(), "--bind"},     {!o.shapes.empty(), "--shape"},
      {o.fuse != "epilogue", "--fuse"}, {o.profile_with != "closed-form", "--profile-with"},
      {o.run_hooks, "--run-hooks"},     {o.precision == "file", "--precision file"}};
  for (const auto& [given, flag] : needs)
    if (given)
      return usage_error(
                 "RIDGE-CLI-0149",
                 fmt::format("{} needs a model: products and topologies have sizes alone", flag))
          .hint("give a model, or leave the flag out");
  return {};
}

}  // namespace

Result<std::vector<SharedNetwork>> accel_networks(const AccelOptions& options,
                                                  accelerator::Layers layers, Console& console) {
  const int given = !options.model.empty() + !options.gemms.empty() + !options.topology.empty();
  if (given != 1)
    return usage_error("RIDGE-CLI-0140", given == 0
                                             ? "nothing to estimate"
                                             : "a model, --gemm and --topology do not go together")
        .hint("give one of: a model, --gemm M,N,K, --topology net.csv");
  if (options.model.empty()) TRY(check_without_model(options));
  if (!options.topology.empty()) return from_topology(options.topology);
  if (!options.gemms.empty()) return from_products(options.gemms);
  return from_model(options, layers, console);
}

std::string accel_subject(const AccelOptions& options) {
  if (!options.model.empty()) return options.model;
  if (!options.topology.empty()) return options.topology;
  return options.gemms.size() == 1 ? options.gemms[0]
                                   : counted(std::ssize(options.gemms), "product");
}

}  // namespace ridge::cli
