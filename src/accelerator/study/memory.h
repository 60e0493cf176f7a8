// SPDX-License-Identifier: Apache-2.0
// Memory profiles of a network's nodes: from closed forms, from our loop nests, or from TVM's.
//
// Cost: with tir, a child process that runs for seconds. Errors: the source's.
#pragma once

#include "accelerator/lowering.h"
#include "accelerator/nests/layer_profile.h"
#include "accelerator/study/spec.h"
#include "analysis/resolved.h"
#include "base/result.h"
#include "session/environment.h"

namespace ridge::accelerator {

/// Profiles from loop nests have remarks that explain their differences from the closed form.
Result<Profiles> study_memory(const StudySpec& spec, const Lowered& lowered,
                              const analysis::Resolved& resolved,
                              const session::Environment& environment);

}  // namespace ridge::accelerator
