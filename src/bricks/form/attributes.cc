// SPDX-License-Identifier: Apache-2.0
#include "bricks/form/attributes.h"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <vector>

#include "base/hash/digest.h"
#include "ops/defaults.h"

namespace ridge::bricks {
namespace {

class Writer {
 public:
  explicit Writer(const Network& network) : n_(network) {}

  AttributeTexts attributes(const onnx::Node& node) {
    const std::string_view domain = onnx::normal_domain(node.domain);
    const auto sizes = [&](std::size_t input) {
      return input < node.inputs.size() ? sizes_of(type_of(n_, node.inputs[input]))
                                        : std::vector<std::int64_t>();
    };
    const std::vector<std::int64_t> input = sizes(0);
    const std::vector<std::int64_t> weight =
        sizes(ops::weight_input(node.op_type).value_or(node.inputs.size()));
    ops::NodeFacts facts{.domain = domain,
                         .op_type = node.op_type,
                         .opset = opset_of(n_, domain),
                         .attributes = node.attributes};
    if (!input.empty()) facts.input_dims = input;
    if (!weight.empty()) facts.weight_dims = weight;
    if (!node.inputs.empty())
      if (const ops::Type* type = type_of(n_, node.inputs[0])) facts.input_type = type->dtype;
    std::vector<const onnx::Attribute*> sorted;
    for (const onnx::Attribute& a : node.attributes)
      if (!ops::is_default(facts, a)) sorted.push_back(&a);
    std::ranges::sort(sorted, {}, &onnx::Attribute::name);
    AttributeTexts out;
    for (const onnx::Attribute* a : sorted) attribute(*a, out[std::string(a->name)]);
    return out;
  }

 private:
  /// Begins with a separator: a number may stand before it.
  static void put(std::string& text, std::string_view part) {
    text += ";" + std::to_string(part.size()) + ":";
    text += part;
  }
  static std::string bits(float f) { return std::to_string(std::bit_cast<std::uint32_t>(f)); }

  void attribute(const onnx::Attribute& a, std::string& text) {
    text += std::to_string(static_cast<int>(a.type)) + "=" + std::to_string(a.i) + "," + bits(a.f);
    put(text, a.s);
    for (const std::int64_t i : a.ints) text += "," + std::to_string(i);
    for (const float f : a.floats) text += ",f" + bits(f);
    for (const std::string_view s : a.strings) put(text, s);
    if (a.t != nullptr) tensor(*a.t, text);
    for (const onnx::Tensor& t : a.tensors) tensor(t, text);
    if (a.type_proto != nullptr) type(*a.type_proto, text);
    if (a.g != nullptr) graph(*a.g, text);
    for (const onnx::Graph& g : a.graphs) graph(g, text);
  }

  static void tensor(const onnx::Tensor& t, std::string& text) {
    text += "t" + std::to_string(static_cast<int>(t.type));
    for (const std::int64_t d : t.dims) text += "," + std::to_string(d);
    Digest digest;
    digest.add(std::string_view(reinterpret_cast<const char*>(t.bytes.data()), t.bytes.size()));
    for (const std::string_view s : t.strings) digest.add(s);
    digest.add(t.recipe.seed);
    text += "=" + digest.hex();
  }

  static void type(const onnx::TypeInfo& outer, std::string& text) {
    for (const onnx::TypeInfo* t = &outer; t != nullptr; t = t->element) {
      text += "y" + std::to_string(static_cast<int>(t->kind)) + "/" +
              std::to_string(static_cast<int>(t->elem_type));
      if (!t->has_shape) continue;
      for (const onnx::Dimension& d : t->shape) text += "," + std::to_string(d.value);
    }
  }

  std::string number(std::string_view name) {
    if (name.empty()) return "_";
    return "%" + std::to_string(number_.emplace(name, number_.size()).first->second);
  }

  void graph(const onnx::Graph& g, std::string& text) {
    text += "{";
    for (const onnx::ValueInfo& input : g.inputs) {
      text += number(input.name);
      type(input.type, text);
    }
    for (const onnx::Tensor& t : g.initializers) {
      text += number(t.name);
      tensor(t, text);
    }
    for (const onnx::Node& n : g.nodes) {
      put(text, n.domain);
      put(text, n.op_type);
      for (const std::string_view input : n.inputs) text += number(input);
      text += ">";
      for (const std::string_view output : n.outputs) text += number(output);
      const std::string_view domain = onnx::normal_domain(n.domain);
      put(text, std::to_string(ops::since_version(domain, n.op_type, opset_of(n_, domain))));
      for (const auto& [name, value] : attributes(n)) {
        put(text, name);
        put(text, value);
      }
    }
    text += "}";
    for (const onnx::ValueInfo& output : g.outputs) text += number(output.name);
  }

  const Network& n_;
  std::unordered_map<std::string_view, std::size_t> number_;
};

}  // namespace

AttributeTexts attribute_texts(const Network& network, const onnx::Node& node) {
  return Writer(network).attributes(node);
}

std::int32_t opset_of(const Network& network, std::string_view domain) {
  for (const onnx::OperatorSet& o : network.copy.document->model.opsets)
    if (onnx::normal_domain(o.domain) == domain) return static_cast<std::int32_t>(o.version);
  return 0;
}

const ops::Type* type_of(const Network& network, std::string_view tensor) {
  const auto v = network.value.find(tensor);
  return v == network.value.end() ? nullptr : &network.resolved.type(v->second);
}

std::vector<std::int64_t> sizes_of(const ops::Type* type) {
  std::vector<std::int64_t> out;
  if (type == nullptr || !type->shape.ranked()) return out;
  for (const ops::Dim& d : type->shape.span()) out.push_back(d.known() ? d.value() : -1);
  return out;
}

}  // namespace ridge::bricks
