// Complete ridge.machine/1 document: host, fitness, roofs. Thread rule: pure.
#pragma once

#include "base/sink.h"
#include "machine/ceiling.h"
#include "machine/fitness.h"
#include "machine/host.h"

namespace ridge::machine {

/// Writes the document. With null `ceilings` the array is empty (ridge doctor).
void write_machine(Sink& sink, const Host& host, const std::vector<Check>& checks,
                   const Ceilings* ceilings);

}  // namespace ridge::machine
