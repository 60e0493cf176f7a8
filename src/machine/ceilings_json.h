// Reading and writing of roofs as the rows of ridge.machine/1. Unreadable rows are dropped, so
// documents of later minor versions remain usable. Thread rule: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/json_writer.h"
#include "machine/ceiling.h"

namespace ridge::machine {

/// Writes the array under "ceilings".
void write_ceilings(JsonWriter& json, const std::vector<Ceiling>& rows);

std::vector<Ceiling> ceilings_from(const nlohmann::json& array);

}  // namespace ridge::machine
