// The documents ridge.estimate/1 and ridge.bricks_check/1: estimates from bricks, and how far they
// are from measured models.
//
//   write_estimates(document, sink);
//   write_check(check, sink);
//
// Schemas: data/schema/. Thread rule: pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/sink.h"
#include "bricks/check.h"
#include "bricks/estimate.h"

namespace ridge::bricks {

struct EstimateDocument {
  std::string ridge, runtime, runtime_version, host;
  std::uint32_t threads = 1;
  std::vector<ModelEstimate> models;
};

void write_estimates(const EstimateDocument& document, Sink& sink);
void write_check(const Check& check, Sink& sink);

}  // namespace ridge::bricks
