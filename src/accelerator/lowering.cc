// SPDX-License-Identifier: Apache-2.0
#include "accelerator/lowering.h"

#include <algorithm>
#include <map>

#include "accelerator/products.h"
#include "analysis/node_bytes.h"
#include "analysis/traffic/fuser.h"
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

/// Adds a member's work to a layer's. In a layer with products the riders' writes are not counted:
/// they are the outputs of the products.
std::optional<VectorWork> together(const VectorWork& layer, const VectorWork& rider,
                                   bool products) {
  const auto written = checked_add(layer.written, products ? 0 : rider.written);
  const auto operations = checked_add(layer.operations, rider.operations);
  if (!written || !operations) return std::nullopt;
  return VectorWork{0, *written, *operations};
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
        moves_(r, fusion_),
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
  Layer layer(std::vector<NodeId> members);
  void fill_products(Layer& layer) const;
  void share_operands(Layer& layer) const;
  std::optional<VectorWork> work(NodeId n, bool products);
  std::optional<std::int64_t> inputs_of(const std::vector<NodeId>& members, NodeId except);
  std::optional<VectorWork> moved(NodeId n) const;
  std::optional<std::int64_t> elements(ValueId v, std::int64_t part, std::int64_t bytes) const;
  void count_params(Layer& layer, NodeId n) const;

  const Resolved& r_;
  const LoweringOptions& options_;
  const analysis::Fusion fusion_;
  const Moves moves_;
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

/// Work of one node of a layer: its operations, and the elements that it writes to outside the
/// layer. For a node with products no elements: its outputs are their matrices.
std::optional<VectorWork> Lowering::work(NodeId n, bool products) {
  const analysis::NodeCounts& c = r_.counts(n);
  const auto repeat = known(r_.repeat(n));
  const auto operations = sum({known(c.flops), known(c.special), known(c.int_ops)});
  if (!operations || !repeat || !bytes_.known(n)) return std::nullopt;
  VectorWork out{.operations = *operations};
  if (products) return out;
  std::optional<std::int64_t> written = 0;
  for (const analysis::NodeWrite& at : bytes_.writes(n))
    if (!inside(at.value)) written = sum({written, elements(at.value, at.bytes, at.size)});
  if (written) written = checked_mul(*written, *repeat);
  if (!written) return std::nullopt;
  out.written = *written;
  return out;
}

/// Elements that the members read from outside the layer, each tensor once. Not the elements of
/// `except`, a node with products: its operands are their matrices.
std::optional<std::int64_t> Lowering::inputs_of(const std::vector<NodeId>& members, NodeId except) {
  std::map<ValueId, std::int64_t> most;  // by home: what a member reads of it
  for (const NodeId n : members) {
    if (n == except) continue;
    const auto repeat = known(r_.repeat(n));
    if (!repeat) return std::nullopt;
    for (const analysis::NodeRead& at : bytes_.reads(n)) {
      if (inside(at.value)) continue;
      const auto behind = moves_.behind(at.value);
      auto read = elements(at.value, at.touched, at.size);
      if (read && behind) read = std::min(*read, *behind);
      const auto all = read ? checked_mul(*read, *repeat) : std::nullopt;
      if (!all) return std::nullopt;
      std::int64_t& of = most[moves_.storage().home(at.value)];
      of = std::max(of, *all);
    }
  }
  std::optional<std::int64_t> out = 0;
  for (const auto& [home, read] : most) out = sum({out, read});
  return out;
}

/// Work of a node that moves data without copying all of it.
std::optional<VectorWork> Lowering::moved(NodeId n) const {
  const NodeMove& move = moves_.of(n);
  const auto repeat = known(r_.repeat(n));
  if (!repeat) return std::nullopt;
  const auto read = checked_mul(move.read, *repeat), written = checked_mul(move.written, *repeat);
  if (!read || !written) return std::nullopt;
  return VectorWork{.read = *read, .written = *written};
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
  if (layer.op_type == "MatMul" && layer.gemms.size() == 1) share_operands(layer);
}

/// Makes one product of those that read the same matrix because their operand is broadcast: heads
/// that share keys. The rows (of a shared filter) or columns (of a shared ifmap) stand side by
/// side. Example: 9 products of 1 x T x 64 with 3 matrices of keys become 3 products of 3 x T x 64.
void Lowering::share_operands(Layer& layer) const {
  const auto inputs = r_.model().node(layer.node).inputs;
  Gemm& g = layer.gemms[0];
  const std::int64_t filters = moves_.copies_of_matrix(inputs[1], g.k * g.n);
  const std::int64_t ifmaps = moves_.copies_of_matrix(inputs[0], g.m * g.k);
  if (filters > 1 && ifmaps == 1 && g.count % filters == 0)
    g = matrix_product(g.m * filters, g.n, g.k, g.count / filters);
  else if (ifmaps > 1 && filters == 1 && g.count % ifmaps == 0)
    g = matrix_product(g.m, g.n * ifmaps, g.k, g.count / ifmaps);
}

Layer Lowering::layer(std::vector<NodeId> members) {
  // Element-wise nodes that only the products' riders read may come before the products.
  const auto made =
      std::find_if(members.begin(), members.end(), [this](NodeId n) { return has_macs(n); });
  const bool products = made != members.end();
  const NodeId head = products ? *made : members.front();
  const graph::Node node = r_.model().node(head);
  Layer out;
  out.name = node.name;
  out.node = head;
  out.op_type = node.op_type;
  fill_products(out);
  out.vector.emplace();
  for (const NodeId n : members) {
    const auto more = work(n, n == head && products);
    count_params(out, n);
    out.vector = more && out.vector ? together(*out.vector, *more, products) : std::nullopt;
  }
  const auto read = inputs_of(members, products ? head : graph::kNone);
  if (out.vector && read)
    out.vector->read = *read;
  else
    out.vector.reset();
  if (members.size() == 1 && out.vector) out.move = moves_.of(head).kind;
  if (out.move != Move::kNone) out.move_reason = moves_.of(head).reason;
  if (out.move != Move::kNone && out.move != Move::kCopy) out.vector = moved(head);
  if (!out.vector && out.reason.empty()) out.reason = "its work is not known";
  std::erase(members, head);
  out.riders = std::move(members);
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
    const bool products =
        std::any_of(all.begin(), all.end(), [this](NodeId member) { return has_macs(member); });
    if (options_.layers == Layers::kProducts && !products) continue;
    out.layers.push_back(layer(all));
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
