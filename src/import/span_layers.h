// Layers out of spans: what ran on a device is charged to the operation that launched it.
//
//   SpanLayers found = layers_of(spans);
//
// A kernel belongs to the span that launched it, by correlation id, and that to what encloses it on
// its thread: the innermost one that a node of the model is called after, else the outermost
// operation (Level::kLayer; one that the table of torch_operators.h has before one that it has
// not), else the innermost range. A kernel that nothing explains is a layer of its own name. Where
// nothing ran on a device, operations have the time that is theirs alone. Of several spans of one
// name one layer is made; with a model, and where the operators of all runs are the same, one of
// the k-th operator of a name in each run. Runs: span_runs.h. Times of spans are in_range
// (dropped.h). Cost: O(n log n) time, O(n) memory.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "import/dropped.h"
#include "import/names.h"
#include "import/recorded.h"
#include "import/span_facts.h"

namespace ridge::imports {

inline constexpr std::uint32_t kNoLayer = 0xffffffffU, kLeftOut = 0xfffffffeU;

struct SpanLayers {
  std::vector<RecordedLayer> layers;     ///< in order of their first time
  std::vector<std::uint32_t> layer_of;   ///< by span: that is a layer, or a kernel of it; kNoLayer;
                                         ///< kLeftOut: outside of all runs
  std::vector<std::int64_t> runs_ns;     ///< of steps
  std::vector<double> process_ns;        ///< by process: of its layers, per run of it
  std::vector<profile::Span> made_runs;  ///< told by repetition, for the timeline
  std::vector<std::pair<profile::SpanId, profile::SpanId>> inside;  ///< of a step, by process
  std::int64_t unlaunched = 0;   ///< device spans without the span that launched them
  std::int64_t outside = 0;      ///< device spans, or operations, outside of all steps
  std::int64_t overlapping = 0;  ///< as Oddities::overlapping
  std::size_t runs = 1;
  std::size_t odd_runs = 0;  ///< that ran other operators than most, left out
  bool runs_known = false;
  bool repeated = false;  ///< runs are known by the operators that repeat
  bool on_device = false;
  bool means = false;       ///< layers have means over the steps, too many to keep each
  bool partly_run = false;  ///< some process does not run some layer
};

SpanLayers layers_of(const Spans& spans);

/// Adds what it found to a recording, notes included. The spans that layers are made of, and no
/// others, are of level layer from then on, operations inside them of level library. These, and
/// kernels on devices, have the attribute "layer": the row of the table, or "none" where they were
/// left out. False: there is no layer.
bool add_layers(SpanLayers found, Recorded& recorded);

/// With several processes, a note with the time of each one's spans of layers, and its share.
void note_processes(const std::vector<std::string>& processes, Recorded& recorded);

/// Recordings have the time of day, or that since the machine started: makes the first span begin
/// at 0.
void begin_at_zero(profile::Timeline& timeline);

}  // namespace ridge::imports
