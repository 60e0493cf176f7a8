// Layers out of spans: what ran on a device is charged to the operation that launched it.
//
//   SpanLayers found = layers_of(spans);
//
// A kernel belongs to the span that launched it, by correlation id, and that to what encloses it on
// its thread: the innermost one that a node of the model is called after, else the outermost
// operation (Level::kLayer), else the innermost range. A kernel that nothing explains is a layer of
// its own name. Where nothing ran on a device, operations have the time that is theirs alone. Of
// several spans of one name one layer is made. Steps ("ProfilerStep#3") are the runs; without any
// the layers have sums over the whole recording. Times of spans are in_range (dropped.h). Cost:
// O(n log n) time, O(n) memory.
#pragma once

#include <cstdint>
#include <vector>

#include "import/dropped.h"
#include "import/names.h"
#include "import/recorded.h"

namespace ridge::imports {

struct Spans {
  const profile::Timeline& timeline;
  /// By span: equal on an operation and what it launched where correlation ids are missing; 0:
  /// none. May be empty.
  const std::vector<std::uint64_t>& external;
  const NameIndex* names = nullptr;
  Naming naming = Naming::kPlain;
};

struct SpanLayers {
  std::vector<RecordedLayer> layers;  ///< in order of their first time
  std::vector<bool> is_layer;         ///< by span: a layer is made of it
  std::vector<std::int64_t> runs_ns;  ///< of steps
  std::int64_t unlaunched = 0;        ///< device spans without the span that launched them
  std::int64_t outside = 0;           ///< device spans, or operations, outside of all steps
  std::int64_t overlapping = 0;       ///< as Oddities::overlapping
  bool on_device = false;
  bool means = false;  ///< layers have means over the steps, which are too many to keep each
};

SpanLayers layers_of(const Spans& spans);

/// Adds what it found to a recording, notes included; the spans that layers are made of, and no
/// others, are of level layer from then on, operations inside them of level library. False: there
/// is no layer.
bool add_layers(SpanLayers found, Recorded& recorded);

/// Makes the steps of the host spans of level model: they are what queries call runs. Before
/// layers_of.
void mark_steps(profile::Timeline& timeline);

/// Recordings have the time of day, or that since the machine started: makes the first span begin
/// at 0.
void begin_at_zero(profile::Timeline& timeline);

}  // namespace ridge::imports
