// SPDX-License-Identifier: Apache-2.0
// Estimates of several models, as estimate_describe.h makes a document of them. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bricks/estimate.h"

namespace ridge::bricks {

struct EstimateDocument {
  std::string ridge, runtime, runtime_version, host;
  std::uint32_t threads = 1;
  std::vector<ModelEstimate> models;
};

}  // namespace ridge::bricks
