// SPDX-License-Identifier: Apache-2.0
#include "rewrite/rewritten.h"

#include <map>
#include <utility>

namespace ridge::rewrite {
namespace {

/// Shapes of all inputs without a default value, whose names edits do not change.
analysis::Bindings sizes_of(const analysis::Resolved& resolved, const graph::Model& after) {
  analysis::Bindings out{.sizes = {}, .shapes = {}};
  std::map<std::string_view, graph::ValueId> inputs;
  for (const graph::ValueId v : resolved.model().main().inputs)
    inputs.emplace(resolved.model().value(v).name, v);
  for (const graph::ValueId v : after.main().inputs) {
    const auto before = inputs.find(after.value(v).name);
    if (before == inputs.end() || after.value(v).tensor != nullptr) continue;
    const ops::Type& type = resolved.type(before->second);
    if (type.container != ops::Container::kTensor || !type.shape.known()) continue;
    std::vector<std::int64_t>& shape = out.shapes[std::string(before->first)];
    for (const ops::Dim d : type.shape.span()) shape.push_back(d.value());
  }
  return out;
}

}  // namespace

Result<analysis::Resolved> resolved_as(const analysis::Resolved& like,
                                       std::shared_ptr<const onnx::Document> document) {
  const auto model =
      std::make_shared<const graph::Model>(TRY(graph::Model::build(std::move(document))));
  return analysis::resolve(model, sizes_of(like, *model));
}

Origins origins(const Rewritten& copy, const graph::Model& built) {
  Origins out = copy.stands_for;
  for (auto n = static_cast<graph::NodeId>(out.size()); n < built.nodes().size(); ++n) {
    // The numbers of a body's nodes are greater than its owner's number.
    const graph::NodeId parent = built.node(n).parent;
    out.push_back(parent == graph::kNone ? std::vector<graph::NodeId>() : out[parent]);
  }
  return out;
}

Result<analysis::Resolved> rewritten(const analysis::Resolved& resolved, const Rule& rule,
                                     std::span<const Site> sites) {
  return resolved_as(resolved, apply(rule, resolved, sites).document);
}

Result<analysis::Resolved> rewritten(const analysis::Resolved& resolved,
                                     std::span<const Rule* const> rules) {
  analysis::Resolved out = resolved;
  for (const Rule* rule : rules)
    if (const std::vector<Site> sites = rule->find(out); !sites.empty())
      out = TRY(rewritten(out, *rule, sites));
  return out;
}

}  // namespace ridge::rewrite
