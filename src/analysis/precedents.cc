// SPDX-License-Identifier: Apache-2.0
#include "analysis/precedents.h"

#include <algorithm>
#include <bit>

namespace ridge::analysis {
namespace {

using graph::kNone;
using graph::NodeId;
using graph::ValueId;

/// Nodes with more inputs are rare, and comparing their inputs pairwise has quadratic cost.
constexpr std::size_t kMaxInputs = 8;

bool same_type(const ops::Type& a, const ops::Type& b) {
  return a.dtype == b.dtype && a.container == b.container && a.shape.rank == b.shape.rank &&
         (a.shape.dims == b.shape.dims || std::ranges::equal(a.shape.span(), b.shape.span()));
}

bool same_attribute(const onnx::Attribute& a, const onnx::Attribute& b) {
  return a.type == b.type && a.name == b.name && a.i == b.i &&
         std::bit_cast<std::uint32_t>(a.f) == std::bit_cast<std::uint32_t>(b.f) && a.s == b.s &&
         std::ranges::equal(a.ints, b.ints) && std::ranges::equal(a.strings, b.strings) &&
         a.floats.data() == b.floats.data() && a.t == b.t && a.g == b.g && a.sparse == b.sparse &&
         a.type_proto == b.type_proto && a.tensors.data() == b.tensors.data() &&
         a.graphs.data() == b.graphs.data();
}

}  // namespace

graph::NodeId Precedents::find(NodeId n) const {
  const NodeId same = recent_[slot(n)];
  return same != kNone && alike(n, same) ? same : kNone;
}

std::size_t Precedents::slot(NodeId n) const {
  std::uint64_t hash = model_.kind_of(n);
  const auto add = [&](std::uint64_t word) {
    hash = (std::rotl(hash, 23) ^ word) * 0x9e3779b97f4a7c15ULL;
  };
  for (const ValueId v : model_.inputs(n))
    for (const ops::Dim d : v == kNone ? std::span<const ops::Dim>() : types_[v].shape.span())
      add(std::bit_cast<std::uint64_t>(d));
  return (hash >> 32) % recent_.size();
}

bool Precedents::alike(NodeId a, NodeId b) const {
  if (model_.kind_of(a) != model_.kind_of(b)) return false;
  const std::span<const ValueId> in_a = model_.inputs(a), in_b = model_.inputs(b);
  const std::span<const ValueId> out_a = model_.outputs(a), out_b = model_.outputs(b);
  if (in_a.size() != in_b.size() || in_a.size() > kMaxInputs || out_a.size() != out_b.size())
    return false;
  for (std::size_t i = 0; i < in_a.size(); ++i) {
    if ((in_a[i] == kNone) != (in_b[i] == kNone)) return false;
    if (in_a[i] != kNone && !same_type(types_[in_a[i]], types_[in_b[i]])) return false;
    for (std::size_t k = 0; k < i; ++k)
      if ((in_a[i] == in_a[k]) != (in_b[i] == in_b[k])) return false;
  }
  for (std::size_t i = 0; i < out_a.size(); ++i)
    if ((out_a[i] == kNone) != (out_b[i] == kNone)) return false;
  return !declared(a) && !declared(b) && model_.bodies(a).empty() && model_.bodies(b).empty() &&
         std::ranges::equal(model_.node(a).attributes, model_.node(b).attributes, same_attribute);
}

/// True if an output has a declared type, which may contradict or refine the inferred one.
bool Precedents::declared(NodeId n) const {
  return std::ranges::any_of(model_.outputs(n), [&](ValueId v) {
    return v != kNone && model_.value(v).declared != nullptr;
  });
}

}  // namespace ridge::analysis
