// SPDX-License-Identifier: Apache-2.0
#include "accelerator/study/networks.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "accelerator/scalesim/files.h"
#include "accelerator/study/memory.h"
#include "base/checked.h"
#include "base/lines.h"
#include "base/text.h"
#include "session/model_source.h"
#include "session/resolve_point.h"

namespace ridge::accelerator {
namespace {

constexpr std::int64_t kLargestFile = std::int64_t{64} << 20;

void append(Lowered& network, std::string name, Gemm gemm) {
  Layer layer;
  layer.name = std::move(name);
  layer.macs = gemm.macs();
  layer.gemms = {gemm};
  network.macs = checked_add(network.macs, layer.macs).value_or(INT64_MAX);
  network.layers.push_back(std::move(layer));
}

std::vector<SharedNetwork> only(Lowered lowered) {
  return {std::make_shared<StudyNetwork>(StudyNetwork{std::move(lowered), {}, {}, {}})};
}

Result<std::vector<SharedNetwork>> from_topology(const std::string& path) {
  const std::string text = TRY(read_text_file(path, kLargestFile));
  auto layers = read_topology(text);
  if (!layers.ok()) return std::move(layers).error().in_file(path);
  Lowered out;
  for (TopologyLayer& l : *layers) append(out, std::move(l.name), l.gemm);
  return only(std::move(out));
}

Result<std::vector<SharedNetwork>> from_products(const StudySpec& spec) {
  Lowered out;
  for (const auto& [name, product] : spec.products) append(out, name, product);
  return only(std::move(out));
}

Result<std::vector<SharedNetwork>> from_model(const StudySpec& spec, Layers layers,
                                              const session::Environment& environment) {
  const session::OpenedModel opened = TRY(session::open_model(spec.model));
  const LoweringOptions how{spec.fuse, layers};
  std::vector<SharedNetwork> out;
  std::set<std::string> warned;
  for (const analysis::Bindings& point : spec.sizes) {
    const auto shared = std::make_shared<const analysis::Resolved>(
        TRY(session::resolve_point(opened, point, {spec.model, environment, warned})));
    const analysis::Resolved& resolved = *shared;
    StudyNetwork network{lower(resolved, how), {}, resolved.bindings(), {}, shared};
    if (spec.widths == OperandWidths::kStored)
      for (const Layer& layer : network.lowered.layers)
        network.stored.push_back(stored_widths(resolved, layer));
    network.memory = TRY(study_memory(spec, network.lowered, resolved, environment));
    out.push_back(std::make_shared<StudyNetwork>(std::move(network)));
  }
  return out;
}

/// Usage error (RIDGE-WB-0149) for options that only apply to a model.
Result<void> check_without_model(const StudySpec& spec) {
  const auto binds = [](const analysis::Bindings& point) { return !point.sizes.empty(); };
  const auto shapes = [](const analysis::Bindings& point) { return !point.shapes.empty(); };
  const std::pair<bool, std::string_view> needs[] = {
      {std::ranges::any_of(spec.sizes, binds), "--bind"},
      {std::ranges::any_of(spec.sizes, shapes), "--shape"},
      {spec.fuse != analysis::Fuse::kEpilogue, "--fuse"},
      {spec.memory != ProfileSource::kClosedForm, "--profile-with"},
      {spec.run_hooks, "--run-hooks"},
      {spec.widths == OperandWidths::kStored, "--precision file"}};
  for (const auto& [given, flag] : needs)
    if (given)
      return usage_error(
                 "RIDGE-WB-0149",
                 fmt::format("{} requires a model: products and topologies consist of sizes only",
                             flag))
          .hint("give a model, or omit the flag");
  return {};
}

}  // namespace

Result<std::vector<SharedNetwork>> study_networks(const StudySpec& spec, Layers layers,
                                                  const session::Environment& environment) {
  const int given = !spec.model.empty() + !spec.products.empty() + !spec.topology.empty();
  if (given != 1)
    return usage_error("RIDGE-WB-0140", given == 0
                                            ? "no network was given"
                                            : "a model, --gemm and --topology cannot be combined")
        .hint("give one of: a model, --gemm M,N,K, --topology net.csv");
  if (spec.model.empty()) TRY(check_without_model(spec));
  if (!spec.topology.empty()) return from_topology(spec.topology);
  if (!spec.products.empty()) return from_products(spec);
  return from_model(spec, layers, environment);
}

std::string study_subject(const StudySpec& spec) {
  if (!spec.model.empty()) return spec.model;
  if (!spec.topology.empty()) return spec.topology;
  return spec.products.size() == 1 ? spec.products[0].first
                                   : counted(std::ssize(spec.products), "product");
}

}  // namespace ridge::accelerator
