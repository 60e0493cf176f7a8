// SPDX-License-Identifier: Apache-2.0
// Names of the tensors that a node of a canonical copy reads.
#pragma once

#include <string_view>

#include "onnx/document.h"

namespace ridge::attribution {

/// Calls `visit` with every name that a node reads, including its bodies. Names are unique across
/// the graphs of a copy, so names that a body itself defines are harmless. The nesting of bodies is
/// the model's, which the builder bounds. An omitted input has the name "".
template <typename Visit>
void each_name_read(const onnx::Node& node, Visit&& visit) {
  for (const std::string_view name : node.inputs) visit(name);
  const auto body = [&](const onnx::Graph& g) {
    for (const onnx::Node& n : g.nodes) each_name_read(n, visit);
    for (const onnx::ValueInfo& output : g.outputs) visit(output.name);
  };
  for (const onnx::Attribute& a : node.attributes) {
    if (a.g != nullptr) body(*a.g);
    for (const onnx::Graph& g : a.graphs) body(g);
  }
}

}  // namespace ridge::attribution
