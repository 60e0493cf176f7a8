// SPDX-License-Identifier: Apache-2.0
// Options and seeds of an evaluation as the text of its lock, both ways: everything of a request
// that changes its result and is neither a file nor a runtime.
//
//   write_settings(request, lock);                     // lock.options, lock.seeds
//   TRY(read_settings(lock, request));
//
// Options have the names of the fields in evaluation/repeat/settings.cc; "size.batch", "shape.x"
// and "runtime_option.NUM_STREAMS" are of what the user names. What is absent keeps its default.
// Errors: input class with line and column, as in record/settings.h, and RIDGE-WB-0161 for a
// value. Pure.
#pragma once

#include "base/result.h"
#include "evaluation/record/request.h"
#include "manifest/lock.h"

namespace ridge::evaluation {

void write_settings(const EvaluationRequest& request, manifest::Lock& lock);
Result<void> read_settings(const manifest::Lock& lock, EvaluationRequest& request);

}  // namespace ridge::evaluation
