// SPDX-License-Identifier: Apache-2.0
#include "analysis/bodies.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::analysis {

Bodies bodies_of(const graph::Node& node) {
  if (node.bodies.empty()) return Bodies::kNone;
  const bool own =
      std::any_of(node.attributes.begin(), node.attributes.end(),
                  [](const onnx::Attribute& a) { return a.g != nullptr || !a.graphs.empty(); });
  if (!own) return Bodies::kCall;
  if (node.domain == "ai.onnx.preview" && node.op_type == "FlexAttention")
    return Bodies::kModifiers;
  if (!node.domain.empty()) return Bodies::kOther;
  if (node.op_type == "If") return Bodies::kIf;
  if (node.op_type == "Loop") return Bodies::kLoop;
  if (node.op_type == "SequenceMap") return Bodies::kMap;
  if (node.op_type == "Scan") return node.opset >= 9 ? Bodies::kScan : Bodies::kBatchedScan;
  return Bodies::kOther;
}

graph::GraphId body_named(const graph::Node& node, std::string_view name) {
  std::size_t at = 0;
  for (const onnx::Attribute& a : node.attributes) {
    const std::size_t held = a.graphs.size() + (a.g != nullptr ? 1 : 0);
    if (a.name == name && held == 1 && at < node.bodies.size()) return node.bodies[at];
    at += held;
  }
  return graph::kNone;
}

Error malformed(const graph::Node& node, std::string message) {
  return input_error("RIDGE-ANA-0301", fmt::format("{}: {}", node.op_type, message))
      .hint("the file violates the ONNX standard; export it again");
}

}  // namespace ridge::analysis
