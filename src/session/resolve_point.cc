// SPDX-License-Identifier: Apache-2.0
#include "session/resolve_point.h"

namespace ridge::session {

Result<analysis::Resolved> resolve_point(const OpenedModel& opened, const analysis::Bindings& point,
                                         const NoteWarnings& warnings) {
  Result<analysis::Resolved> resolved = analysis::resolve(opened.model, point, opened.defaults);
  warnings.environment.hide_progress();
  if (resolved.ok())
    for (const std::string& note : resolved->notes())
      if (warnings.warned.insert(note).second)
        warnings.environment.notices.warn(warnings.model, note);
  return resolved;
}

}  // namespace ridge::session
