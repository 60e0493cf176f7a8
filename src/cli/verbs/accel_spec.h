// Conversion of the options of ridge accel to a StudySpec.
#pragma once

#include "base/result.h"
#include "cli/verbs/accel_options.h"
#include "workbench/study_spec.h"

namespace ridge::cli {

/// Converts the options. Errors (usage class): values that cannot be parsed.
Result<workbench::StudySpec> spec_of(const AccelOptions& options);

}  // namespace ridge::cli
