// SPDX-License-Identifier: Apache-2.0
// Points of a generation before it runs.
//
//   const session::PointList list = TRY(list_points(request, environment, {.store = &store}));
//
// Errors: as opening models and the request's files has. Cost: reads the models; starts each
// runtime if there is a store. Thread rule: one thread.
#pragma once

#include "generation/keeping.h"
#include "generation/token_generation.h"
#include "session/environment.h"
#include "session/point_list.h"

namespace ridge::generation {

/// The wanted points of the keeping with their keys, and which of them its store has.
Result<session::PointList> list_points(const TokenGenerationRequest& request,
                                       const session::Environment& environment,
                                       const GenerationKeeping& keeping);

/// Usage error (RIDGE-WB-0202) for several threads or sizes; those of session::check().
Result<void> check_generation(const TokenGenerationRequest& request);

}  // namespace ridge::generation
