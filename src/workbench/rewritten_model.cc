#include "workbench/rewritten_model.h"

namespace ridge::workbench {
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

Result<analysis::Resolved> rewritten(const analysis::Resolved& resolved,
                                     std::span<const rewrite::Rule* const> rules) {
  analysis::Resolved out = resolved;
  for (const rewrite::Rule* rule : rules) {
    const std::vector<rewrite::Site> sites = rule->find(out);
    if (sites.empty()) continue;
    const rewrite::Rewritten edited = rewrite::apply(*rule, out, sites);
    const auto model =
        std::make_shared<const graph::Model>(TRY(graph::Model::build(edited.document)));
    out = TRY(analysis::resolve(model, sizes_of(resolved, *model)));
  }
  return out;
}

}  // namespace ridge::workbench
