// SPDX-License-Identifier: Apache-2.0
// Conversion of the options of ridge accel to a StudySpec.
#pragma once

#include "accelerator/study/spec.h"
#include "base/result.h"
#include "cli/verbs/accel/options.h"

namespace ridge::cli {

/// Converts the options. Errors (usage class): values that cannot be parsed.
Result<accelerator::StudySpec> spec_of(const AccelOptions& options);

}  // namespace ridge::cli
