// SPDX-License-Identifier: Apache-2.0
// Advice on a model: measures it, compares it with the roofs, with other ways to run it and with
// measured bricks, and finds edits after which the runtime executes other kernels; on request
// applies and measures them.
//
//   const AdviceRequest request{.model = "model.onnx", .spec = spec, .checks = {"all"}};
//   const Advised done = TRY(advise(request, environment));
//   record::write_json(done.advice, sink);
//
// With a store, the run comes from there if it has one of the same model, runtime, options and
// host, else it is measured and stored; bricks come from there too, and are measured on request;
// checks are kept there. Errors: as measuring, and the store's; usage class (RIDGE-WB-0091)
// for a finding that does not exist. An edit that the runtime rejects is a note. Thread rule: one
// thread.
#pragma once

#include <string>

#include "advice/record/request.h"
#include "base/result.h"
#include "session/environment.h"

namespace ridge::advice {

Result<Advised> advise(const AdviceRequest& request, const session::Environment& environment);

/// Writes the model with a finding applied to `path`. Nothing is measured. Errors: RIDGE-WB-0091,
/// and as onnx::write_file.
Result<void> apply_advice(const AdviceRequest& request, const std::string& id,
                          const std::string& path, const session::Environment& environment);

}  // namespace ridge::advice
