// SPDX-License-Identifier: Apache-2.0
// Models in tests of edits.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "analysis/testing.h"
#include "rewrite/rule.h"

namespace ridge::rewrite {

using analysis::testing::resolved;

inline analysis::Resolved resolved(std::shared_ptr<const onnx::Document> document) {
  Result<graph::Model> model = graph::Model::build(std::move(document));
  if (!model.ok()) throw std::runtime_error(model.error().text());
  Result<analysis::Resolved> r =
      analysis::resolve(std::make_shared<const graph::Model>(std::move(*model)), {});
  if (!r.ok()) throw std::runtime_error(r.error().text());
  return std::move(*r);
}

/// A sketch with a version of ai.onnx.
inline std::shared_ptr<onnx::Document> sketch(std::string_view text, std::int64_t opset) {
  std::shared_ptr<onnx::Document> document = graph::Sketch::document(text);
  std::vector<onnx::OperatorSet> opsets(document->model.opsets.begin(),
                                        document->model.opsets.end());
  opsets.at(0).version = opset;
  document->model.opsets = document->arena.copy(opsets);
  return document;
}

inline const Rule& rule_named(std::string_view name) {
  return *std::ranges::find(rules(), name, &Rule::name);
}

/// The operators of the main graph in order: "Relu Add".
inline std::string operators_of(const Rewritten& r) {
  std::vector<std::string_view> out;
  for (const onnx::Node& n : r.document->model.graph.nodes) out.push_back(n.op_type);
  return fmt::format("{}", fmt::join(out, " "));
}

/// The nodes of the main graph, a line each: "Add(a, b) -> c".
inline std::string text_of(const Rewritten& r) {
  const auto list = [](std::span<const Text> names) {
    std::vector<std::string_view> out(names.begin(), names.end());
    return fmt::format("{}", fmt::join(out, ", "));
  };
  std::string out;
  for (const onnx::Node& n : r.document->model.graph.nodes)
    out += fmt::format("{}({}) -> {}\n", n.op_type.view(), list({n.inputs.data(), n.inputs.size()}),
                       list({n.outputs.data(), n.outputs.size()}));
  return out;
}

}  // namespace ridge::rewrite
