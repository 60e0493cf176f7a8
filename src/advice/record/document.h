// The document ridge.advice/1 (data/schema/ridge.advice.1.json).
//
//   write_advice(advice, sink);
//
// Thread rule: pure.
#pragma once

#include "advice/record/advice.h"
#include "base/sink.h"

namespace ridge::advice {

void write_advice(const Advice& advice, Sink& sink);

}  // namespace ridge::advice
