// The study that the flags of ridge accel ask for.
#pragma once

#include "base/result.h"
#include "cli/accel_options.h"
#include "workbench/study_spec.h"

namespace ridge::cli {

/// The flags as types. Errors (usage class): values that cannot be read.
Result<workbench::StudySpec> spec_of(const AccelOptions& options);

}  // namespace ridge::cli
