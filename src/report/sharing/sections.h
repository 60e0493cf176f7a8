// SPDX-License-Identifier: Apache-2.0
// Sections of the page of `ridge share replay` (page.h). Each is "" where it has nothing to show.
#pragma once

#include <string>
#include <vector>

#include "sharing/record/replay.h"

namespace ridge::report {

/// Rows of one trace, number of clients and share, in the order of memory.
struct ReplayGroup {
  std::string title;  ///< "zipf, 4 clients, 50 % of the models"
  std::vector<const sharing::ReplayRow*> rows;
};

std::vector<ReplayGroup> replay_groups(const sharing::Replay& replay);

std::string replay_charts(const std::vector<ReplayGroup>& groups);
std::string replay_speedups(const sharing::Replay& replay);
std::string replay_rows(const sharing::Replay& replay);

}  // namespace ridge::report
