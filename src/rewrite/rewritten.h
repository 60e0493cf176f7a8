// SPDX-License-Identifier: Apache-2.0
// Edited models, resolved at the sizes of the model that they come from.
//
//   const analysis::Resolved better = TRY(rewritten(resolved, {&silu, &constant_inputs}));
//   TRY(onnx::write_file(better.model().document(), "better.onnx"));
//
// Errors: as Model::build and analysis::resolve, which would be a defect of an edit. Thread
// rule: pure.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "analysis/resolved.h"
#include "rewrite/rule.h"

namespace ridge::rewrite {

/// An edited copy of `like`, whose inputs keep their names, at its sizes.
Result<analysis::Resolved> resolved_as(const analysis::Resolved& like,
                                       std::shared_ptr<const onnx::Document> document);

/// By node of an edited copy: the nodes of the model that it stands for.
using Origins = std::vector<std::vector<graph::NodeId>>;

/// By node of the edited copy, nodes of bodies included: nodes of the model that it stands for. A
/// node of a body stands for what the node with the body does.
Origins origins(const Rewritten& copy, const graph::Model& built);

/// The model with a rule applied at sites that find() returned for it.
Result<analysis::Resolved> rewritten(const analysis::Resolved& resolved, const Rule& rule,
                                     std::span<const Site> sites);

/// The model with the rules applied one after the other, each wherever it finds a site in what the
/// ones before left.
Result<analysis::Resolved> rewritten(const analysis::Resolved& resolved,
                                     std::span<const Rule* const> rules);

}  // namespace ridge::rewrite
