// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>
#include <vector>

#include "base/hash/digest.h"
#include "graph/model.h"

namespace ridge::graph {
namespace {

/// Floating-point constants with up to this many elements may determine the computation (scales,
/// bounds, epsilons); larger ones are weights.
constexpr std::int64_t kSteeringElements = 8;

class StructureHasher {
 public:
  explicit StructureHasher(const Model& model) : model_(model), number_(model.values().size(), 0) {}

  std::string run() {
    for (const Graph& g : model_.graphs()) {
      hash_.add(g.owner == kNone ? std::uint64_t{0} : std::uint64_t{g.owner} + 1);
      hash_.add(g.inputs.size());
      for (const ValueId v : g.inputs) add_value(v);
      for (NodeId n = g.first; n != g.last; ++n) add_node(model_.node(n));
      hash_.add(g.outputs.size());
      for (const ValueId v : g.outputs) add_value(v);
    }
    return hash_.hex();
  }

 private:
  void add_node(const Node& n) {
    hash_.add(n.domain);
    hash_.add(n.op_type);
    hash_.add_int(n.opset);
    hash_.add(n.bodies.size());
    hash_.add(n.inputs.size());
    for (const ValueId v : n.inputs) add_value(v);
    hash_.add(n.outputs.size());
    for (const ValueId v : n.outputs) add_value(v);
    std::vector<const onnx::Attribute*> attributes;
    for (const onnx::Attribute& a : n.attributes) attributes.push_back(&a);
    std::sort(attributes.begin(), attributes.end(),
              [](const auto* a, const auto* b) { return a->name < b->name; });
    for (const onnx::Attribute* a : attributes) add_attribute(*a);
  }

  void add_value(ValueId v) {
    if (v == kNone) return hash_.add(std::uint64_t{0});
    const bool fresh = number_[v] == 0;
    if (fresh) number_[v] = ++numbered_;
    hash_.add(number_[v]);
    if (!fresh) return;
    const Value& value = model_.value(v);
    hash_.add(static_cast<std::uint64_t>(value.kind));
    if (value.kind == ValueKind::kInput && value.declared != nullptr) add_type(*value.declared);
    if (value.tensor != nullptr) add_tensor(*value.tensor);
    if (value.sparse != nullptr) add_sparse(*value.sparse);
  }

  void add_attribute(const onnx::Attribute& a) {
    hash_.add(a.name);
    hash_.add(static_cast<std::uint64_t>(a.type));
    hash_.add(std::bit_cast<std::uint32_t>(a.f));
    hash_.add_int(a.i);
    hash_.add(a.s);
    if (a.t != nullptr) add_tensor(*a.t);
    if (a.sparse != nullptr) add_sparse(*a.sparse);
    if (a.type_proto != nullptr) add_type(*a.type_proto);
    hash_.add(a.floats.size());
    for (const float f : a.floats) hash_.add(std::bit_cast<std::uint32_t>(f));
    hash_.add(a.ints.size());
    for (const std::int64_t i : a.ints) hash_.add_int(i);
    hash_.add(a.strings.size());
    for (const std::string_view s : a.strings) hash_.add(s);
    hash_.add(a.tensors.size());
    for (const onnx::Tensor& t : a.tensors) add_tensor(t);
  }

  void add_tensor(const onnx::Tensor& t) {
    hash_.add(static_cast<std::uint64_t>(t.type));
    hash_.add(t.dims.size());
    for (const std::int64_t d : t.dims) hash_.add_int(d);
    const onnx::DataTypeInfo* type = onnx::info(t.type);
    const bool steers = type != nullptr &&
                        (!(type->floating || type->quantized) || t.elements <= kSteeringElements);
    if (!steers) return;
    if (t.storage == onnx::Storage::kInline)
      hash_.add(std::string_view(reinterpret_cast<const char*>(t.bytes.data()), t.bytes.size()));
    if (t.storage == onnx::Storage::kSeeded && t.elements <= kSteeringElements) {
      std::array<float, kSteeringElements> made{};
      const auto elements = std::span(made).first(static_cast<std::size_t>(t.elements));
      fill(t.recipe, 0, elements);
      hash_.add(
          std::string_view(reinterpret_cast<const char*>(made.data()), elements.size_bytes()));
    }
  }

  void add_sparse(const onnx::SparseTensor& s) {
    for (const std::int64_t d : s.dims) hash_.add_int(d);
    if (s.values != nullptr) add_tensor(*s.values);
  }

  void add_type(const onnx::TypeInfo& outer) {
    for (const onnx::TypeInfo* t = &outer; t != nullptr; t = t->element) {
      hash_.add(static_cast<std::uint64_t>(t->kind));
      hash_.add(static_cast<std::uint64_t>(t->elem_type));
      hash_.add(t->has_shape ? t->shape.size() + 1 : 0);
      for (const onnx::Dimension& d : t->shape) {
        hash_.add_int(d.value);
        if (!d.param.empty()) hash_.add(symbols_.emplace(d.param, symbols_.size()).first->second);
      }
    }
  }

  const Model& model_;
  Digest hash_;
  std::vector<std::uint64_t> number_;  ///< by value: number by first appearance, 0 = not seen yet
  std::uint64_t numbered_ = 0;
  /// Dimension names, numbered by first appearance.
  std::unordered_map<std::string_view, std::uint64_t> symbols_;
};

}  // namespace

std::string structure_hash(const Model& model) { return StructureHasher(model).run(); }

}  // namespace ridge::graph
