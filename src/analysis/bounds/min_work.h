// SPDX-License-Identifier: Apache-2.0
// Lower bounds on the work of a node in any implementation: bytes that it must access and
// multiplications that it must perform. The time bounds in roofline/bound.h are based on them.
//
//   min_read(resolved, node, value)     // bytes, and bytes of cache lines, of one input
//   min_macs(resolved, node)
//
// They are below the counts of the definition (NodeCounts) where
// - a window skips elements (stride larger than the kernel), or a Slice, Gather or Resize omits
//   some;
// - the data decides which elements are read: a Gather may read the same row repeatedly;
// - an output may share its input's memory and be updated in place (ScatterND), or has no reader;
// - taps lie in the padding, outputs of a transposed convolution are cropped, or keys are masked.
// Multiplications are counted for the direct algorithm; Winograd and FFT convolution need fewer and
// are not covered. Where the data or the choice of algorithm decides, the result is 0: a bound must
// hold for every run. All results are for one execution.
// Cost: see window_axes.h. Thread safety: pure. Result: nullopt if a size is unknown.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/bounds/touched.h"
#include "analysis/resolved.h"

namespace ridge::analysis {

/// Positions of a fused attention that take part. Its mask, lengths and positions are data; inputs
/// that ridge makes let all take part (measure/input_meaning.h), of a user's it is not known.
enum class TakePart : std::uint8_t { kUnknown, kAll };

/// Lower bound on the bytes read of the input `value`, over all its uses by the node.
std::optional<Touch> min_read(const Resolved& resolved, graph::NodeId node, graph::ValueId value,
                              TakePart positions = TakePart::kUnknown);
/// Lower bound on the bytes written of the output `value`.
std::optional<Touch> min_written(const Resolved& resolved, graph::NodeId node,
                                 graph::ValueId value);
std::optional<std::int64_t> min_macs(const Resolved& resolved, graph::NodeId node);

}  // namespace ridge::analysis
