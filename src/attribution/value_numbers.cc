// SPDX-License-Identifier: Apache-2.0
#include "attribution/value_numbers.h"

#include <bit>
#include <string_view>

#include "base/hash/hash.h"

namespace ridge::attribution {
namespace {

/// Incremental 64-bit hash (the finalizer of MurmurHash3 after each item).
class Hash {
 public:
  explicit Hash(std::uint64_t kind) { add(kind); }
  Hash& add(std::uint64_t x) {
    // As Boost's hash_combine, whose constant is 2^64 over the golden ratio, then MurmurHash3's
    // fmix64. Both count on unsigned arithmetic that wraps.
    h_ ^= x + 0x9e3779b97f4a7c15ULL + (h_ << 6) + (h_ >> 2);
    h_ = (h_ ^ h_ >> 33) * 0xff51afd7ed558ccdULL;
    h_ = (h_ ^ h_ >> 33) * 0xc4ceb9fe1a85ec53ULL;
    h_ ^= h_ >> 33;
    return *this;
  }
  Hash& add(std::string_view text) { return add(hash_name(text, 0)); }
  Hash& add_real(double x) { return add(std::bit_cast<std::uint64_t>(x)); }
  Hash& add(std::span<const std::byte> bytes) {
    return add(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  template <typename T>
  Hash& add_all(std::span<const T> items) {
    for (const T& x : items) {
      if constexpr (std::is_floating_point_v<T>)
        add_real(static_cast<double>(x));
      else if constexpr (std::is_integral_v<T>)
        add(static_cast<std::uint64_t>(x));
      else
        add(x);
    }
    return add(items.size());
  }
  std::uint64_t value() const { return h_; }

 private:
  std::uint64_t h_ = 0x243f6a8885a308d3ULL;
};

enum Kind : std::uint64_t { kSelf = 1, kFolded, kTensor, kOutput };

void add_tensor(Hash& h, const onnx::Tensor& t) {
  h.add(static_cast<std::uint64_t>(t.type)).add_all(std::span<const std::int64_t>(t.dims));
  h.add(static_cast<std::uint64_t>(t.storage));
  switch (t.storage) {
    case onnx::Storage::kNone:
      break;
    case onnx::Storage::kInline:
      h.add(t.bytes);
      break;
    case onnx::Storage::kFile:
      h.add(t.location)
          .add(static_cast<std::uint64_t>(t.offset))
          .add(static_cast<std::uint64_t>(t.length));
      break;
    case onnx::Storage::kStrings:
      h.add_all(std::span<const std::string_view>(t.strings));
      break;
    case onnx::Storage::kSeeded:
      h.add(t.recipe.seed)
          .add_real(static_cast<double>(t.recipe.mean))
          .add_real(static_cast<double>(t.recipe.scale));
      break;
  }
}

void add_attribute(Hash& h, const onnx::Attribute& a) {
  h.add(a.name).add(static_cast<std::uint64_t>(a.type)).add_real(static_cast<double>(a.f));
  h.add(static_cast<std::uint64_t>(a.i)).add(a.s);
  h.add_all(a.floats).add_all(a.ints).add_all(a.strings);
  if (a.t != nullptr) add_tensor(h, *a.t);
  for (const onnx::Tensor& t : a.tensors) add_tensor(h, t);
}

/// True for nodes that are equal to no other one.
bool unique(const graph::Node& node) {
  return !node.bodies.empty() || node.op_type.starts_with("Random") ||
         node.op_type == "Bernoulli" || node.op_type == "Multinomial" || node.op_type == "Dropout";
}

}  // namespace

// Example: a = MatMul(x, w), b = MatMul(x, w), c = MatMul(x, v), d = Identity(a). a and b have
// equal numbers, since operator, attributes and the numbers of the inputs are equal; c differs
// because v is another weight; d gets the number of a.
ValueNumbers::ValueNumbers(const Original& original) : original_(original) {
  const graph::Model& model = original.model();
  number_.resize(model.values().size());
  for (ValueId v = 0; v < number_.size(); ++v) number_[v] = of_constant(v);
  for (const NodeId n : original.order()) {
    if (original.expansion().expanded(n)) continue;
    const std::uint64_t whole = of_node(n);
    const std::span<const ValueId> outputs = original.node(n).outputs;
    for (std::size_t j = 0; j < outputs.size(); ++j) {
      const ValueId v = outputs[j];
      if (v == kNone || original.known(v) != nullptr) continue;
      number_[v] = hands_on(n) ? whole : Hash(kOutput).add(whole).add(j).value();
    }
  }
  for (ValueId v = 0; v < number_.size(); ++v)
    if (const ValueId o = original.origin(v); o != kNone) number_[v] = number_[o];
}

/// Returns the number of a value that no node has numbered yet: by content if its elements are
/// known, else by the tensor of the file, else unique.
std::uint64_t ValueNumbers::of_constant(ValueId v) const {
  const ops::Value* known = original_.known(v);
  if (known != nullptr) {
    Hash h(kFolded);
    h.add(static_cast<std::uint64_t>(known->dtype));
    for (const ops::Dim d : known->shape.span())
      h.add(static_cast<std::uint64_t>(d.known() ? d.value() : -1));
    bool complete = true;
    for (const ops::Dim d : known->ints) {
      complete = complete && d.known();
      if (d.known()) h.add(static_cast<std::uint64_t>(d.value()));
    }
    h.add_all(known->reals);
    if (complete) return h.value();
  }
  const graph::Value& value = original_.model().value(v);
  if (value.kind != graph::ValueKind::kConstant || value.tensor == nullptr)
    return Hash(kSelf).add(v).value();
  Hash h(kTensor);
  add_tensor(h, *value.tensor);
  return h.value();
}

/// True for a neutral node that also preserves the shape.
bool ValueNumbers::hands_on(NodeId n) const {
  return original_.neutral(n) && original_.op(n) != "Transpose";
}

std::uint64_t ValueNumbers::of_node(NodeId n) const {
  const graph::Node& node = original_.node(n);
  const auto input = [&](ValueId v) -> std::uint64_t {
    const ValueId o = original_.origin(v);
    return o == kNone ? 0 : number_[o];
  };
  if (hands_on(n)) return input(original_.handed_on(n));
  Hash h(kOutput);
  if (unique(node) || original_.seeded(n)) return h.add(n).value();
  h.add(node.domain).add(node.op_type);
  for (const onnx::Attribute& a : node.attributes) add_attribute(h, a);
  for (const ValueId v : node.inputs) h.add(input(v));
  return h.value();
}

}  // namespace ridge::attribution
