// SPDX-License-Identifier: Apache-2.0
// Agents on pages: what they have and do, and how long ago they showed life.
//
//   markup += agents_table(rows, session::seconds_now());
//
// Thread rule: pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/experiment.h"

namespace ridge::lab::serve {

std::string agents_table(const std::vector<store::AgentRow>& agents, std::int64_t now_s);

}  // namespace ridge::lab::serve
