// SPDX-License-Identifier: Apache-2.0
// The rule for products whose channels are scaled and shifted afterwards: W' = scale * W and b' =
// scale * b + shift, as in Jacob et al. 2018 (arXiv:1712.05877, section 3.2).
#include <algorithm>
#include <array>

#include "rewrite/channel_scale.h"
#include "rewrite/constant_values.h"
#include "rewrite/nodes.h"
#include "rewrite/rule.h"

namespace ridge::rewrite {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;

std::vector<Site> find_channels(const Resolved& resolved) {
  std::vector<Site> sites;
  for (const NodeId n : resolved.model().main().order)
    if (const std::optional<ScaledProduct> p = match_scaled_product(resolved, n))
      sites.push_back({p->nodes, kNone, p->last});
  return sites;
}

/// Multiplies weights by the scale of the channel that they compute: axis 0 of a Conv [out, in /
/// groups, ...]; axis 1, within a group, of a ConvTranspose [in, out / groups, ...]; a column of a
/// Gemm [in, out], or a row if it is transposed.
void scale_weights(const graph::Node& product, const onnx::Tensor& tensor,
                   std::span<const double> scale, std::vector<float>& weights) {
  const auto size = [&](std::size_t axis) { return static_cast<std::size_t>(tensor.dims[axis]); };
  const auto groups = static_cast<std::size_t>(integer(product, "group", 1));
  const bool transposed = product.op_type == "ConvTranspose";
  const bool columns = product.op_type == "Gemm" && integer(product, "transB", 0) == 0;
  std::size_t inner = 1;  // elements of one channel that follow each other
  for (std::size_t i = transposed ? 2 : 1; i < tensor.dims.size() && !columns; ++i)
    inner *= size(i);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::size_t row = i / inner;
    std::size_t channel = columns ? i % size(1) : row;
    if (transposed) {
      const std::size_t group = row / size(1) / (size(0) / groups);
      channel = group * size(1) + row % size(1);
    }
    weights[i] = static_cast<float>(weights[i] * scale[channel]);
  }
}

/// Leaves the model as it is if the file with the weights cannot be read.
void edit_channels(const Resolved& resolved, const Site& site, Draft& draft) {
  const graph::Model& model = resolved.model();
  const auto at = std::ranges::find_if(site.nodes, [&](NodeId n) {
    const std::string_view op = model.kind(n).op_type;
    return op == "Conv" || op == "ConvTranspose" || op == "Gemm";
  });
  const std::optional<ScaledProduct> p = match_scaled_product(resolved, *at);
  const graph::Node product = model.node(p->product);
  const onnx::Tensor& tensor = *tensor_of(model, product.inputs[1]);
  std::optional<std::vector<float>> weights = weights_of(model, tensor);
  if (!weights) return;
  scale_weights(product, tensor, p->by.scale, *weights);
  const onnx::Attribute* beta = graph::attribute(product, "beta");
  std::vector<float> bias(p->channels);
  for (std::size_t c = 0; c < p->channels; ++c) {
    const double before = p->bias.empty() ? 0 : p->bias[c] * (beta == nullptr ? 1 : beta->f);
    bias[c] = static_cast<float>(before * p->by.scale[c] + p->by.shift[c]);
  }
  const auto channels = static_cast<std::int64_t>(p->channels);
  Draft::NewNode node{.op_type = product.op_type,
                      .inputs = {draft.name(product.inputs[0]), draft.reals(tensor.dims, *weights),
                                 draft.reals({&channels, 1}, bias)},
                      .outputs = {draft.name(model.outputs(p->last)[0])}};
  for (const onnx::Attribute& a : product.attributes)
    if (a.name != "beta") node.attributes.push_back(a);
  for (const NodeId n : p->nodes) draft.remove(n);
  draft.add(p->last, node, p->nodes);
}

}  // namespace

std::span<const Rule> channel_rules() {
  static const std::array<Rule, 1> kRules = {
      Rule{.name = "batch_normalization",
           .kind = "unfused_pattern",
           .what = "channels are scaled and shifted after a convolution or matrix product whose "
                   "weights could include it",
           .how = "fold batch normalization, scales and shifts into the weights and the bias",
           .places = find_channels,
           .edit = edit_channels}};
  return kRules;
}

}  // namespace ridge::rewrite
