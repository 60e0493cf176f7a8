// SPDX-License-Identifier: Apache-2.0
// The evaluation that flags and lock of ridge eval ask for together.
//
//   const std::optional<manifest::Lock> locked = TRY(existing_lock(options.keeping));
//   const EvaluationRequest request = TRY(locked_request(options, locked));
//
// With a model on the command line, the flags state the evaluation as ever; without one the lock
// states everything, and flags may only say where files lie. Errors: usage class, RIDGE-CLI-0175
// (neither model nor lock), 0176 (a flag that the lock states); those of the lock.
#pragma once

#include <optional>

#include "cli/verbs/eval/request.h"
#include "manifest/lock.h"

namespace ridge::cli {

Result<evaluation::EvaluationRequest> locked_request(const EvalOptions& options,
                                                     const std::optional<manifest::Lock>& locked,
                                                     const session::Environment& environment);

}  // namespace ridge::cli
