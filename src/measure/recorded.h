// SPDX-License-Identifier: Apache-2.0
// Converts recorded runs to spans of the measured processes, on one clock.
//
//   record(processes, {collected, layer_of, profile.layers}, 1, profile.timeline);
//
// Every run of every process becomes a span of level model (attributes `process`, `run`, `mode` as
// in runtime::name(Mode)). For each process, the profiled runs nearest to its median one (attribute
// `recorded`; if levels below the layers were requested, chosen among the runs with all levels)
// also get spans for
// - layers (attributes `layer`, `nodes`, `type`, `bytes`);
// - the runtime's kernels, in level library (`type`, `implementation`, `duration_ns` as measured by
//   the runtime; the span itself is the window seen by the clock, including the profiler's own
//   work);
// - threads, in level thread (`cpu_ns`, `wait_ns`, `switches`), as long as the run;
// - counters, in level counter (`value`, `unit`, `origin`, and `enabled_ns`, `running_ns` if the
//   value was scaled), as long as the run.
// Times count from the first run; the clock is common to all processes.
//
// For a runtime that reports no start times, kernels are laid end to end from the start of the run,
// and these spans have `made`=1. Levels without data are listed in `absent` of the recorded run.
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
