// SPDX-License-Identifier: Apache-2.0
// Words for tables and pages on the outputs of a model after a finding is applied.
//
//   outputs_words(finding)      // "the same up to rounding (lossless)"
//   compared_words(*outputs)    // "differ by at most 4e-07 of ...; compared at n=1; n=2; ..."
//
// Thread rule: pure.
#pragma once

#include <string>

#include "advice/record/advice.h"

namespace ridge::advice {

/// "" for a finding that cannot be applied.
std::string outputs_words(const Finding& finding);

std::string compared_words(const OutputDifference& outputs);

}  // namespace ridge::advice
