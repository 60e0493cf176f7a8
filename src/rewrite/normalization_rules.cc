// SPDX-License-Identifier: Apache-2.0
// Rules for normalizations that are spelled out.
#include <algorithm>
#include <array>

#include "rewrite/nodes.h"
#include "rewrite/normalization.h"
#include "rewrite/rule.h"

namespace ridge::rewrite {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;

/// First versions of ai.onnx with the operators.
constexpr std::int32_t kLayerNormalization = 17, kRmsNormalization = 23;

bool has_operator(const Resolved& resolved, const Normalization& n) {
  return resolved.model().kind(n.root).opset >=
         (n.centered ? kLayerNormalization : kRmsNormalization);
}

/// True if no size of the last axes depends on a free size.
bool sizes_are_fixed(const Resolved& resolved, const Normalization& n) {
  return std::ranges::all_of(resolved.type(n.x).shape.span().last(n.axes),
                             [](ops::Dim d) { return d.known(); });
}

/// Whether something better can be put in its place. Without the operator that is the form that
/// runtimes know, for one axis. They also run a known form of RMS normalization as one kernel of
/// their own, so that the operator is no gain.
bool replaceable_normalization(const Resolved& resolved, const Normalization& n) {
  const bool has = has_operator(resolved, n);
  if (n.known && (!has || !n.centered)) return false;
  if (!has && n.axes != 1) return false;
  const bool adds_constant = n.scale == kNone || (!has && n.centered && n.bias == kNone);
  return !adds_constant || sizes_are_fixed(resolved, n);
}

/// Readers come first, so that a normalization is found before one without its scale or bias.
std::vector<Site> find_normalizations(bool centered, const Resolved& resolved) {
  const graph::Model& model = resolved.model();
  std::vector<bool> taken(model.nodes().size());
  std::vector<Site> sites;
  const auto& order = model.main().order;
  for (auto root = order.rbegin(); root != order.rend(); ++root) {
    if (taken[*root]) continue;
    const std::optional<Normalization> n = match_normalization(resolved, *root);
    if (!n) continue;
    for (const NodeId member : n->nodes) taken[member] = true;
    if (n->centered == centered && replaceable_normalization(resolved, *n))
      sites.push_back({n->nodes, kNone, n->root});
  }
  std::ranges::reverse(sites);
  return sites;
}

/// Adds the nodes in place of a normalization.
class NormalizationWriter {
 public:
  NormalizationWriter(const Resolved& resolved, const Normalization& n, Draft& draft)
      : resolved_(resolved), n_(n), draft_(draft), result_(model().outputs(n.root)[0]) {}

  void write() {
    const bool has = has_operator(resolved_, n_);
    const std::string_view scale = parameter(n_.scale, 1);
    const bool biased = n_.bias != kNone || (n_.centered && !has);
    const std::string_view bias = biased ? parameter(n_.bias, 0) : std::string_view();
    for (const NodeId n : n_.nodes) draft_.remove(n);
    if (has) {
      one_operator(scale, bias);
    } else {
      known_form(scale, bias);
    }
  }

 private:
  const graph::Model& model() const { return resolved_.model(); }

  /// Adds a node; the name of its result, which is `result` if that is not empty.
  std::string_view add(std::string_view op, std::vector<std::string_view> inputs,
                       std::vector<onnx::Attribute> attributes = {}, std::string_view result = {}) {
    if (result.empty()) result = draft_.fresh(op);
    draft_.add(n_.root,
               {.op_type = op,
                .inputs = std::move(inputs),
                .outputs = {result},
                .attributes = std::move(attributes)},
               n_.nodes);
    return result;
  }

  /// A scale or bias of the shape of the last axes; `fill` if there is none.
  std::string_view parameter(ValueId v, float fill) {
    if (v == kNone) {
      std::vector<std::int64_t> sizes;
      std::size_t count = 1;
      for (const ops::Dim d : resolved_.type(n_.x).shape.span().last(n_.axes)) {
        sizes.push_back(d.value());
        count *= static_cast<std::size_t>(d.value());
      }
      return draft_.reals(sizes, std::vector<float>(count, fill));
    }
    if (std::cmp_equal(resolved_.type(v).shape.rank, n_.axes)) return draft_.name(v);
    constexpr std::int64_t kAll[] = {-1};
    return add("Reshape", {draft_.name(v), draft_.integers(kAll)});
  }

  void one_operator(std::string_view scale, std::string_view bias) {
    std::vector<std::string_view> inputs = {draft_.name(n_.x), scale};
    if (!bias.empty()) inputs.push_back(bias);
    add(n_.centered ? "LayerNormalization" : "RMSNormalization", std::move(inputs),
        {int_attribute("axis", -static_cast<std::int64_t>(n_.axes)),
         float_attribute("epsilon", n_.epsilon)},
        draft_.name(result_));
  }

  std::string_view mean(std::string_view of) {
    // Negative axes, and axes as an input, came later.
    const std::int64_t axis = resolved_.type(n_.x).shape.rank - 1;
    const onnx::Attribute keep = int_attribute("keepdims", 1);
    if (model().kind(n_.root).opset >= 18)
      return add("ReduceMean", {of, draft_.integers({&axis, 1})}, {keep});
    return add("ReduceMean", {of}, {ints_attribute("axes", {&axis, 1}), keep});
  }

  void known_form(std::string_view scale, std::string_view bias) {
    const std::string_view x = draft_.name(n_.x), result = draft_.name(result_);
    const std::string_view y = n_.centered ? add("Sub", {x, mean(x)}) : x;
    const std::string_view variance = mean(add("Pow", {y, draft_.scalar(2)}));
    const std::string_view root = add("Sqrt", {add("Add", {variance, draft_.scalar(n_.epsilon)})});
    const std::string_view quotient = add("Div", {y, root});
    const std::string_view scaled =
        add("Mul", {quotient, scale}, {}, bias.empty() ? result : std::string_view());
    if (!bias.empty()) add("Add", {scaled, bias}, {}, result);
  }

  const Resolved& resolved_;
  const Normalization& n_;
  Draft& draft_;
  ValueId result_;
};

void edit_normalization(const Resolved& resolved, const Site& site, Draft& draft) {
  const std::optional<Normalization> n = match_normalization(resolved, site.at);
  NormalizationWriter(resolved, *n, draft).write();
}

}  // namespace

std::span<const Rule> normalization_rules() {
  static const std::array<Rule, 2> kRules = {
      Rule{.name = "layer_normalization",
           .kind = "unfused_pattern",
           .what = "layer normalization is spelled out in a form that the runtime does not fuse",
           .how = "use the operator LayerNormalization; before version 17 of the operators, write "
                  "it with Sub, Pow, ReduceMean, Sqrt, Div, a scale and a bias",
           .places = [](const Resolved& resolved) { return find_normalizations(true, resolved); },
           .edit = edit_normalization},
      Rule{.name = "rms_normalization",
           .kind = "unfused_pattern",
           .what = "RMS normalization is spelled out in a form that the runtime does not fuse",
           .how = "use the operator RMSNormalization; before version 23 of the operators, write it "
                  "with Pow, ReduceMean, Sqrt, Div and a scale",
           .places = [](const Resolved& resolved) { return find_normalizations(false, resolved); },
           .edit = edit_normalization}};
  return kRules;
}

}  // namespace ridge::rewrite
