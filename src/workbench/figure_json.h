// Rates with intervals in documents.
#pragma once

#include <string_view>

#include "base/json_writer.h"
#include "scenario/evaluation.h"

namespace ridge::workbench {

/// An object with the rate and its interval, under its key.
void write_rate(JsonWriter& json, std::string_view key, const scenario::Rate& rate);

}  // namespace ridge::workbench
