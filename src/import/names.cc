// SPDX-License-Identifier: Apache-2.0
#include "import/names.h"

#include <algorithm>
#include <array>

#include "attribution/names.h"
#include "attribution/original.h"
#include "base/number.h"
#include "import/torch_operators.h"

namespace ridge::imports {
namespace {

using graph::kNone;
using graph::NodeId;
using graph::ValueId;
using profile::Evidence;

/// Maximum number of additions that a runtime makes to one name; each is one more lookup.
constexpr int kMaxAdditions = 8;

struct Ending {
  Naming naming;
  std::string_view text;
};

/// Suffixes that runtimes append to the name of the node or tensor that a layer computes.
constexpr std::array kEndings = {
    Ending{Naming::kOnnxRuntime, "_nchwc"},        // blocked layout
    Ending{Naming::kOnnxRuntime, "_bn"},           // BatchNormalization as a convolution
    Ending{Naming::kOnnxRuntime, "_new_reshape"},  // several Reshapes as one
    Ending{Naming::kOnnxRuntime, "/duplicated"},   // a second kernel that makes the tensor
    Ending{Naming::kOpenVino, "/WithoutBiases"},   // the product before its bias is added
    Ending{Naming::kOpenVino, "/MatMul"},          // a Gemm
    Ending{Naming::kOpenVino, "/fq_weights_1"},
    Ending{Naming::kTensorRt, " copy"},  // a tensor copied to its place in a Concat
};

/// "fused /fc/Gemm": a product with the activation behind it (FusedGemm, FusedConv).
constexpr std::string_view kFusedNode = "fused ";

/// Removes the name of the fusion that made the kernel: "N/MatMulAddFusion", "N/LayerNormFusion/"
/// -> "N". Empty if there is none.
std::string_view without_fusion(std::string_view name) {
  std::string_view rest = name;
  while (rest.ends_with('/')) rest.remove_suffix(1);
  const std::size_t slash = rest.rfind('/');
  if (slash == std::string_view::npos || !rest.ends_with("Fusion")) return {};
  rest = rest.substr(0, slash);
  while (rest.ends_with('/')) rest.remove_suffix(1);
  return rest;
}

/// Removes TensorRT's mark of a layer that it duplicated, "_clone_2". Empty if there is none.
std::string_view without_clone(std::string_view name) {
  constexpr std::string_view kClone = "_clone_";
  const std::size_t at = name.rfind(kClone);
  if (at == std::string_view::npos || !whole_number<std::size_t>(name.substr(at + kClone.size())))
    return {};
  return name.substr(0, at);
}

/// Removes one addition from the name; empty if no rule applies.
std::string_view stripped(std::string_view name, Naming naming) {
  if (naming == Naming::kOnnxRuntime) {
    if (name.starts_with(kFusedNode)) return name.substr(kFusedNode.size());
    if (const auto bare = attribution::without_token(name); bare != name) return bare;
    if (const auto bare = without_fusion(name); !bare.empty()) return bare;
  }
  if (naming == Naming::kTensorRt)
    if (const auto bare = without_clone(name); !bare.empty()) return bare;
  for (const Ending& ending : kEndings)
    if (ending.naming == naming && name.ends_with(ending.text))
      return name.substr(0, name.size() - ending.text.size());
  return {};
}

template <typename Key>
void put(std::unordered_map<std::string_view, NodeId>& map, Key name, NodeId node) {
  if (name.empty()) return;
  const auto [at, fresh] = map.emplace(name, node);
  if (!fresh && at->second != node) at->second = kNone;
}

}  // namespace

NameIndex::NameIndex(const graph::Model& model) : model_(model) {
  nodes_.reserve(model.nodes().size());
  for (NodeId id = 0; id < model.nodes().size(); ++id) {
    const graph::Node node = model.node(id);
    put(nodes_, node.name, id);
    for (const graph::ValueId v : node.outputs)
      if (v != kNone) put(tensors_, std::string_view(model.value(v).name), id);
    // ONNX Runtime converts Constant nodes to initializers before it numbers the nodes.
    if (node.parent == kNone && node.op_type != "Constant") numbered_.push_back(id);
    if (node.parent == kNone && attribution::is_product(node.op_type)) ++products_;
  }
  for (ValueId v = 0; v < model.values().size(); ++v)
    if (const graph::Value& value = model.value(v);
        (value.tensor != nullptr || value.sparse != nullptr) && value.graph == 0)
      weights_.emplace(std::string_view(value.name), v);
  for (const graph::Module& module : model.modules())
    if (!module.path.empty()) modules_.insert(module_path(module.path));
}

Found NameIndex::exact(std::string_view name) const {
  if (const auto at = nodes_.find(name); at != nodes_.end() && at->second != kNone)
    return {at->second, Evidence::kRuntimeList};
  if (const auto at = tensors_.find(name); at != tensors_.end() && at->second != kNone)
    return {at->second, Evidence::kSameTensor};
  return {};
}

/// Resolves "<Operator>_<index>", the name in ONNX Runtime's events for a node without a name; also
/// in its fused form ("FusedConv_3").
Found NameIndex::unnamed(std::string_view name) const {
  constexpr std::string_view kFusedOperator = "Fused";
  const std::size_t bar = name.rfind('_');
  if (bar == std::string_view::npos) return {};
  const auto index = whole_number<std::size_t>(name.substr(bar + 1));
  if (!index || *index >= numbered_.size()) return {};
  const graph::Node node = model_.node(numbered_[*index]);
  std::string_view op = name.substr(0, bar);
  if (op != node.op_type && op.starts_with(kFusedOperator)) op.remove_prefix(kFusedOperator.size());
  if (!node.name.empty() || node.op_type != op) return {};
  return {numbered_[*index], Evidence::kRenamed};
}

graph::ValueId NameIndex::tensor(std::string_view name) const {
  const auto called = [&](graph::ValueId v) { return v != kNone && model_.value(v).name == name; };
  if (const auto at = tensors_.find(name); at != tensors_.end()) {
    if (at->second == kNone) return kNone;
    const auto outputs = model_.outputs(at->second);
    const auto made = std::ranges::find_if(outputs, called);
    return made == outputs.end() ? kNone : *made;
  }
  const auto inputs = model_.main().inputs;
  const auto input = std::ranges::find_if(inputs, called);
  return input == inputs.end() ? kNone : *input;
}

std::span<const NodeId> NameIndex::readers_of_weight(std::string_view name) const {
  const auto at = weights_.find(name);
  return at == weights_.end() ? std::span<const NodeId>() : model_.consumers(at->second);
}

/// The only Concat that reads a tensor.
Found NameIndex::concat_of(ValueId tensor) const {
  NodeId only = kNone;
  for (const NodeId reader : model_.consumers(tensor)) {
    if (model_.node(reader).op_type != "Concat" || reader == only) continue;
    if (only != kNone) return {};
    only = reader;
  }
  return {only, Evidence::kRenamed};
}

Found NameIndex::copied(std::string_view name) const {
  constexpr std::string_view kCopy = " copy";
  constexpr int kMaxBars = 64;
  if (!name.ends_with(kCopy)) return {};
  name.remove_suffix(kCopy.size());
  if (const auto bare = without_clone(name); !bare.empty()) name = bare;
  if (const ValueId v = this->tensor(name); v != kNone) return concat_of(v);
  // "/n/Concat_/n/Resize_output_0": tries each '_' as the end of the Concat's name. The tensor may
  // have another name in the model.
  Found longest;
  std::size_t bar = name.find('_');
  for (int i = 0; i < kMaxBars && bar != std::string_view::npos;
       ++i, bar = name.find('_', bar + 1)) {
    const auto at = nodes_.find(name.substr(0, bar));
    if (at == nodes_.end() || at->second == kNone || model_.node(at->second).op_type != "Concat")
      continue;
    longest = {at->second, Evidence::kRenamed};
    const ValueId v = this->tensor(name.substr(bar + 1));
    if (v != kNone && std::ranges::count(model_.consumers(v), at->second) > 0) break;
  }
  return longest;
}

bool NameIndex::is_module(std::string_view path) const {
  return !modules_.empty() && modules_.contains(module_path(path));
}

Found NameIndex::find(std::string_view name, Naming naming) const {
  if (const Found found = exact(name)) return found;
  if (naming == Naming::kOnnxRuntime)
    if (const Found found = unnamed(name)) return found;
  std::string_view rest = name;
  for (int i = 0; i < kMaxAdditions; ++i) {
    rest = stripped(rest, naming);
    if (rest.empty()) break;
    if (Found found = exact(rest)) {
      found.evidence = Evidence::kRenamed;
      return found;
    }
  }
  return {};
}

bool inserted_name(std::string_view name, std::string_view type, Naming naming) {
  const auto begins = [&](std::string_view text) { return name.starts_with(text); };
  switch (naming) {
    case Naming::kOnnxRuntime:
      return type == "ReorderInput" || type == "ReorderOutput" || type == "MemcpyFromHost" ||
             type == "MemcpyToHost" || begins("InsertedCast_") ||
             begins("InsertedPrecisionFreeCast_") || begins("gemm_input_reshape") ||
             begins("gemm_output_reshape");
    case Naming::kOpenVino:
      return type == "Reorder";
    case Naming::kTensorRt:
      // "(Unnamed Layer* 7) [NMS]_1_output[DevicetoShapeHostCopy]" moves a tensor of sizes.
      return begins("Reformatting CopyNode") || begins("[trainStation") || type == "Reformat" ||
             name.ends_with(" copy") || name.ends_with("HostCopy]") ||
             name.ends_with("DeviceCopy]");
    case Naming::kPlain:
      return false;
  }
  return false;
}

}  // namespace ridge::imports
