// What of one input a node must read, by operator: the rules behind least_read.
//
// Every operator reads its inputs as a whole but those with a rule here. Cost and threads: as
// least_work.h.
#pragma once

#include <cstddef>
#include <optional>

#include "analysis/resolved.h"
#include "analysis/touched.h"

namespace ridge::analysis {

/// Of input `i`, which is given. nullopt where its size is not known.
std::optional<Touch> partial_read(const Resolved& resolved, graph::NodeId node, std::size_t i);

/// The output is an input of the same node with a part changed (ScatterND), or with rows put behind
/// it (a cache of keys), which a runtime may do where the input lies.
bool written_in_place(const Resolved& resolved, graph::NodeId node, graph::ValueId output);

}  // namespace ridge::analysis
