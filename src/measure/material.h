// SPDX-License-Identifier: Apache-2.0
// Data passed to every process that measures a model: the copy, its weights, its inputs.
//
//   Material m = TRY(prepare(resolved, request, attribution::CanonicalOptions::Sizes::kStatic));
//   Started s = TRY(start(request.runtime, m));     // loaded, with its inputs set
//
// Ownership: keeps the model's document alive. Thread rule: one thread. Cost: one pass over the
// inputs' elements; weights are not copied.
#pragma once

#include <vector>

#include "analysis/resolved.h"
#include "attribution/canonical.h"
#include "measure/request.h"
#include "runtime/inputs/inputs.h"
#include "runtime/runtime.h"
#include "runtime/weights.h"

namespace ridge::measure {

struct Material {
  attribution::Canonical copy;
  std::vector<runtime::Weight> weights;
  runtime::Inputs inputs;
};

/// Errors: as attribution::canonicalise, input_specs and runtime::Inputs.
Result<Material> prepare(const analysis::Resolved& resolved, const Request& request,
                         attribution::CanonicalOptions::Sizes sizes);

/// Data for a copy that was made before.
Result<Material> prepare(const analysis::Resolved& resolved, const Request& request,
                         attribution::Canonical copy);

/// A runtime with a model loaded and its inputs set, to run it without profiling.
struct Started {
  runtime::Runtime runtime;
  runtime::SessionId session = 0;
};
Result<Started> start(const runtime::Options& options, const Material& material);

/// Returns the weights of a copy or of a part of one.
Result<std::vector<runtime::Weight>> weights_of(const attribution::Canonical& copy);

}  // namespace ridge::measure
