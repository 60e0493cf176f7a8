// SPDX-License-Identifier: Apache-2.0
#include "bricks/piece_size.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>

#include "bricks/kernels.h"

namespace ridge::bricks {
namespace {

std::string piece_kind(std::vector<std::string> kernels, const std::set<std::string>& types) {
  std::ranges::sort(kernels);
  return fmt::format("{}|{}", fmt::join(kernels, " "), fmt::join(types, " "));
}

}  // namespace

BrickSize size_of(const Network& network, const Piece& piece, const Form& form) {
  BrickSize size{.kind = {}, .macs = piece.macs, .bytes = 0};
  std::set<std::string> types;
  const auto add = [&](onnx::DataType type, std::int64_t elements) {
    size.bytes += onnx::storage_bytes(type, elements).value_or(0);
  };
  for (const auto* ports : {&form.inputs, &form.outputs})
    for (const CrossingTensor& port : *ports) {
      const ops::Type& type = network.resolved.type(network.value.at(port.name));
      types.emplace(onnx::name(type.dtype));
      std::int64_t elements = 1;
      for (const ops::Dim d : type.shape.span()) elements *= d.known() ? d.value() : 1;
      add(type.dtype, elements);
    }
  for (const NamedConstant& c : form.constants) {
    std::int64_t elements = 1;
    for (const std::int64_t d : c.constant.dims) elements *= d;
    add(c.constant.type, elements);
  }
  std::vector<std::string> kernels;
  for (const KernelKind& kernel : kernels_inside(network, piece)) kernels.push_back(kernel.op_type);
  size.kind = piece_kind(std::move(kernels), types);
  return size;
}

BrickSize size_of(const Brick& brick) {
  std::set<std::string> types;
  for (const BrickPort& port : brick.ports) types.insert(port.dtype);
  return {.kind = piece_kind(brick.kernels, types), .macs = brick.macs, .bytes = brick.bytes};
}

}  // namespace ridge::bricks
