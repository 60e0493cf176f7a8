// SPDX-License-Identifier: Apache-2.0
// The subjects of runs, with the vote of each machine: roofs by memory level, latencies by point,
// groups of layers by point. Not judged yet (judge.h).
//
//   const Subjects found = subjects_of(runs, machines, left_out);
//
// Layer groups are those of a comparison of all runs of a point (compare/groups.h): the smallest
// groups of nodes that each run times apart. Groups of less than a hundredth of the latency are
// left out, as are those below the resolution of a profiler, and the layers of runs whose layer
// times are as the profiler reported them.
//
// Thread rule: pure. Cost: as compare::common_groups.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/baseline/machine_runs.h"
#include "machine/roof.h"

namespace ridge::lab {

/// Groups of layers with less than this share of the latency are not compared.
inline constexpr double kLeastLayerShare = 0.01;

struct Subjects {
  std::vector<BaselinePoint> points;
  std::vector<Subject> subjects;  ///< roofs, then latencies, then layer groups
};

/// `machines`: the machine of a vote is its position there; runs of others are passed over.
Subjects subjects_of(std::span<const MachineRun> runs, const std::vector<BaselineMachine>& machines,
                     std::vector<LeftOut>& left_out);

/// Time of the layers that execute `nodes`, in ascending order. nullopt if a layer has other nodes
/// as well, if none has one of them, or if it is below the resolution.
std::optional<double> time_of_nodes(const profile::Profile& profile,
                                    const std::vector<std::uint32_t>& nodes);

/// Level of a roof as subjects have it, "compute" or a level of memory, and its name in it.
std::string roof_level(const machine::Roof& roof);
std::string roof_name(const machine::Roof& roof);

/// Vote of a machine from what its runs showed, at least one value.
Vote vote_of(std::uint32_t machine, const std::vector<double>& values, SubjectKind kind);

/// True if the run's layer times are free of the profiler's cost, and so comparable.
bool has_layer_times(const profile::Profile& profile);

/// "memory roofs, 2 threads"; "zoo:resnet50, batch=4, ONNX Runtime 1.31.0, 2 threads: latency".
std::string subject_name(const Subject& subject, const std::vector<BaselinePoint>& points);

}  // namespace ridge::lab
