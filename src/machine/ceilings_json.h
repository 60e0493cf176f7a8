// Roofs as the rows of ridge.machine/1, written and read back. A row that cannot be read is
// dropped, so a document of a later minor version still serves. Thread rule: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/json_writer.h"
#include "machine/ceilings.h"

namespace ridge::machine {

/// The array under "ceilings".
void write_ceilings(JsonWriter& json, const std::vector<Ceiling>& rows);

std::vector<Ceiling> ceilings_from(const nlohmann::json& array);

}  // namespace ridge::machine
