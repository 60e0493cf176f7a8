// SPDX-License-Identifier: Apache-2.0
// Per-operator rules for the part of an input that a node must read; implements min_read.
//
// An operator without a rule here reads its inputs entirely. Cost and thread safety: as
// min_work.h.
#pragma once

#include <cstddef>
#include <optional>

#include "analysis/bounds/touched.h"
#include "analysis/resolved.h"

namespace ridge::analysis {

/// Lower bound on the bytes read of input `i`, which must be present; nullopt if its size is
/// unknown.
std::optional<Touch> partial_read(const Resolved& resolved, graph::NodeId node, std::size_t i);

/// True if a runtime may update the input in place: the output is an input with a part replaced
/// (ScatterND) or with rows appended (a key cache).
bool written_in_place(const Resolved& resolved, graph::NodeId node, graph::ValueId output);

}  // namespace ridge::analysis
