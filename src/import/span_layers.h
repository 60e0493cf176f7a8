// SPDX-License-Identifier: Apache-2.0
// Builds layers from spans: device time is charged to the operation that launched it.
//
//   SpanLayers found = layers_of(spans);
//
// A kernel belongs to the span that launched it, by correlation id, and that span to one that
// encloses it on its thread: the innermost span named after a node of the model; else the outermost
// operation (Level::kLayer; operations in the table of torch_operators.h take precedence over
// others); else the innermost range. A kernel without any of these becomes a layer of its own name.
// If nothing ran on a device, operations get their exclusive host time. Spans of the same name form
// one layer; with a model, and if the operators of all runs are the same, the k-th operators of a
// name in each run form one layer. Runs: span_runs.h. Times of spans must be in_range (dropped.h).
// Cost: O(n log n) time, O(n) memory.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/error.h"
#include "import/dropped.h"
#include "import/names.h"
#include "import/recorded.h"
#include "import/span_facts.h"

namespace ridge::imports {

inline constexpr std::uint32_t kNoLayer = 0xffffffffU, kLeftOut = 0xfffffffeU;

struct SpanLayers {
  std::vector<RecordedLayer> layers;  ///< in order of first start
  /// By span: the row of its layer if it is a layer or a kernel of one, kNoLayer, or kLeftOut
  /// (outside of all runs).
  std::vector<std::uint32_t> layer_of;
  std::vector<std::int64_t> runs_ns;     ///< durations of steps
  std::vector<double> process_ns;        ///< by process: time of its layers per run of it
  std::vector<profile::Span> made_runs;  ///< runs detected by repetition, for the timeline
  /// Pairs of a span and the step of its process that encloses it.
  std::vector<std::pair<profile::SpanId, profile::SpanId>> inside;
  std::int64_t unlaunched = 0;   ///< device spans without a known launching span
  std::int64_t outside = 0;      ///< device spans, or operations, outside of all steps
  std::int64_t overlapping = 0;  ///< see Oddities::overlapping
  std::size_t runs = 1;
  std::size_t odd_runs = 0;  ///< dropped: other operators ran than in most
  bool runs_known = false;
  bool repeated = false;  ///< runs were detected by repeating operators
  bool on_device = false;
  bool means = false;       ///< layers have means over the steps: too many to keep each
  bool partly_run = false;  ///< some process does not run some layer
  std::vector<std::string> notes;
  std::optional<Error> refused;  ///< the choice of runs fits none
};

SpanLayers layers_of(const Spans& spans);

/// Adds the layers and notes to a recording. Sets level layer for exactly those spans that layers
/// consist of, and level library for operations inside them. These spans and device kernels get the
/// attribute "layer": the row of the table, or "none" if they were left out. Returns false if there
/// is no layer.
bool add_layers(SpanLayers found, Recorded& recorded);

/// Adds a note with the time and share of each process's layers, if several processes have some.
void note_processes(const std::vector<std::string>& processes, Recorded& recorded);

/// Shifts times, which count from the epoch or from boot, so that the first span begins at 0.
void begin_at_zero(profile::Timeline& timeline);

}  // namespace ridge::imports
