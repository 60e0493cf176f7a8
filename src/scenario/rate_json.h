// Rates with intervals in documents.
#pragma once

#include <string_view>

#include "base/json_writer.h"
#include "scenario/evaluation.h"

namespace ridge::scenario {

/// An object with the rate and its interval, under its key.
void write_rate(JsonWriter& json, std::string_view key, const Rate& rate);

}  // namespace ridge::scenario
