// The least that any implementation of a node must do: bytes that it must touch, multiplications
// that it cannot leave out. What bounds on time stand on (roofline/bound.h).
//
//   least_read(resolved, node, value)     // bytes, and bytes of cache lines, of one input
//   least_macs(resolved, node)
//
// Less than the counts of the definition (NodeCounts) where
// - a window skips elements (a stride over the kernel), a Slice, Gather or Resize leaves some out;
// - the data decides which elements are read: a Gather may be asked for one row again and again;
// - an output may be its input, changed in place (ScatterND), or has no reader;
// - taps lie in padding, outputs of a transposed convolution are cropped, keys are masked.
// Multiplications are those of the direct algorithm; Winograd's or Fourier's convolution needs
// fewer, and has no bound of this kind. Where only the data or another algorithm decides, the
// figure is 0: a bound must hold for every run. All figures are of one execution.
// Cost: see window_axes.h. Thread rule: pure. nullopt where a size is not known.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/resolved.h"
#include "analysis/touched.h"

namespace ridge::analysis {

/// Of the input `value`, over all places where the node reads it.
std::optional<Touch> least_read(const Resolved& resolved, graph::NodeId node, graph::ValueId value);
/// Of the output `value`.
std::optional<Touch> least_written(const Resolved& resolved, graph::NodeId node,
                                   graph::ValueId value);
std::optional<std::int64_t> least_macs(const Resolved& resolved, graph::NodeId node);

}  // namespace ridge::analysis
