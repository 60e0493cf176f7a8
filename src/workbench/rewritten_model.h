// A model after edits (rewrite/rule.h), ready to be loaded, measured or written.
//
//   const RewrittenModel better = TRY(rewritten(resolved, bindings, {&silu, &constant_inputs}));
//   TRY(onnx::write_file(*better.model->shared_document(), "better.onnx"));
//
// Thread rule: immutable once made.
#pragma once

#include <memory>
#include <span>

#include "analysis/resolved.h"
#include "rewrite/rule.h"

namespace ridge::workbench {

/// The model with the rules applied one after the other, each wherever it finds a site in what the
/// ones before left, at the same sizes. Errors: those of Model::build and analysis::resolve, which
/// would be a defect of an edit.
Result<analysis::Resolved> rewritten(const analysis::Resolved& resolved,
                                     std::span<const rewrite::Rule* const> rules);

}  // namespace ridge::workbench
