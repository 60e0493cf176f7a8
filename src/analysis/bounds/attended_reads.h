// SPDX-License-Identifier: Apache-2.0
// Bytes that a fused attention must read where every position takes part.
//
//   attended_read(resolved, node, 3)     // GroupQueryAttention: all keys of the cache
//
// Queries, keys, values and weights are read whole, and so is the cache, except for rows that lie
// before a window (local_window_size) or behind the positions in use (a buffer that is longer than
// total_sequence_length says). Cost and thread safety: as min_work.h.
#pragma once

#include <cstddef>
#include <optional>

#include "analysis/bounds/touched.h"
#include "analysis/resolved.h"

namespace ridge::analysis {

/// nullopt for another operator or input, or where a size or the number of positions is unknown.
std::optional<Touch> attended_read(const Resolved& resolved, graph::NodeId node, std::size_t i);

}  // namespace ridge::analysis
