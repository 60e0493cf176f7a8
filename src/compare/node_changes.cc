// SPDX-License-Identifier: Apache-2.0
#include "compare/node_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "analysis/signature.h"

namespace ridge::compare {
namespace {

using analysis::KeyMixer;
using analysis::Resolved;
using graph::kNone;
using graph::ValueId;

/// Maximum number of elements printed; longer lists are abbreviated, but compared in full.
constexpr std::size_t kShownChanges = 8;
constexpr std::size_t kSmallBytes = 512;

struct OnLayerDone {
  std::string text;  ///< empty: nothing to print
  std::uint64_t key = 0;

  bool operator==(const OnLayerDone&) const = default;
};

template <typename List, typename Text>
OnLayerDone list_text(const List& list, const Text& text) {
  KeyMixer key;
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string item = text(list[i]);
    key.add(item);
    if (i < kShownChanges) out += (i == 0 ? "" : ", ") + item;
  }
  return {list.size() > kShownChanges ? fmt::format("[{}, … {} in all]", out, list.size())
                                      : fmt::format("[{}]", out),
          key.key()};
}

std::string plain_text(const auto& x) { return fmt::format("{}", x); }

OnLayerDone tensor_text(const onnx::Tensor& t) {
  OnLayerDone told = list_text(t.dims, plain_text<std::int64_t>);
  told.text = fmt::format("{} {}", onnx::name(t.type), told.text);
  if (t.storage == onnx::Storage::kInline && t.bytes.size() <= kSmallBytes)
    told.key = KeyMixer()
                   .add(told.key)
                   .add({reinterpret_cast<const char*>(t.bytes.data()), t.bytes.size()})
                   .key();
  return told;
}

OnLayerDone attribute_text(const onnx::Attribute& a) {
  using onnx::AttributeType;
  switch (a.type) {
    case AttributeType::kInt:
      return {fmt::format("{}", a.i)};
    case AttributeType::kFloat:
      return {fmt::format("{}", a.f)};
    case AttributeType::kString:
      return {fmt::format("\"{}\"", a.s)};
    case AttributeType::kInts:
      return list_text(a.ints, plain_text<std::int64_t>);
    case AttributeType::kFloats:
      return list_text(a.floats, plain_text<float>);
    case AttributeType::kStrings:
      return list_text(a.strings, plain_text<std::string_view>);
    case AttributeType::kTensor:
      return a.t == nullptr ? OnLayerDone{"tensor"} : tensor_text(*a.t);
    default:
      return {"graph"};  // the nodes inside are compared individually
  }
}

OnLayerDone type_text(const Resolved& r, ValueId v) {
  if (v == kNone) return {"none"};
  const ops::Type& type = r.type(v);
  if (!type.shape.ranked())
    return {type.dtype == onnx::DataType::kUndefined
                ? "unknown"
                : fmt::format("{} of unknown rank", onnx::name(type.dtype))};
  OnLayerDone told = list_text(type.shape.span(), [&](ops::Dim d) { return r.dims().text(d); });
  told.text = fmt::format("{} {}", onnx::name(type.dtype), told.text);
  return told;
}

/// Formats the elements of a small constant that is not a weight; empty for other values.
OnLayerDone constant_text(const Resolved& r, ValueId v) {
  if (v == kNone || !r.constant(v) || r.weight(v) || r.value(v) == nullptr) return {};
  const ops::Value& value = *r.value(v);
  return value.reals.empty() ? list_text(value.ints, [&](ops::Dim d) { return r.dims().text(d); })
                             : list_text(value.reals, plain_text<double>);
}

class NodeComparison {
 public:
  void compare(std::string_view what, const OnLayerDone& a, const OnLayerDone& b) {
    if (a == b) return;
    const auto shown = [](const OnLayerDone& t) { return t.text.empty() ? "none" : t.text; };
    out_.push_back(
        fmt::format("{} {} -> {}", what, shown(a), a.text == b.text ? "other elements" : shown(b)));
  }
  std::vector<std::string> take() { return std::move(out_); }

 private:
  std::vector<std::string> out_;
};

ValueId value_at(std::span<const ValueId> values, std::size_t i) {
  return i < values.size() ? values[i] : kNone;
}

}  // namespace

std::vector<std::string> changes(const Resolved& a, graph::NodeId in_a, const Resolved& b,
                                 graph::NodeId in_b) {
  NodeComparison out;
  const graph::Node &from = a.model().node(in_a), &to = b.model().node(in_b);
  std::map<std::string_view, std::pair<OnLayerDone, OnLayerDone>> attributes;
  for (const onnx::Attribute& x : from.attributes) attributes[x.name].first = attribute_text(x);
  for (const onnx::Attribute& x : to.attributes) attributes[x.name].second = attribute_text(x);
  for (const auto& [name, texts] : attributes) out.compare(name, texts.first, texts.second);
  for (std::size_t i = 0; i < std::max(from.inputs.size(), to.inputs.size()); ++i) {
    const ValueId v = value_at(from.inputs, i), w = value_at(to.inputs, i);
    const std::string what = fmt::format("input {}", i);
    const OnLayerDone was = constant_text(a, v), is = constant_text(b, w);
    if (was.text.empty() || is.text.empty())
      out.compare(what, type_text(a, v), type_text(b, w));
    else
      out.compare(what, was, is);
  }
  for (std::size_t i = 0; i < std::max(from.outputs.size(), to.outputs.size()); ++i)
    out.compare(fmt::format("output {}", i), type_text(a, value_at(from.outputs, i)),
                type_text(b, value_at(to.outputs, i)));
  return out.take();
}

}  // namespace ridge::compare
