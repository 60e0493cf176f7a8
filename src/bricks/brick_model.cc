// SPDX-License-Identifier: Apache-2.0
#include "bricks/brick_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "bricks/form/attributes.h"

namespace ridge::bricks {
namespace {

/// Channels of the tensors that donors read and write: one block of the widest layout.
constexpr std::int64_t kDonorChannels = 16;
/// First opset with ConstantOfShape, which weights are written as. Bricks of models of older opsets
/// are raised to it: from kOldestRaised on the versions mean the same, but for raised().
constexpr std::int32_t kWeightOpset = 9, kOldestRaised = 7;
/// Value of all elements of a weight in the file: neutral to no operator.
constexpr float kWeightValue = 0.5F;

/// Operator that reads and writes every element once and that no runtime fuses with its neighbors;
/// "" if there is none for the type.
std::string_view copying_operator(onnx::DataType type) {
  switch (type) {
    case onnx::DataType::kFloat:
    case onnx::DataType::kDouble:
    case onnx::DataType::kFloat16:
    case onnx::DataType::kInt8:
    case onnx::DataType::kInt32:
    case onnx::DataType::kInt64:
      return "Neg";
    case onnx::DataType::kBool:
      return "Not";
    default:
      return "";
  }
}

class Builder {
 public:
  Builder(const Network& network, const Piece& piece, const Form& form)
      : n_(network),
        piece_(piece),
        form_(form),
        document_(std::make_shared<onnx::Document>()),
        arena_(document_->arena) {
    const std::int32_t opset = opset_of(network, "");
    raised_ = opset >= kOldestRaised && opset < kWeightOpset;
  }

  Result<BrickModel> run() {
    const onnx::Model& from = n_.copy.document->model;
    document_->file = n_.copy.document->file;
    document_->path = n_.copy.document->path;
    for (std::size_t i = 0; i < form_.constants.size(); ++i)
      add_constant(form_.constants[i], fmt::format("c{}", i));
    for (std::size_t i = 0; i < form_.inputs.size(); ++i)
      TRY(add_input(form_.inputs[i], fmt::format("in{}", i)));
    for (std::size_t i = 0; i < form_.order.size(); ++i) TRY(add_node(i));
    for (std::size_t i = 0; i < form_.outputs.size(); ++i)
      TRY(add_output(form_.outputs[i], fmt::format("out{}", i)));
    onnx::Model& m = document_->model;
    // Initializers that are no inputs exist from version 4 on.
    m.ir_version = std::max<std::int64_t>(from.ir_version, 4);
    m.producer_name = "ridge";
    std::vector<onnx::OperatorSet> opsets(from.opsets.begin(), from.opsets.end());
    for (onnx::OperatorSet& o : opsets)
      if (onnx::normal_domain(o.domain).empty()) o.version = raised_ ? kWeightOpset : o.version;
    m.opsets = arena_.copy(opsets);
    m.graph.name = "brick";
    m.graph.nodes = arena_.copy(nodes_);
    m.graph.initializers = arena_.copy(initializers_);
    m.graph.inputs = arena_.copy(inputs_);
    m.graph.outputs = arena_.copy(outputs_);
    return BrickModel{std::move(document_), std::move(ports_)};
  }

 private:
  std::string_view keep(const std::string& text) { return arena_.copy(text); }

  onnx::Node& add(const std::string& name, std::string_view op_type,
                  const std::vector<Text>& inputs, std::string_view output) {
    onnx::Node node;
    node.name = keep(name);
    node.op_type = op_type;
    node.inputs = arena_.copy(inputs);
    node.outputs = arena_.copy(std::vector<Text>{output});
    nodes_.push_back(node);
    return nodes_.back();
  }

  template <typename T>
  onnx::Tensor tensor(std::string_view name, onnx::DataType type,
                      const std::vector<std::int64_t>& dims, const std::vector<T>& elements) {
    onnx::Tensor t;
    t.name = name;
    t.type = type;
    t.dims = arena_.copy(dims);
    t.elements = 1;
    for (const std::int64_t d : dims) t.elements *= d;
    if (elements.empty()) return t;
    t.storage = onnx::Storage::kInline;
    t.bytes = std::as_bytes(std::span<const T>(arena_.copy(elements)));
    return t;
  }

  /// A weight: one value in every element.
  void add_weight(std::string_view name, onnx::DataType type,
                  const std::vector<std::int64_t>& dims) {
    const std::string_view shape = keep(fmt::format("{}.shape", name));
    initializers_.push_back(
        tensor(shape, onnx::DataType::kInt64, {static_cast<std::int64_t>(dims.size())}, dims));
    onnx::Node& node = add(fmt::format("{}.fill", name), "ConstantOfShape", {shape}, name);
    onnx::Attribute value{.name = "value"};
    value.type = onnx::AttributeType::kTensor;
    const onnx::DataTypeInfo* info = onnx::info(type);
    const std::size_t size = info == nullptr ? 4 : static_cast<std::size_t>(info->bits / 8);
    std::vector<std::byte> element(size);
    if (type == onnx::DataType::kFloat)
      std::memcpy(element.data(), &kWeightValue, sizeof kWeightValue);
    else if (!element.empty())
      element[0] = std::byte{1};
    value.t = arena_.make(tensor("", type, {1}, element));
    node.attributes = arena_.copy(std::vector<onnx::Attribute>{value});
  }

  void add_transpose(const std::string& name, std::string_view input, std::string_view output,
                     const std::vector<std::int64_t>& order) {
    onnx::Node& node = add(name, "Transpose", {input}, output);
    onnx::Attribute perm{.name = "perm"};
    perm.type = onnx::AttributeType::kInts;
    perm.ints = arena_.copy(order);
    node.attributes = arena_.copy(std::vector<onnx::Attribute>{perm});
  }

  void add_constant(const NamedConstant& c, const std::string& text) {
    const std::string_view name = keep(text);
    name_.emplace(c.name, name);
    if (c.constant.weight)
      add_weight(name, c.constant.type, c.constant.dims);
    else
      initializers_.push_back(tensor(name, c.constant.type, c.constant.dims, c.constant.bytes));
  }

  Result<BrickPort> port(const CrossingTensor& t, Direction direction, std::string_view name) {
    const ops::Type& type = n_.resolved.type(n_.value.at(t.name));
    if (type.container != ops::Container::kTensor || !type.shape.known() ||
        type.dtype == onnx::DataType::kUndefined)
      return input_error("RIDGE-BRICK-0002",
                         fmt::format("the tensor '{}' has no known shape", t.name));
    BrickPort out{.name = std::string(name),
                  .direction = direction,
                  .dtype = std::string(onnx::name(type.dtype)),
                  .shape = {},
                  .layout = t.layout,
                  .donor = {}};
    for (const ops::Dim& d : type.shape.span()) out.shape.push_back(d.value());
    return out;
  }

  onnx::ValueInfo value_info(std::string_view name, onnx::DataType type,
                             const std::vector<std::int64_t>& shape) {
    onnx::ValueInfo info{.name = name, .type = {}};
    info.type.kind = onnx::TypeKind::kTensor;
    info.type.elem_type = type;
    info.type.has_shape = true;
    std::vector<onnx::Dimension> dims;
    for (const std::int64_t d : shape) dims.push_back({.value = d, .param = {}});
    info.type.shape = arena_.copy(dims);
    return info;
  }

  onnx::DataType type_of(const CrossingTensor& t) const {
    return n_.resolved.type(n_.value.at(t.name)).dtype;
  }
  /// True if convolutions of the runtime store their results in the layout. A runtime that lists
  /// its layers and has channels last (OpenVINO) selects that layout for convolutions; ONNX Runtime
  /// has it only where it moved a transpose.
  bool by_convolution(Layout layout) const {
    return layout == Layout::kBlocked ||
           (layout == Layout::kChannelsLast && !n_.optimized.listed.empty());
  }

  static bool is_image(const BrickPort& port, onnx::DataType type) {
    return port.shape.size() == 4 && type == onnx::DataType::kFloat;
  }

  Result<void> add_input(const CrossingTensor& t, const std::string& text) {
    const std::string_view name = keep(text);
    BrickPort p = TRY(port(t, Direction::kInput, name));
    std::vector<std::int64_t> shape = p.shape;
    if (by_convolution(t.layout) && is_image(p, type_of(t))) {
      p.donor = "Conv 1x1, Relu";
      shape[1] = kDonorChannels;
      const std::string_view weight = keep(fmt::format("{}.weight", name)),
                             sum = keep(fmt::format("{}.sum", name)),
                             made = keep(fmt::format("{}.made", name));
      add_weight(weight, onnx::DataType::kFloat, {p.shape[1], kDonorChannels, 1, 1});
      add(fmt::format("{}.conv", name), "Conv", {name, weight}, sum);
      add(fmt::format("{}.relu", name), "Relu", {sum}, made);
      name_.emplace(t.name, made);
    } else if (t.layout == Layout::kChannelsLast && shape.size() == 4) {
      p.donor = "Transpose";
      shape = {shape[0], shape[2], shape[3], shape[1]};
      const std::string_view made = keep(fmt::format("{}.made", name));
      add_transpose(fmt::format("{}.transpose", name), name, made, {0, 3, 1, 2});
      name_.emplace(t.name, made);
    } else if (const std::string_view op = copying_operator(type_of(t)); t.donor && !op.empty()) {
      p.donor = op;
      const std::string_view made = keep(fmt::format("{}.made", name));
      add(fmt::format("{}.copy", name), op, {name}, made);
      name_.emplace(t.name, made);
    } else {
      name_.emplace(t.name, name);
    }
    if (const std::string_view made = name_.at(t.name); t.kept && made != name) {
      outputs_.push_back(value_info(made, type_of(t), p.shape));
      p.donor += ", kept";
    }
    inputs_.push_back(value_info(name, type_of(t), shape));
    ports_.push_back(std::move(p));
    return {};
  }

  Result<void> add_output(const CrossingTensor& t, const std::string& text) {
    std::string_view name = keep(text);
    BrickPort p = TRY(port(t, Direction::kOutput, name));
    std::vector<std::int64_t> shape = p.shape;
    if (by_convolution(t.layout) && is_image(p, type_of(t))) {
      p.donor = "Conv 1x1";
      shape[1] = kDonorChannels;
      const std::string_view weight = keep(fmt::format("{}.weight", name));
      add_weight(weight, onnx::DataType::kFloat, {kDonorChannels, p.shape[1], 1, 1});
      add(fmt::format("{}.conv", name), "Conv", {name_.at(t.name), weight}, name);
    } else if (t.layout == Layout::kChannelsLast && shape.size() == 4) {
      p.donor = "Transpose";
      shape = {shape[0], shape[2], shape[3], shape[1]};
      add_transpose(fmt::format("{}.transpose", name), name_.at(t.name), name, {0, 2, 3, 1});
    } else if (const std::string_view op = copying_operator(type_of(t)); t.donor && !op.empty()) {
      p.donor = op;
      add(fmt::format("{}.copy", name), op, {name_.at(t.name)}, name);
    } else {
      // A graph output has the name of the tensor itself: an Identity would be another kernel.
      name = name_.at(t.name);
      p.name = std::string(name);
    }
    outputs_.push_back(value_info(name, type_of(t), shape));
    ports_.push_back(std::move(p));
    return {};
  }

  Result<void> add_node(std::size_t position) {
    const onnx::Node& from = n_.node(form_.order[position]);
    onnx::Node node;
    const bool core = std::ranges::binary_search(piece_.units, form_.order[position]);
    node.name = keep(fmt::format("{}{}", core ? 'n' : 'h', position));
    node.op_type = from.op_type;
    node.domain = from.domain;
    const std::span<Text> inputs = arena_.array<Text>(from.inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = name_of(from.inputs[i]);
    node.inputs = inputs;
    const std::span<Text> outputs = arena_.array<Text>(from.outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (from.outputs[i].empty()) continue;
      outputs[i] = keep(fmt::format("t{}.{}", position, i));
      name_.emplace(from.outputs[i], outputs[i]);
    }
    node.outputs = outputs;
    node.attributes = attributes(from.attributes);
    if (raised_) TRY(raise(node));
    nodes_.push_back(node);
    return {};
  }

  /// Writes a node of opset 7 or 8 as one of opset 9.
  Result<void> raise(onnx::Node& node) {
    if (!onnx::normal_domain(node.domain).empty()) return {};
    std::vector<onnx::Attribute> kept;
    for (const onnx::Attribute& a : node.attributes) {
      const bool spatial = node.op_type == "BatchNormalization" && a.name == "spatial";
      if (node.op_type == "Scan" || (spatial && a.i == 0) || a.g != nullptr)
        return input_error("RIDGE-BRICK-0003",
                           fmt::format("'{}' with '{}' cannot be written in opset {}", node.op_type,
                                       a.name, kWeightOpset));
      if (node.op_type == "Upsample" && a.name == "scales") {
        const std::string_view scales = keep(fmt::format("{}.scales", std::string(node.name)));
        const std::vector<float> factors(a.floats.begin(), a.floats.end());
        initializers_.push_back(tensor(scales, onnx::DataType::kFloat,
                                       {static_cast<std::int64_t>(factors.size())}, factors));
        node.inputs = arena_.copy(std::vector<Text>{node.inputs[0], scales});
      } else if (!spatial) {
        kept.push_back(a);
      }
    }
    node.attributes = arena_.copy(kept);
    return {};
  }

  std::string_view name_of(std::string_view name) const {
    const auto found = name_.find(origin(n_, name));
    return found == name_.end() ? name : found->second;  // a tensor of the body itself
  }

  std::span<const onnx::Attribute> attributes(std::span<const onnx::Attribute> from) {
    std::vector<onnx::Attribute> out(from.begin(), from.end());
    for (onnx::Attribute& a : out) {
      if (a.g != nullptr) a.g = arena_.make(body(*a.g));
      std::vector<onnx::Graph> graphs;
      for (const onnx::Graph& g : a.graphs) graphs.push_back(body(g));
      if (!graphs.empty()) a.graphs = arena_.copy(graphs);
    }
    return arena_.copy(out);
  }

  onnx::Graph body(const onnx::Graph& from) {
    onnx::Graph to = from;
    std::vector<onnx::Node> nodes(from.nodes.begin(), from.nodes.end());
    for (onnx::Node& node : nodes) {
      const std::span<Text> inputs = arena_.array<Text>(node.inputs.size());
      for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = name_of(node.inputs[i]);
      node.inputs = inputs;
      node.attributes = attributes(node.attributes);
    }
    to.nodes = arena_.copy(nodes);
    return to;
  }

  const Network& n_;
  const Piece& piece_;
  const Form& form_;
  std::shared_ptr<onnx::Document> document_;
  Arena& arena_;
  bool raised_ = false;                                          // to kWeightOpset
  std::unordered_map<std::string_view, std::string_view> name_;  // in the copy -> in the brick
  std::vector<onnx::Node> nodes_;
  std::vector<onnx::Tensor> initializers_;
  std::vector<onnx::ValueInfo> inputs_, outputs_;
  std::vector<BrickPort> ports_;
};

}  // namespace

Result<BrickModel> brick_model(const Network& network, const Piece& piece, const Form& form) {
  return Builder(network, piece, form).run();
}

bool is_core_name(std::string_view name) {
  return name.size() > 1 && name[0] == 'n' &&
         std::ranges::all_of(name.substr(1), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace ridge::bricks
