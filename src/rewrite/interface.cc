// SPDX-License-Identifier: Apache-2.0
// Rules for the inputs and outputs of a model.
#include <algorithm>
#include <array>

#include "analysis/traffic/fuser.h"
#include "rewrite/rewritten.h"
#include "rewrite/rule.h"

namespace ridge::rewrite {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;

/// Operators whose result a runtime has in its own layout, or completes with what follows.
constexpr std::array<std::string_view, 6> kKeptInside = {
    "Conv", "ConvTranspose", "Gemm", "MatMul", "BatchNormalization", "QLinearConv"};

/// Inputs with a default value: what a caller may replace is no constant for a runtime, so nothing
/// is computed from it when the model is loaded.
std::vector<Site> constant_inputs(const Resolved& resolved) {
  const graph::Model& model = resolved.model();
  std::vector<Site> sites;
  for (const ValueId v : model.main().inputs) {
    if (model.value(v).tensor == nullptr) continue;
    const std::span<const NodeId> readers = model.consumers(v);
    if (!readers.empty()) sites.push_back({{readers.begin(), readers.end()}, v, kNone});
  }
  return sites;
}

void make_constant(const Resolved&, const Site& site, Draft& draft) {
  draft.make_constant(site.value);
}

/// Outputs that the model itself reads again.
std::vector<ValueId> inner_outputs(const graph::Model& model) {
  std::vector<ValueId> out;
  for (const ValueId v : model.main().outputs)
    if (model.value(v).producer != kNone && !model.consumers(v).empty()) out.push_back(v);
  return out;
}

void drop_output(const Resolved&, const Site& site, Draft& draft) { draft.drop_output(site.value); }

/// True, by output, if the value would not leave its kernel without the output.
std::vector<bool> fused_without(const Resolved& resolved, std::span<const ValueId> outputs) {
  std::vector<bool> out(outputs.size());
  Draft draft(resolved.shared_model());
  for (const ValueId v : outputs) draft.drop_output(v);
  const Result<Resolved> without = resolved_as(resolved, std::move(draft).finish().document);
  if (!without.ok()) return out;
  const analysis::Fusion fusion = analysis::assume_fusion(*without, analysis::Fuse::kRuntime);
  std::unordered_map<std::string_view, ValueId> named;
  const graph::Model& model = without->model();
  for (const NodeId n : model.main().order)
    for (const ValueId v : model.outputs(n))
      if (v != kNone) named.emplace(model.value(v).name, v);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto found = named.find(resolved.model().value(outputs[i]).name);
    out[i] = found != named.end() && fusion.inside[found->second];
  }
  return out;
}

std::vector<Site> kept_outputs(const Resolved& resolved) {
  const graph::Model& model = resolved.model();
  const std::vector<ValueId> outputs = inner_outputs(model);
  if (outputs.empty() || outputs.size() == model.main().outputs.size()) return {};
  const std::vector<bool> fused = fused_without(resolved, outputs);
  std::vector<Site> sites;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const NodeId producer = model.value(outputs[i]).producer;
    const graph::NodeKind& kind = model.kind(producer);
    if (fused[i] ||
        (kind.domain.empty() && std::ranges::find(kKeptInside, kind.op_type) != kKeptInside.end()))
      sites.push_back({{producer}, outputs[i], producer});
  }
  return sites;
}

}  // namespace

std::span<const Rule> interface_rules() {
  static const std::array<Rule, 2> kRules = {
      Rule{.name = "constant_inputs",
           .kind = "constant_is_input",
           .what = "a weight is listed as an input of the model, so the runtime cannot treat it as "
                   "a constant",
           .how = "list the weights as initializers only (keep_initializers_as_inputs=False)",
           .places = constant_inputs,
           .edit = make_constant,
           .interface = "a caller can no longer pass these weights",
           .at_sizes = true},
      Rule{.name = "kept_outputs",
           .kind = "output_kept",
           .what = "an inner result is listed as an output of the model, so the runtime must write "
                   "it",
           .how = "remove the outputs that nothing reads",
           .places = kept_outputs,
           .edit = drop_output,
           .interface = "a caller no longer gets these outputs",
           .at_sizes = true}};
  return kRules;
}

}  // namespace ridge::rewrite
