// Figures with intervals in documents.
#pragma once

#include <optional>
#include <string_view>

#include "base/json_writer.h"
#include "scenario/evaluation.h"

namespace ridge::workbench {

/// An array of two numbers, or null.
void write_interval(JsonWriter& json, const std::optional<stats::Interval>& interval);

/// An object with the rate and its interval, under its key.
void write_rate(JsonWriter& json, std::string_view key, const scenario::Rate& rate);

}  // namespace ridge::workbench
