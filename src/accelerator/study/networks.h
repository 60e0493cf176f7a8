// SPDX-License-Identifier: Apache-2.0
// Networks of a study: a model at each of its sizes, a SCALE-Sim topology, or matrix products.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "accelerator/lowering.h"
#include "accelerator/study/result.h"
#include "accelerator/study/spec.h"
#include "base/result.h"
#include "session/environment.h"

namespace ridge::accelerator {

using SharedNetwork = std::shared_ptr<const StudyNetwork>;

/// Returns a network per combination of sizes; the model is read once. Each warning is reported
/// once.
Result<std::vector<SharedNetwork>> study_networks(const StudySpec& spec, Layers layers,
                                                  const session::Environment& environment);

/// Name of the network: the file, the zoo's name, the product, or "3 products".
std::string study_subject(const StudySpec& spec);

}  // namespace ridge::accelerator
