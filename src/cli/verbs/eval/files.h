// SPDX-License-Identifier: Apache-2.0
// Files that ridge eval writes beside its document: the trace and the page.
#pragma once

#include "cli/console.h"
#include "cli/verbs/eval/request.h"
#include "evaluation/record/evaluation.h"
#include "session/environment.h"

namespace ridge::cli {

/// Writes those that the options name, and hands failures to `writing`; the parts of the trace go
/// to the notices.
void write_eval_files(const EvalOptions& options, const evaluation::Evaluation& evaluation,
                      const session::Environment& environment, Writing& writing, Console& console);

}  // namespace ridge::cli
