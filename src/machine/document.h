// The whole of ridge.machine/1: the host, its fitness, its roofs. Thread rule: pure.
#pragma once

#include "base/sink.h"
#include "machine/ceilings.h"
#include "machine/fitness.h"
#include "machine/host.h"

namespace ridge::machine {

/// `ceilings` null: the key is an empty array (ridge doctor).
void write_machine(Sink& sink, const Host& host, const std::vector<Check>& checks,
                   const Ceilings* ceilings);

}  // namespace ridge::machine
