// SPDX-License-Identifier: Apache-2.0
// Errors that every kind of run database has; the hint is each kind's own. `database` is the path
// of a file or the URI of a server. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace ridge::store {

/// Codes of the errors for a run and an evaluation that do not exist.
inline constexpr std::string_view kNoSuchRun = "RIDGE-STORE-0010",
                                  kNoSuchEvaluation = "RIDGE-STORE-0011",
                                  kNoSuchExperiment = "RIDGE-STORE-0022";

/// Input class, RIDGE-STORE-0002. `what`: "this SQLite file".
Error foreign_database(std::string_view what, std::string evidence, std::string hint,
                       const std::string& database);
/// Input class, RIDGE-STORE-0004.
Error damaged_database(std::string_view why, std::string hint, const std::string& database);
/// Environment class, RIDGE-STORE-0006: other writers took longer than the patience.
Error busy_database(std::string hint, const std::string& database);
/// Environment class, RIDGE-STORE-0008: the medium. `words`: what the database says.
Error failing_database(std::string words, std::string hint, const std::string& database);

}  // namespace ridge::store
