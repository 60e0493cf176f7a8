// SPDX-License-Identifier: Apache-2.0
// Resolves an opened model at one of several points, and warns of what the analysis notes.
//
//   std::set<std::string> warned;
//   for (const analysis::Bindings& point : spec.sizes)
//     const auto resolved = TRY(resolve_point(opened, point, {model, environment, warned}));
//
// Errors: as analysis::resolve. Thread rule: one thread.
#pragma once

#include <set>
#include <string>

#include "analysis/resolved.h"
#include "base/result.h"
#include "session/environment.h"
#include "session/model_source.h"

namespace ridge::session {

/// Receiver of the notes of the analysis: each becomes a warning about the model once.
struct NoteWarnings {
  const std::string& model;  ///< its name in warnings
  const Environment& environment;
  std::set<std::string>& warned;  ///< notes that were reported
};

Result<analysis::Resolved> resolve_point(const OpenedModel& opened, const analysis::Bindings& point,
                                         const NoteWarnings& warnings);

}  // namespace ridge::session
