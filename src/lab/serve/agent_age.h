// SPDX-License-Identifier: Apache-2.0
// The time since agents showed life, for people. Thread rule: pure.
#pragma once

#include <cstdint>
#include <string>

#include "store/experiment.h"

namespace ridge::lab::serve {

/// "12 s ago", "3 min ago", a date where it is longer ago, "never" for 0. Of a clock that is ahead
/// it is "0 s ago".
std::string age_text(std::int64_t then_s, std::int64_t now_s);

/// True if the sign of life that should follow is overdue, as when what told of it was killed.
bool is_silent(const store::Agent& agent, std::int64_t now_s);

}  // namespace ridge::lab::serve
