// SPDX-License-Identifier: Apache-2.0
#include "export/analysis/tensors.h"

#include <fmt/format.h>

#include <array>

namespace ridge::exports {
namespace {

constexpr std::array<std::string_view, 7> kFigureKeys = {
    "macs", "flops", "special", "int_ops", "bytes_read", "bytes_written", "peak_activation_bytes"};

std::string container_name(ops::Container container, std::string_view dtype) {
  switch (container) {
    case ops::Container::kTensor:
      break;
    case ops::Container::kSequence:
      return fmt::format("sequence({})", dtype);
    case ops::Container::kOptional:
      return fmt::format("optional({})", dtype);
    case ops::Container::kOptionalSequence:
      return fmt::format("optional(sequence({}))", dtype);
    case ops::Container::kMap:
      return "map";
  }
  return std::string(dtype);
}

}  // namespace

std::string_view Tensors::dtype(const ops::Type& type) {
  if (type.container == ops::Container::kTensor)
    return type.dtype == onnx::DataType::kUndefined ? "" : onnx::name(type.dtype);
  std::string& name = container_names_[{type.container, type.dtype}];
  if (name.empty()) name = container_name(type.container, onnx::name(type.dtype));
  return name;
}

TensorView Tensors::view(graph::ValueId v) {
  const ops::Type& type = r_.type(v);
  TensorView out{.name = r_.model().value(v).name, .dtype = dtype(type), .shape = {}};
  if (type.shape.ranked() && type.container == ops::Container::kTensor)
    out.shape = ShapeView{type.shape.span(), &r_.dims()};
  return out;
}

InputView Tensors::input(graph::ValueId v) {
  if (v == graph::kNone) return {};
  return {view(v), input_kind(r_, v)};
}

InputKind input_kind(const analysis::Resolved& r, graph::ValueId v) {
  if (r.weight(v)) return InputKind::kWeight;
  return r.constant(v) ? InputKind::kConstant : InputKind::kActivation;
}

std::string_view figure_key(analysis::Totals::Figure which) { return kFigureKeys[which]; }

Figure sum_figure(Tensors& tensors, ops::Dim known, const std::bitset<7>& incomplete,
                  analysis::Totals::Figure which, LowerBounds& at_least) {
  const Figure figure = tensors.figure(known);
  if (!incomplete.test(which)) return figure;
  at_least.emplace_back(figure_key(which), figure);
  return {};
}

}  // namespace ridge::exports
