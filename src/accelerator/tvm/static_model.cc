// SPDX-License-Identifier: Apache-2.0
#include "accelerator/tvm/static_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/number.h"
#include "onnx/document.h"
#include "onnx/writer.h"

namespace ridge::accelerator {
namespace {

using analysis::Resolved;
using graph::NodeId;
using graph::ValueId;

class Writer {
 public:
  explicit Writer(const Resolved& resolved)
      : resolved_(resolved),
        model_(resolved.model()),
        document_(std::make_shared<onnx::Document>()),
        arena_(document_->arena),
        placed_(model_.values().size()) {}

  Result<StaticModel> run() {
    if (model_.graphs().size() > 1)
      return input_error("RIDGE-ACC-0311",
                         "the model has control-flow bodies or functions, which the compiler's "
                         "front end does not support")
          .hint("profile with nest or closed-form");
    const onnx::Document& original = model_.document();
    document_->file = model_.shared_document()->file;
    document_->path = original.path;
    for (const ValueId v : model_.main().inputs)
      if (model_.value(v).tensor == nullptr) TRY(add_input(v));
    for (const NodeId n : model_.main().order) TRY(add_node(n));
    TRY(add_outputs());
    onnx::Model& m = document_->model;
    m.ir_version = std::max<std::int64_t>(original.model.ir_version, kLowestIr);
    m.producer_name = "ridge";
    m.opsets = original.model.opsets;
    m.graph.name = "ridge";
    m.graph.nodes = arena_.copy(nodes_);
    m.graph.inputs = arena_.copy(inputs_);
    m.graph.outputs = arena_.copy(outputs_);
    m.graph.initializers = arena_.copy(initializers_);
    out_.bytes = TRY(onnx::write_bytes(*document_));
    return std::move(out_);
  }

 private:
  // From IR version 4 on an initializer need not be an input.
  static constexpr std::int64_t kLowestIr = 4;

  std::string_view name(ValueId v) { return arena_.copy(fmt::format("v{}", v)); }

  Result<onnx::ValueInfo> info(ValueId v) {
    const ops::Type& type = resolved_.type(v);
    if (type.container != ops::Container::kTensor || !type.shape.known())
      return input_error("RIDGE-ACC-0312", fmt::format("the shape of tensor '{}' is unknown",
                                                       std::string_view(model_.value(v).name)));
    onnx::ValueInfo out;
    out.name = name(v);
    out.type.kind = onnx::TypeKind::kTensor;
    out.type.elem_type = type.dtype;
    out.type.has_shape = true;
    std::vector<onnx::Dimension> dims;
    for (const ops::Dim& d : type.shape.span()) dims.push_back({d.value(), {}});
    out.type.shape = arena_.copy(dims);
    return out;
  }

  Result<void> add_input(ValueId v) {
    placed_[v] = true;
    inputs_.push_back(TRY(info(v)));
    return {};
  }

  Result<void> add_outputs() {
    for (const ValueId v : model_.main().outputs) {
      if (v == graph::kNone) continue;
      TRY(place(v));
      outputs_.push_back(TRY(info(v)));
    }
    return {};
  }

  /// Adds a constant that some node reads, as an initializer or an input.
  Result<void> place(ValueId v) {
    if (placed_[v]) return {};
    placed_[v] = true;
    if (const ops::Value* value = resolved_.value(v)) {
      if (auto tensor = folded(v, *value)) {
        initializers_.push_back(*tensor);
        return {};
      }
    }
    // Large floats do not affect the loops, so they become inputs and the file stays small.
    // Integers may be shapes or axes and stay constants, whatever their number.
    const onnx::Tensor* tensor = model_.value(v).tensor;
    const onnx::DataTypeInfo* type = onnx::info(resolved_.type(v).dtype);
    const bool large = tensor == nullptr || tensor->elements > kLargestConstant;
    if (tensor == nullptr || (large && type != nullptr && type->floating)) return add_input(v);
    onnx::Tensor copy = *tensor;
    copy.name = name(v);
    initializers_.push_back(copy);
    return {};
  }

  template <typename T>
  std::span<const std::byte> packed(const ops::Value& value) {
    std::vector<T> elements;
    for (const ops::Dim& d : value.ints) elements.push_back(static_cast<T>(d.value()));
    for (const double d : value.reals) elements.push_back(static_cast<T>(d));
    return std::as_bytes(std::span<const T>(arena_.copy(elements)));
  }

  /// Computed value as an initializer; nullopt if an element is unknown or the type is not
  /// supported.
  std::optional<onnx::Tensor> folded(ValueId v, const ops::Value& value) {
    if (!known(v)) return std::nullopt;
    onnx::Tensor out;
    out.name = name(v);
    out.type = value.dtype;
    switch (value.dtype) {
      case onnx::DataType::kInt64:
        out.bytes = packed<std::int64_t>(value);
        break;
      case onnx::DataType::kInt32:
        out.bytes = packed<std::int32_t>(value);
        break;
      case onnx::DataType::kBool:
      case onnx::DataType::kUint8:
        out.bytes = packed<std::uint8_t>(value);
        break;
      case onnx::DataType::kInt8:
        out.bytes = packed<std::int8_t>(value);
        break;
      case onnx::DataType::kFloat:
        out.bytes = packed<float>(value);
        break;
      case onnx::DataType::kDouble:
        out.bytes = packed<double>(value);
        break;
      default:
        return std::nullopt;
    }
    std::vector<std::int64_t> dims;
    for (const ops::Dim& d : value.shape.span()) dims.push_back(d.value());
    out.dims = arena_.copy(dims);
    out.elements = static_cast<std::int64_t>(value.ints.size() + value.reals.size());
    if (out.elements > 0) out.storage = onnx::Storage::kInline;
    return out;
  }

  /// True if all outputs are known before the model runs, or if the node only represents a
  /// constant.
  bool constant(const graph::Node& node) const {
    if (node.op_type == "Constant" || node.op_type == "ConstantOfShape")
      return resolved_.constant(node.outputs[0]);
    return std::all_of(node.outputs.begin(), node.outputs.end(),
                       [&](ValueId v) { return v == graph::kNone || known(v); });
  }

  bool known(ValueId v) const {
    const ops::Value* value = resolved_.value(v);
    return value != nullptr && value->shape.known() &&
           std::all_of(value->ints.begin(), value->ints.end(),
                       [](const ops::Dim& d) { return d.known(); });
  }

  Result<void> add_node(NodeId n) {
    const graph::Node node = model_.node(n);
    if (node.outputs.empty() || node.outputs[0] == graph::kNone) return {};
    if (constant(node)) {
      if (resolved_.counts(n).status == analysis::Status::kCounted) out_.folded.push_back(n);
      return {};
    }
    onnx::Node to;
    to.name = arena_.copy(fmt::format("{}", n));
    to.op_type = node.op_type;
    to.domain = node.domain;
    to.attributes = node.attributes;
    std::vector<Text> inputs, outputs;
    for (const ValueId v : node.inputs) {
      if (v != graph::kNone) TRY(place(v));
      inputs.push_back(v == graph::kNone ? Text() : Text(name(v)));
    }
    for (const ValueId v : node.outputs) {
      outputs.push_back(v == graph::kNone ? Text() : Text(name(v)));
      if (v != graph::kNone) placed_[v] = true;
    }
    to.inputs = arena_.copy(inputs);
    to.outputs = arena_.copy(outputs);
    nodes_.push_back(to);
    return {};
  }

  const Resolved& resolved_;
  const graph::Model& model_;
  std::shared_ptr<onnx::Document> document_;
  Arena& arena_;
  std::vector<bool> placed_;
  std::vector<onnx::Node> nodes_;
  std::vector<onnx::ValueInfo> inputs_, outputs_;
  std::vector<onnx::Tensor> initializers_;
  StaticModel out_;
};

}  // namespace

Result<StaticModel> static_model(const Resolved& resolved) { return Writer(resolved).run(); }

ValueId static_value(std::string_view name) {
  return name.starts_with('v') ? whole_number<ValueId>(name.substr(1)).value_or(graph::kNone)
                               : graph::kNone;
}

}  // namespace ridge::accelerator
