// SPDX-License-Identifier: Apache-2.0
// Latencies of models from the bricks in a store; the models themselves are loaded and never run.
//
//   const EstimateRequest request{.models = {{"resnet50.onnx", spec}}, .store = "bricks.db"};
//   const BrickEstimates done = TRY(estimate_models(request, environment));
//   record::write_json(done.document, sink);
//
// A model that cannot be opened or loaded is reported to the notices and the others go on. Errors:
// the store's; input class (RIDGE-WB-0076) if it has no bricks of this runtime, version, thread
// count and host. Thread rule: one thread.
#pragma once

#include <string>
#include <vector>

#include "bricks/estimate_document.h"
#include "session/environment.h"
#include "session/matrix.h"

namespace ridge::bricks {

struct EstimateRequest {
  std::vector<session::ModelSpec>
      models;  ///< each spec has one runtime, one thread count, one set of sizes
  std::string store;
};

struct BrickEstimates {
  EstimateDocument document;
  std::vector<std::string> failed;  ///< models that have no estimate because they cannot be loaded
};

Result<BrickEstimates> estimate_models(const EstimateRequest& request,
                                       const session::Environment& environment);

}  // namespace ridge::bricks
