// SPDX-License-Identifier: Apache-2.0
// Files with the costs of models, as people write them:
//
//   [[model]]
//   name = "resnet50"
//   bytes = 102_000_000
//   own_load_ns = 383_000_000
//   prepared_load_ns = 34_000_000
//
// Hostile text is safe (record/toml.h). Errors: input class, those of record/json_read.h with line
// and column, RIDGE-SHARE-0203. Thread rule: plain functions.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "sharing/record/costs.h"

namespace ridge::sharing {

Result<CostTable> parse_costs(std::string_view toml);
/// The error names the file.
Result<CostTable> read_costs(const std::string& path);

}  // namespace ridge::sharing
