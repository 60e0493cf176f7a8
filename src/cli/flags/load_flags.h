// SPDX-License-Identifier: Apache-2.0
// Values of the flags of ridge eval that say how queries run: in batches, on several models, after
// a warm-up.
//
//   --batching max=8,wait=2ms,sizes=1/4/8   --mix other.onnx=0.3   --warmup 2s
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "scenario/scenario.h"

namespace ridge::cli {

/// Parses "max=8,wait=2ms,sizes=1/4/8"; nullopt for "". Errors: usage class, RIDGE-CLI-0180, those
/// of scenario::check.
Result<std::optional<scenario::Batching>> parse_batching(const std::string& text);

/// A model and its share of the queries.
struct MixedShare {
  std::string model;
  double share = 0;
};

/// Parses "MODEL=SHARE", of which a model's name may contain '='. Errors: usage class,
/// RIDGE-CLI-0181.
Result<MixedShare> parse_mix(const std::string& text);

/// Sets the warm-up of a scenario from a time or a number of queries; "" is none. Errors: usage
/// class, RIDGE-CLI-0182.
Result<void> set_warmup(const std::string& text, scenario::Scenario& scenario);

}  // namespace ridge::cli
