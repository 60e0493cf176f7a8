// SPDX-License-Identifier: Apache-2.0
// The page of `ridge share replay`: one self-contained HTML file that opens offline, in the style
// of a profile's page (report/profile/page.h).
//
// Sections: for each trace, number of clients and share of the models, hits and cold starts over
// memory, a line for each policy, and the bound that no policy passes as a dashed one (the first
// kChartedCases have charts); speed-ups over clients and shares where both vary, as TrIMS's Figure
// 10 has them; all rows as a table. Readable without scripts. Names are untrusted text and escaped.
// Thread rule: pure.
#pragma once

#include <cstddef>
#include <string>

#include "sharing/record/replay.h"

namespace ridge::report {

inline constexpr std::size_t kChartedCases = 24;

std::string replay_page(const sharing::Replay& replay);

}  // namespace ridge::report
