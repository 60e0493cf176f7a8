// SPDX-License-Identifier: Apache-2.0
// A profile as rows for scripts, pandas and DuckDB: layers as JSON lines, spans as CSV. (Layers as
// CSV: export/profile/table.h.)
//
// Deterministic. The name of a column includes the unit. An unknown value is null or empty.
#pragma once

#include "base/sink.h"
#include "profile/profile.h"

namespace ridge::exports {

/// One line per layer, in order of execution: the columns of profile_csv, with `members` as objects
/// and `runs_ns`.
void write_layer_lines(const profile::Profile& profile, Sink& sink);

/// One row per span: id, parent, level, name, start_ns, end_ns, thread, device, queue, correlation,
/// attributes (a JSON object). Recorded spans, or the timeline of export/profile/made_timeline.h.
void write_span_rows(const profile::Profile& profile, Sink& sink);

}  // namespace ridge::exports
