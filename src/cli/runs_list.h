// The runs of a store as text: a table for people, CSV, and ridge.runs/1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/sink.h"
#include "store/store.h"

namespace ridge::cli {

/// "[40.00 µs, 42.00 µs]", "?" where the run does not say.
std::string interval_text(const profile::Estimate& e);
/// For CSV: empty where the run does not say (NaN).
std::string plain_number(double value);

/// "2026-11-22 01:59", UTC.
std::string date_text(std::int64_t seconds);

struct StoreContent {
  std::vector<store::RunRow> runs;
  std::vector<store::Failure> failures;
};

void write_list(const StoreContent& content, std::string_view format, Sink& sink);

}  // namespace ridge::cli
