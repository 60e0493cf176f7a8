// Files that ridge eval writes beside its document: the trace and the page.
#pragma once

#include "cli/console.h"
#include "cli/verbs/eval_request.h"
#include "workbench/environment.h"
#include "workbench/evaluated.h"

namespace ridge::cli {

/// Writes those that the options name; what the trace consists of goes to the notices.
Result<void> write_eval_files(const EvalOptions& options, const workbench::Evaluation& evaluation,
                              const workbench::Environment& environment, Console& console);

}  // namespace ridge::cli
