// SPDX-License-Identifier: Apache-2.0
#include "bricks/form/node_view.h"

#include <cstring>

#include "onnx/half.h"

namespace ridge::bricks {
namespace {

template <typename T, typename Read>
std::vector<double> read_all(const Constant& c, const Read& read) {
  std::vector<double> out;
  for (std::size_t at = 0; at + sizeof(T) <= c.bytes.size(); at += sizeof(T)) {
    T element{};
    std::memcpy(&element, &c.bytes[at], sizeof element);
    out.push_back(static_cast<double>(read(element)));
  }
  return out;
}

template <typename T>
std::vector<double> read_all(const Constant& c) {
  return read_all<T>(c, [](T element) { return element; });
}

}  // namespace

std::string list(const Ints& values) {
  std::string out;
  for (const std::int64_t v : values) out += (out.empty() ? "" : ",") + std::to_string(v);
  return out;
}

std::optional<std::vector<double>> elements_of(const Constant& c) {
  switch (c.type) {
    case onnx::DataType::kFloat:
      return read_all<float>(c);
    case onnx::DataType::kDouble:
      return read_all<double>(c);
    case onnx::DataType::kFloat16:
      return read_all<std::uint16_t>(c, onnx::float_of_float16);
    case onnx::DataType::kBfloat16:
      return read_all<std::uint16_t>(c, onnx::float_of_bfloat16);
    case onnx::DataType::kInt64:
      return read_all<std::int64_t>(c);
    case onnx::DataType::kInt32:
      return read_all<std::int32_t>(c);
    case onnx::DataType::kInt16:
      return read_all<std::int16_t>(c);
    case onnx::DataType::kUint16:
      return read_all<std::uint16_t>(c);
    case onnx::DataType::kInt8:
      return read_all<std::int8_t>(c);
    case onnx::DataType::kUint8:
    case onnx::DataType::kBool:
      return read_all<std::uint8_t>(c);
    default:
      return std::nullopt;
  }
}

NodeView::NodeView(const Network& network, const onnx::Node& node, const Constants& constants)
    : n_(network),
      node_(node),
      constants_(constants),
      opset_(opset_of(network, onnx::normal_domain(node.domain))),
      texts_(attribute_texts(network, node)) {}

Ints NodeView::in(std::size_t input) const {
  return has(input) ? sizes_of(type_of(n_, node_.inputs[input])) : Ints();
}

Ints NodeView::out(std::size_t output) const {
  const bool given = output < node_.outputs.size() && !node_.outputs[output].empty();
  return given ? sizes_of(type_of(n_, node_.outputs[output])) : Ints();
}

bool NodeView::has(std::size_t input) const {
  return input < node_.inputs.size() && !node_.inputs[input].empty();
}

const onnx::Attribute* NodeView::attribute(std::string_view name) const {
  for (const onnx::Attribute& a : node_.attributes)
    if (a.name == name) return &a;
  return nullptr;
}

std::int64_t NodeView::number(std::string_view name, std::int64_t otherwise) const {
  const onnx::Attribute* a = attribute(name);
  return a == nullptr ? otherwise : a->i;
}

Ints NodeView::numbers(std::string_view name, std::size_t count, std::int64_t otherwise) const {
  const onnx::Attribute* a = attribute(name);
  return a == nullptr ? Ints(count, otherwise) : Ints(a->ints.begin(), a->ints.end());
}

const Constant* NodeView::constant(std::size_t input) const {
  if (!has(input)) return nullptr;
  const auto found = constants_.find(origin(n_, node_.inputs[input]));
  return found == constants_.end() || found->second.weight ? nullptr : &found->second;
}

std::optional<std::vector<double>> NodeView::reals(std::size_t input) const {
  const Constant* c = constant(input);
  return c == nullptr ? std::nullopt : elements_of(*c);
}

std::optional<Ints> NodeView::ints(std::size_t input) const {
  const Constant* c = constant(input);
  if (c == nullptr) return std::nullopt;
  const auto read = [&]<typename T>(T) {
    Ints out;
    for (std::size_t at = 0; at + sizeof(T) <= c->bytes.size(); at += sizeof(T)) {
      T element{};
      std::memcpy(&element, &c->bytes[at], sizeof element);
      out.push_back(element);
    }
    return out;
  };
  if (c->type == onnx::DataType::kInt64) return read(std::int64_t{});
  if (c->type == onnx::DataType::kInt32) return read(std::int32_t{});
  return std::nullopt;
}

void NodeView::drop(std::string_view name) {
  if (const auto at = texts_.find(name); at != texts_.end()) texts_.erase(at);
}

void NodeView::take_constant(std::size_t input) {
  if (constant(input) != nullptr) take(input);
}

}  // namespace ridge::bricks
