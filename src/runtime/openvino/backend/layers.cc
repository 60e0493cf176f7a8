// SPDX-License-Identifier: Apache-2.0
#include "runtime/openvino/backend/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <openvino/op/constant.hpp>
#include <openvino/op/parameter.hpp>
#include <openvino/op/result.hpp>

#include "runtime/openvino/backend/element_types.h"

namespace ridge::openvino {
namespace {

std::vector<std::string> tensor_names(const ov::Node& op) {
  std::vector<std::string> names;
  for (const auto& output : op.outputs())
    names.insert(names.end(), output.get_names().begin(), output.get_names().end());
  std::ranges::sort(names);
  return names;
}

/// True for sources and results, which are not operations of the model.
bool is_port(const ov::Node& op) {
  return ov::is_type<ov::op::v0::Parameter>(&op) || ov::is_type<ov::op::v0::Constant>(&op) ||
         ov::is_type<ov::op::v0::Result>(&op);
}

/// Names, prefixed with '~', of the first named tensors downstream of an unnamed operation.
std::vector<std::string> leads_to(const ov::Node& op) {
  std::vector<std::string> found;
  std::unordered_set<const ov::Node*> seen{&op};
  std::deque<const ov::Node*> pending{&op};
  while (!pending.empty()) {
    const ov::Node* at = pending.front();
    pending.pop_front();
    for (const auto& output : at->outputs()) {
      for (const auto& input : output.get_target_inputs()) {
        const ov::Node* reader = input.get_node();
        if (!seen.insert(reader).second) continue;
        const std::vector<std::string> names = tensor_names(*reader);
        for (const std::string& name : names) found.push_back("~" + name);
        if (names.empty()) pending.push_back(reader);
      }
    }
  }
  return found;
}

std::string info(const ov::Node& op, const char* key) {
  const auto& all = op.get_rt_info();
  const auto at = all.find(key);
  return at != all.end() && at->second.is<std::string>() ? at->second.as<std::string>() : "";
}

std::string_view first_of_list(std::string_view list) { return list.substr(0, list.find(',')); }

/// Calls `visit(name)` for each item of OpenVINO's own list of originals, none of them empty.
template <typename Visit>
void for_each_listed(const ov::Node& op, Visit&& visit) {
  const std::string list = info(op, "originalLayersNames");
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    if (end > at) visit(list.substr(at, end - at));
    at = end + 1;
  }
}

/// "y" of "y.0": where the model's end is of a type that OpenVINO does not compute in, it calls the
/// operation so that the name is free for a conversion. "" of names without a number at their end.
std::string_view before_number(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last + 1 == name.size() || name[last] != '.') return "";
  return name.substr(0, last);
}

std::uint32_t position(const ov::Node& op) {
  const std::string text = info(op, "execOrder");
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Formats output shapes as in events: "[{"float":[1,8]},...]".
std::string shapes_text(const ov::Node& op) {
  std::string out = "[";
  for (const auto& output : op.outputs()) {
    if (output.get_partial_shape().is_dynamic()) return "";
    const onnx::DataType type = to_onnx(output.get_element_type());
    out += fmt::format("{}{{\"{}\":[{}]}}", out.size() > 1 ? "," : "",
                       type == onnx::DataType::kFloat ? "float" : onnx::name(type),
                       fmt::join(output.get_shape(), ","));
  }
  return out + "]";
}

}  // namespace

ReadNames::ReadNames(std::vector<NamedOperation> rows) {
  for (NamedOperation& row : rows)
    of_.emplace(std::move(row.friendly_name), std::move(row.tensors));
}

std::vector<NamedOperation> ReadNames::rows() const {
  std::vector<NamedOperation> rows;
  rows.reserve(of_.size());
  for (const auto& [name, tensors] : of_) rows.push_back({name, tensors});
  std::ranges::sort(rows, {}, &NamedOperation::friendly_name);  // the same bytes each time
  return rows;
}

ReadNames::ReadNames(const ov::Model& model) {
  for (const auto& op : model.get_ordered_ops()) {
    if (is_port(*op)) continue;
    std::vector<std::string> names = tensor_names(*op);
    if (names.empty()) names = leads_to(*op);
    of_.emplace(op->get_friendly_name(), std::move(names));
  }
}

const std::vector<std::string>* ReadNames::originals(const std::string& friendly_name) const {
  const auto at = of_.find(friendly_name);
  return at == of_.end() ? nullptr : &at->second;
}

LayerList::LayerList(const ov::Model& runtime_model, const ReadNames& names) {
  std::vector<std::shared_ptr<ov::Node>> ops = runtime_model.get_ordered_ops();
  std::unordered_set<const ov::Node*> constant;
  for (const auto& op : ops) {
    number_.emplace(op.get(), static_cast<std::uint32_t>(number_.size()));
    const bool fed =
        op->get_input_size() > 0 && std::ranges::all_of(op->input_values(), [&](const auto& value) {
          return constant.contains(value.get_node());
        });
    if (info(*op, "layerType") == "Const" || fed) constant.insert(op.get());
  }
  for (const auto& op : ops)
    for_each_listed(*op, [&](const std::string& name) { listed_.insert(name); });
  std::ranges::stable_sort(ops, {}, [](const auto& op) { return position(*op); });
  for (const auto& op : ops) {
    const std::string type = info(*op, "layerType");
    if (type != "Input" && type != "Output" && !constant.contains(op.get())) add(*op, names);
  }
}

void LayerList::add(const ov::Node& op, const ReadNames& names) {
  LayerRow row;
  row.runtime_name = op.get_friendly_name();
  row.type = info(op, "layerType");
  row.implementation = info(op, "primitiveType");
  row.precision = info(op, "runtimePrecision");
  row.layout = first_of_list(info(op, "outputLayouts"));
  row.shapes = shapes_text(op);
  for_each_listed(op, [&](const std::string& name) {
    if (const auto* found = originals(name, names))
      row.originals.insert(row.originals.end(), found->begin(), found->end());
  });
  for (std::size_t i = 0; i < op.get_input_size(); ++i)
    row.inputs.push_back(edge(op.get_input_source_output(i)));
  for (const auto& output : op.outputs()) row.outputs.push_back(edge(output));
  name(row, names);
  rows_.push_back(std::move(row));
}

const std::vector<std::string>* LayerList::originals(const std::string& name,
                                                     const ReadNames& names) const {
  if (const auto* found = names.originals(name)) return found;
  const std::string before(before_number(name));
  // Where a layer has the name itself, "y.0" is the conversion behind it.
  return listed_.contains(before) ? nullptr : names.originals(before);
}

void LayerList::name(LayerRow& row, const ReadNames& names) {
  row.name = names.originals(row.runtime_name) != nullptr
                 ? row.runtime_name
                 : fmt::format("{}_{}", row.type, rows_.size());
  const std::uint32_t times = taken_[row.name]++;
  if (times > 0) row.name += fmt::format("#{}", times);
}

/// Name of a tensor between layers: an input of the model keeps its name, others are named by
/// producer and output index.
std::string LayerList::edge(const ov::Output<const ov::Node>& output) {
  const ov::Node* op = output.get_node();
  std::string name = fmt::format("{}:{}", number_.at(op), output.get_index());
  if (info(*op, "layerType") == "Input") name = op->get_friendly_name();
  if (!described_.emplace(name, true).second) return name;
  TensorRow row{name, static_cast<std::int32_t>(to_onnx(output.get_element_type())), {}};
  for (const ov::Dimension& d : output.get_partial_shape())
    row.dims.push_back(d.is_static() ? d.get_length() : -1);
  tensors_.push_back(std::move(row));
  return name;
}

void LayerList::describe(RidgeGraph& graph) {
  layers_view_.clear();
  tensors_view_.clear();
  texts_.clear();
  const auto list = [&](const std::vector<std::string>& names) {
    auto& texts = texts_.emplace_back();
    for (const std::string& name : names) texts.push_back(name.c_str());
    return texts.data();
  };
  for (const LayerRow& row : rows_) {
    RidgeLayer layer{};
    layer.size = sizeof(layer);
    layer.name = row.name.c_str();
    layer.type = row.type.c_str();
    layer.implementation = row.implementation.c_str();
    layer.precision = row.precision.c_str();
    layer.layout = row.layout.c_str();
    layer.originals = list(row.originals);
    layer.original_count = row.originals.size();
    layer.inputs = list(row.inputs);
    layer.input_count = row.inputs.size();
    layer.outputs = list(row.outputs);
    layer.output_count = row.outputs.size();
    layers_view_.push_back(layer);
  }
  for (const TensorRow& row : tensors_) {
    RidgeTensor tensor{};
    tensor.size = sizeof(tensor);
    tensor.type = row.type;
    tensor.name = row.name.c_str();
    tensor.dims = row.dims.data();
    tensor.rank = static_cast<std::uint32_t>(row.dims.size());
    tensors_view_.push_back(tensor);
  }
  graph.layers = layers_view_.data();
  graph.layer_count = layers_view_.size();
  graph.layer_stride = sizeof(RidgeLayer);
  graph.tensors = {tensors_view_.data(), tensors_view_.size(), sizeof(RidgeTensor)};
}

}  // namespace ridge::openvino
