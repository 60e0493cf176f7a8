// SPDX-License-Identifier: Apache-2.0
// Table of ridge share replay. Thread rule: pure functions.
#pragma once

#include <string>

#include "export/table.h"
#include "sharing/record/replay.h"

namespace ridge::cli {

exports::Table table_of(const sharing::Replay& replay);

/// Line above the table: costs, seed, arrivals, models that rho keeps apart.
std::string heading_of(const sharing::Replay& replay);

}  // namespace ridge::cli
