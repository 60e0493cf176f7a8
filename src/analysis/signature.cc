// SPDX-License-Identifier: Apache-2.0
#include "analysis/signature.h"

#include <bit>

#include "base/hash/hash.h"

namespace ridge::analysis {
namespace {

using graph::kNone;
using graph::NodeId;
using graph::ValueId;

/// Maximum size of attribute tensors whose elements are part of the key: small ones parameterize
/// the computation.
constexpr std::size_t kSteeringBytes = 512;

class Signer {
 public:
  explicit Signer(const Resolved& r) : r_(r), model_(r.model()) {
    for (const graph::NodeKind& kind : model_.kinds())
      kinds_.push_back(KeyMixer().add(kind.domain).add(kind.op_type).key());
  }

  std::vector<std::uint64_t> run(Likeness likeness) {
    std::vector<std::uint64_t> keys(model_.nodes().size());
    for (NodeId n = 0; n < keys.size(); ++n) keys[n] = own(n, likeness);
    if (likeness == Likeness::kSurroundings) return neighbors(neighbors(keys));
    return likeness == Likeness::kWeightsAndNeighbors ? neighbors(keys) : keys;
  }

 private:
  std::uint64_t own(NodeId n, Likeness likeness) {
    const graph::Node& node = model_.node(n);
    KeyMixer mix;
    mix.add(kinds_[node.kind]);
    for (NodeId around = node.parent; around != kNone; around = model_.node(around).parent)
      mix.add(model_.kind(around).op_type);
    if (likeness == Likeness::kName) mix.add(node.name);
    if (likeness == Likeness::kModule) mix.add(model_.modules()[node.module].path);
    if (likeness >= Likeness::kName) return mix.key();
    add_attributes(mix, node);
    const bool whole = likeness <= Likeness::kWhole;
    for (const ValueId v : node.inputs) add_input(mix, v, whole);
    mix.add(node.outputs.size());
    for (const ValueId v : node.outputs)
      if (v != kNone && whole) add_type(mix, v);
    return mix.key();
  }

  /// Attributes in any order: each is hashed separately and the hashes are summed.
  void add_attributes(KeyMixer& mix, const graph::Node& node) {
    std::uint64_t sum = 0;
    for (const onnx::Attribute& a : node.attributes) {
      KeyMixer one;
      one.add(a.name).add(static_cast<std::uint64_t>(a.type));
      one.add(static_cast<std::uint64_t>(a.i)).add(std::bit_cast<std::uint32_t>(a.f)).add(a.s);
      for (const std::int64_t i : a.ints) one.add(static_cast<std::uint64_t>(i));
      for (const float f : a.floats) one.add(std::bit_cast<std::uint32_t>(f));
      for (const std::string_view s : a.strings) one.add(s);
      if (a.t != nullptr) add_tensor(one, *a.t);
      sum += one.key();
    }
    mix.add(sum);
  }

  static void add_tensor(KeyMixer& mix, const onnx::Tensor& t) {
    mix.add(static_cast<std::uint64_t>(t.type));
    for (const std::int64_t d : t.dims) mix.add(static_cast<std::uint64_t>(d));
    if (t.storage == onnx::Storage::kInline && t.bytes.size() <= kSteeringBytes)
      mix.add(std::string_view(reinterpret_cast<const char*>(t.bytes.data()), t.bytes.size()));
  }

  void add_input(KeyMixer& mix, ValueId v, bool whole) {
    if (v == kNone) {
      mix.add(std::uint64_t{0});
      return;
    }
    mix.add(std::uint64_t{r_.constant(v) ? 2U : 1U});
    if (whole || r_.weight(v)) add_type(mix, v);
    // Includes the elements of constants small enough to be folded: shapes, axes, scales.
    const ops::Value* value = r_.constant(v) && !r_.weight(v) ? r_.value(v) : nullptr;
    if (value == nullptr) return;
    for (const ops::Dim& d : value->ints) add_dim(mix, d);
    for (const double real : value->reals) mix.add(std::bit_cast<std::uint64_t>(real));
  }

  void add_type(KeyMixer& mix, ValueId v) {
    const ops::Type& type = r_.type(v);
    mix.add(static_cast<std::uint64_t>(type.dtype)).add(static_cast<std::uint64_t>(type.container));
    mix.add(static_cast<std::uint64_t>(type.shape.rank));
    for (const ops::Dim& d : type.shape.span()) add_dim(mix, d);
  }

  /// Dimension expressions are numbered differently in every model, so their text is used.
  void add_dim(KeyMixer& mix, ops::Dim d) {
    if (d.known())
      mix.add(static_cast<std::uint64_t>(d.value()));
    else
      mix.add(r_.dims().text(d));
  }

  /// Combines each key with the keys of its producers, in input order, and of its readers, in any
  /// order.
  std::vector<std::uint64_t> neighbors(const std::vector<std::uint64_t>& keys) const {
    std::vector<std::uint64_t> out(keys.size());
    for (NodeId n = 0; n < keys.size(); ++n) {
      KeyMixer mix;
      mix.add(keys[n]);
      for (const ValueId v : model_.inputs(n)) {
        const NodeId maker = v == kNone ? kNone : model_.value(v).producer;
        mix.add(maker == kNone ? 0 : keys[maker] + model_.value(v).output_index);
      }
      std::uint64_t readers = 0;
      for (const ValueId v : model_.outputs(n)) {
        if (v == kNone) continue;
        if (model_.value(v).graph_output) readers += 1;
        for (const NodeId reader : model_.consumers(v))
          readers += KeyMixer().add(keys[reader]).key();
      }
      out[n] = mix.add(readers).key();
    }
    return out;
  }

  const Resolved& r_;
  const graph::Model& model_;
  std::vector<std::uint64_t> kinds_;  // by KindId: key of the operator's domain and type
};

}  // namespace

KeyMixer& KeyMixer::add(std::uint64_t word) {
  state_ = std::rotl(state_ ^ (word * 0x9e3779b185ebca87ULL), 31) * 0xc2b2ae3d27d4eb4fULL +
           0x165667b19e3779f9ULL;
  return *this;
}

KeyMixer& KeyMixer::add(std::string_view text) { return add(hash_name(text, 0)); }

std::vector<std::uint64_t> signatures(const Resolved& resolved, Likeness likeness) {
  return Signer(resolved).run(likeness);
}

}  // namespace ridge::analysis
