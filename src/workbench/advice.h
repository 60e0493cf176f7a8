// Advice on a model: measures it, compares it with the roofs and with measured bricks, and finds
// edits after which the runtime executes other kernels; on request applies and measures them.
//
//   const AdviceRequest request{.model = "model.onnx", .spec = spec, .checks = {"all"}};
//   const advice::Advice advice = TRY(advise(request, environment));
//   advice::write_advice(advice, sink);
//
// The run comes from the store if it has one of the same model, runtime, options and host. Bricks
// are never measured here. Errors: those of measuring; usage class (RIDGE-WB-0091) for a finding
// that does not exist. An edit that the runtime rejects is a note. Thread rule: one thread.
#pragma once

#include <string>
#include <vector>

#include "advice/advice.h"
#include "workbench/environment.h"
#include "workbench/measure_spec.h"

namespace ridge::workbench {

struct AdviceRequest {
  std::string model;
  MeasureSpec spec;                 ///< one runtime, one thread count, one set of sizes
  std::string store;                ///< run database with runs and bricks; "": none
  std::vector<std::string> checks;  ///< ids of findings to check, or "all"
};

Result<advice::Advice> advise(const AdviceRequest& request, const Environment& environment);

/// Writes the model with a finding applied to `path`. Nothing is measured. Errors: RIDGE-WB-0091,
/// and those of onnx::write_file.
Result<void> apply_advice(const AdviceRequest& request, const std::string& id,
                          const std::string& path, const Environment& environment);

}  // namespace ridge::workbench
