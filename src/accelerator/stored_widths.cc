// SPDX-License-Identifier: Apache-2.0
#include "accelerator/stored_widths.h"

#include <algorithm>

#include "accelerator/products.h"
#include "analysis/node_bytes.h"
#include "analysis/weights.h"
#include "onnx/data_type.h"

namespace ridge::accelerator {
namespace {

using analysis::Resolved;
using graph::ValueId;

/// Limit on the nodes skipped between a tensor and its reader; only artificial models reach it.
constexpr int kFarthest = 32;

/// Value that is stored in memory where a node reads `v`.
ValueId stored(const Resolved& r, ValueId v) {
  for (int i = 0; i < kFarthest; ++i) {
    const graph::NodeId made = r.model().value(v).producer;
    if (made == graph::kNone) return v;
    const graph::Node node = r.model().node(made);
    const bool passed = node.op_type == "DequantizeLinear" ||
                        (r.constant(v) && analysis::passes_weight(r.model().kind(made)));
    if (!passed || node.inputs.empty() || node.inputs[0] == graph::kNone) return v;
    v = node.inputs[0];
  }
  return v;
}

const onnx::DataTypeInfo* type_of(const Resolved& r, ValueId v) {
  return v == graph::kNone ? nullptr : onnx::info(r.type(stored(r, v)).dtype);
}

const onnx::DataTypeInfo* input_type(const Resolved& r, const graph::Node& node, std::size_t i) {
  return i < node.inputs.size() ? type_of(r, node.inputs[i]) : nullptr;
}

const onnx::DataTypeInfo* largest_input(const Resolved& r, const graph::Node& node) {
  const onnx::DataTypeInfo* found = nullptr;
  std::int64_t most = -1;
  for (const ValueId v : node.inputs) {
    const onnx::DataTypeInfo* type = type_of(r, v);
    const std::int64_t bytes = v == graph::kNone ? 0 : analysis::value_bytes(r, v).value_or(0);
    if (type == nullptr || bytes <= most) continue;
    found = type;
    most = bytes;
  }
  return found;
}

/// Bits of a filter element that shares its bytes with others; 0: elements do not share bytes.
std::int64_t packed_bits(const Resolved& r, graph::NodeId n, const Factors& factors) {
  if (factors.packed_bits == 0 || factors.bits_attribute.empty()) return factors.packed_bits;
  const std::int64_t bits = Form(r, n, 0).integer(factors.bits_attribute, factors.packed_bits);
  return bits >= 1 && bits <= 64 ? bits : factors.packed_bits;
}

std::int64_t bits(const onnx::DataTypeInfo* type) { return type != nullptr ? type->bits : 0; }
bool floating(const onnx::DataTypeInfo* type) { return type != nullptr && type->floating; }

}  // namespace

StoredWidths stored_widths(const Resolved& r, const Layer& layer) {
  StoredWidths out;
  if (layer.node == graph::kNone) return out;
  const graph::Node node = r.model().node(layer.node);
  const auto made = r.model().outputs(layer.last());
  out.bits.ofmap = made.empty() ? 0 : bits(type_of(r, made[0]));
  if (layer.gemms.empty()) {
    const onnx::DataTypeInfo* read = largest_input(r, node);
    out.bits.ifmap = bits(read);
    out.floating = floating(read);
    return out;
  }
  const Factors factors = factors_of(node.domain, node.op_type);
  const onnx::DataTypeInfo* ifmap = input_type(r, node, factors.ifmap);
  const onnx::DataTypeInfo* filter = input_type(r, node, factors.filter);
  if (filter == nullptr) filter = ifmap;
  const std::int64_t packed = packed_bits(r, layer.node, factors);
  out.bits.ifmap = bits(ifmap);
  out.bits.filter = packed > 0 ? packed : bits(filter);
  out.floating = floating(ifmap) || floating(filter);
  return out;
}

Widths widths_of(const StoredWidths& stored, const Widths& machine) {
  Widths out = machine;
  const auto take = [](std::int64_t& width, std::int64_t bits) {
    if (bits > 0) width = bits;
  };
  take(out.bits.ifmap, stored.bits.ifmap);
  take(out.bits.filter, stored.bits.filter > 0 ? stored.bits.filter : stored.bits.ifmap);
  take(out.bits.ofmap, stored.bits.ofmap);
  if (stored.bits.filter > 0)
    out.accumulator_bits = std::max({machine.accumulator_bits, out.bits.ifmap, out.bits.filter});
  if (stored.bits.ifmap > 0) out.floating = stored.floating;
  return out;
}

}  // namespace ridge::accelerator
