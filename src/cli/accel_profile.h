// What the layers of a network do to memory, as ridge accel --profile-with asks for it.
//
// Cost: with tir, a child process of seconds. Errors: those of the source that is asked for.
#pragma once

#include "accelerator/lowering.h"
#include "accelerator/nests/layer_profile.h"
#include "analysis/resolved.h"
#include "base/result.h"
#include "cli/accel_options.h"

namespace ridge::cli {

/// Differences from the closed form are explained in the remarks.
Result<accelerator::Profiles> accel_profiles(const AccelOptions& options,
                                             const accelerator::Lowered& lowered,
                                             const analysis::Resolved& resolved);

}  // namespace ridge::cli
