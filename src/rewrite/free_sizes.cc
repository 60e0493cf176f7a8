// SPDX-License-Identifier: Apache-2.0
// The rule for free sizes of a model's inputs.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "analysis/sizes/binding.h"
#include "rewrite/rule.h"

namespace ridge::rewrite {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;

/// The size to which a free dimension of an input is bound; std::nullopt if it is not free.
std::optional<std::int64_t> bound_size(const Resolved& resolved, ValueId input, std::size_t axis) {
  const graph::Value& value = resolved.model().value(input);
  const ops::Shape& shape = resolved.type(input).shape;
  if (analysis::free_size(value, axis).empty()) return std::nullopt;
  const bool known = std::cmp_less(axis, shape.rank) && shape[axis].known();
  return known ? std::optional(shape[axis].value()) : std::nullopt;
}

bool has_shape(const graph::Value& value) {
  return value.declared != nullptr && value.declared->kind == onnx::TypeKind::kTensor &&
         value.declared->has_shape;
}

std::vector<Site> find_free_sizes(const Resolved& resolved) {
  const graph::Model& model = resolved.model();
  std::vector<Site> sites;
  for (const ValueId v : model.main().inputs) {
    const graph::Value& value = model.value(v);
    if (value.tensor != nullptr || !has_shape(value)) continue;
    bool free = false;
    for (std::size_t i = 0; i < value.declared->shape.size(); ++i)
      free = free || bound_size(resolved, v, i);
    const std::span<const NodeId> readers = model.consumers(v);
    if (free) sites.push_back({{readers.begin(), readers.end()}, v, kNone});
  }
  return sites;
}

/// Writes the sizes of one input, wherever the main graph mentions them.
void edit_free_size(const Resolved& resolved, const Site& site, Draft& draft) {
  const graph::Model& model = resolved.model();
  std::map<std::string_view, std::int64_t> sizes;  // by symbol
  std::vector<onnx::Dimension>& input = draft.declared_shape(site.value);
  for (std::size_t i = 0; i < input.size(); ++i) {
    const std::optional<std::int64_t> size = bound_size(resolved, site.value, i);
    if (!size) continue;
    const std::string_view symbol = model.value(site.value).declared->shape[i].param;
    if (analysis::free_size(model.value(site.value), i) == symbol) sizes.emplace(symbol, *size);
    input[i] = {.value = *size, .param = {}};
  }
  for (ValueId v = 0; v < model.values().size() && !sizes.empty(); ++v) {
    const graph::Value& value = model.value(v);
    if (value.graph != 0 || !has_shape(value)) continue;
    const auto mentioned = [&](const onnx::Dimension& d) { return sizes.contains(d.param); };
    if (std::ranges::none_of(value.declared->shape, mentioned)) continue;
    for (onnx::Dimension& d : draft.declared_shape(v))
      if (const auto size = sizes.find(d.param); size != sizes.end())
        d = {.value = size->second, .param = {}};
  }
}

}  // namespace

std::span<const Rule> size_rules() {
  static const std::array<Rule, 1> kRules = {
      Rule{.name = "free_sizes",
           .kind = "free_sizes",
           .what = "sizes of inputs are free, so that the runtime plans for any",
           .how = "export the model with fixed sizes",
           .places = find_free_sizes,
           .edit = edit_free_size,
           .interface = "inputs have the bound sizes, and no others",
           .at_sizes = true}};
  return kRules;
}

}  // namespace ridge::rewrite
