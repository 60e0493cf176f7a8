#include "accelerator/lowering.h"

#include <algorithm>

#include "accelerator/products.h"
#include "analysis/fuser.h"
#include "analysis/node_bytes.h"
#include "base/checked.h"

namespace ridge::accelerator {
namespace {

using analysis::Resolved;
using graph::NodeId;
using graph::ValueId;

std::optional<std::int64_t> known(const ops::Dim& d) {
  return d.known() ? std::optional(d.value()) : std::nullopt;
}

/// Sum of the terms; nullopt if a term is nullopt or the sum exceeds 2^63 - 1.
std::optional<std::int64_t> sum(std::initializer_list<std::optional<std::int64_t>> terms) {
  std::optional<std::int64_t> out = 0;
  for (const auto& t : terms) out = out && t ? checked_add(*out, *t) : std::nullopt;
  return out;
}

/// Adds a rider's work to a layer's. In a layer with products the rider's writes are not counted:
/// they are the outputs of the products.
std::optional<VectorWork> together(const VectorWork& layer, const VectorWork& rider,
                                   bool products) {
  const auto read = checked_add(layer.read, rider.read);
  const auto written = checked_add(layer.written, products ? 0 : rider.written);
  const auto operations = checked_add(layer.operations, rider.operations);
  if (!read || !written || !operations) return std::nullopt;
  return VectorWork{*read, *written, *operations};
}

/// Collects the nodes of each layer and the data that crosses its boundary.
class Lowering {
 public:
  Lowering(const Resolved& r, const LoweringOptions& options)
      : r_(r),
        options_(options),
        fusion_(assume_fusion(r, options.fuse == analysis::Fuse::kNone
                                     ? analysis::Fuse::kNone
                                     : analysis::Fuse::kEpilogue)),
        bytes_(r, 0) {}

  Lowered run();

 private:
  bool has_macs(NodeId n) const { return !r_.counts(n).macs.is(0); }
  bool absent(NodeId n) const;
  /// True if `v` is produced and consumed within one layer.
  bool inside(ValueId v) const {
    const NodeId made = r_.model().value(v).producer;
    return fusion_.inside[v] && made != graph::kNone && !absent(made);
  }
  Layer layer(NodeId head, std::vector<NodeId> riders);
  void fill_products(Layer& layer) const;
  std::optional<VectorWork> work(NodeId n, bool products);
  std::optional<std::int64_t> elements(ValueId v, std::int64_t part, std::int64_t bytes) const;
  void count_params(Layer& layer, NodeId n) const;

  const Resolved& r_;
  const LoweringOptions& options_;
  const analysis::Fusion fusion_;
  analysis::NodeBytes bytes_;
};

/// True if the node does nothing at run time: constants determine its outputs, or it neither
/// computes nor moves data.
bool Lowering::absent(NodeId n) const {
  const analysis::NodeCounts& c = r_.counts(n);
  if (has_macs(n)) return false;
  const auto outputs = r_.model().node(n).outputs;
  const bool decided = std::all_of(outputs.begin(), outputs.end(), [&](ValueId v) {
    return v == graph::kNone || r_.constant(v) || r_.value(v) != nullptr;
  });
  if (decided) return true;
  return c.flops.is(0) && c.special.is(0) && c.int_ops.is(0) && c.bytes_read.is(0) &&
         c.bytes_written.is(0);
}

/// Number of elements in `part` of the `bytes` of a value.
std::optional<std::int64_t> Lowering::elements(ValueId v, std::int64_t part,
                                               std::int64_t bytes) const {
  std::int64_t all = 1;
  for (const ops::Dim& d : r_.type(v).shape.span()) {
    if (!d.known()) return std::nullopt;
    all = times({all, d.value()});
  }
  return analysis::proportion(part, all, bytes);
}

/// Work of one node of a layer: its operations, and the elements it reads from and writes to
/// outside the layer. For a node with products no elements: its operands and outputs are their
/// matrices.
std::optional<VectorWork> Lowering::work(NodeId n, bool products) {
  const analysis::NodeCounts& c = r_.counts(n);
  const auto repeat = known(r_.repeat(n));
  const auto operations = sum({known(c.flops), known(c.special), known(c.int_ops)});
  if (!operations || !repeat || !bytes_.known(n)) return std::nullopt;
  VectorWork out{.operations = *operations};
  if (products) return out;
  std::optional<std::int64_t> read = 0, written = 0;
  for (const analysis::NodeRead& at : bytes_.reads(n))
    if (!inside(at.value)) read = sum({read, elements(at.value, at.touched, at.size)});
  for (const analysis::NodeWrite& at : bytes_.writes(n))
    if (!inside(at.value)) written = sum({written, elements(at.value, at.bytes, at.size)});
  if (read) read = checked_mul(*read, *repeat);
  if (written) written = checked_mul(*written, *repeat);
  if (!read || !written) return std::nullopt;
  out.read = *read, out.written = *written;
  return out;
}

void Lowering::count_params(Layer& layer, NodeId n) const {
  layer.params += r_.counts(n).params;
  const auto inputs = r_.model().node(n).inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ValueId v = inputs[i];
    if (v == graph::kNone || !r_.weight(v) ||
        std::find(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(i), v) !=
            inputs.begin() + static_cast<std::ptrdiff_t>(i))
      continue;
    layer.param_bytes += analysis::value_bytes(r_, v).value_or(0);
  }
}

void Lowering::fill_products(Layer& layer) const {
  const ops::Dim macs = r_.counts(layer.node).macs;
  if (!macs.known()) {
    layer.reason = "its multiply-accumulates are not known";
    return;
  }
  layer.macs = macs.value();
  if (layer.macs == 0) return;
  Products made = products_of(r_, layer.node);
  layer.gemms = std::move(made.gemms);
  layer.reason = made.reason;
}

Layer Lowering::layer(NodeId head, std::vector<NodeId> riders) {
  const graph::Node node = r_.model().node(head);
  Layer out;
  out.name = node.name;
  out.node = head;
  out.op_type = node.op_type;
  fill_products(out);
  const bool products = has_macs(head);
  out.vector = work(head, products);
  count_params(out, head);
  for (const NodeId n : riders) {
    const auto more = work(n, false);
    count_params(out, n);
    out.vector = more && out.vector ? together(*out.vector, *more, products) : std::nullopt;
  }
  if (!out.vector && out.reason.empty()) out.reason = "its work is not known";
  out.riders = std::move(riders);
  return out;
}

Lowered Lowering::run() {
  const graph::Model& model = r_.model();
  // Indexed by the last node of each layer
  std::vector<std::vector<NodeId>> members(model.nodes().size());
  for (const graph::Graph& g : model.graphs())
    for (const NodeId n : g.order)
      if (!absent(n)) members[fusion_.runs_with[n]].push_back(n);
  Lowered out;
  for (NodeId n = 0; n < model.nodes().size(); ++n) {
    const std::vector<NodeId>& all = members[fusion_.runs_with[n]];
    if (all.empty() || all.front() != n) continue;
    if (options_.layers == Layers::kProducts && !has_macs(n)) continue;
    out.layers.push_back(layer(n, {all.begin() + 1, all.end()}));
    const Layer& made = out.layers.back();
    out.macs += made.macs;
    if (made.gemms.empty()) out.without_gemms += made.macs;
  }
  return out;
}

}  // namespace

Lowered lower(const Resolved& resolved, const LoweringOptions& options) {
  return Lowering(resolved, options).run();
}

}  // namespace ridge::accelerator
