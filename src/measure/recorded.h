// Recorded runs as spans: what the measured processes did, on one clock.
//
//   record(processes, {collected, layer_of, profile.layers}, 1, profile.timeline);
//
// Every run of every process is a span of level model (attributes `process`, `run`, `mode` as
// runtime::name(Mode) has it). Of each process the profiled runs nearest to its median one
// (attribute `recorded`; where levels below the layers were asked for, of the runs that had all)
// have their layers (attributes `layer`, `nodes`, `type`, `bytes`) and the runtime's kernels in
// level library (`type`, `implementation`, `duration_ns` as the runtime measured it; the span
// itself is the window that the clock saw, the profiler's own work included), its threads in level
// thread (`cpu_ns`, `wait_ns`, `switches`) and its counters in level counter (`value`, `unit`,
// `origin`, and `enabled_ns`, `running_ns` where it was scaled), which last as long as the run.
// Times count from the first run; the clock is common to all processes.
//
// A runtime that tells no starts has its kernels laid end to end from the start of the run; these
// spans say `made`=1. What it cannot tell stands in `absent` of the recorded run.
// Cost: linear in the runs and in the events of recorded ones, which are sorted.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/collect.h"
#include "profile/profile.h"

namespace ridge::measure {

struct KernelPlaces {
  const Collected& collected;
  const std::vector<std::uint32_t>& layer_of;  ///< by kernel of `collected`; kNone: none (join.h)
  const std::vector<profile::Layer>& layers;
};

void record(const std::vector<ProcessMeasurement>& processes, const KernelPlaces& places,
            std::uint32_t runs_of_each, profile::Timeline& timeline);

}  // namespace ridge::measure
