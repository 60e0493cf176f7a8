// SPDX-License-Identifier: Apache-2.0
// Descriptions (record/describe.h) of what is measured beside the layers of a profile: levels below
// them, and the cuts that verify their times.
#pragma once

#include "profile/describe_rows.h"
#include "profile/profile.h"

namespace ridge {

template <>
struct record::Describe<profile::LevelCost> {
  using T = profile::LevelCost;
  static constexpr std::array fields{
      field<&T::level>("level", "thread or counter"),
      field<&T::runs>("runs", "that carried all of the level"),
      field<&T::events>("events", "readings of one such run"),
      field<&T::latency_ns>("latency_ns", "of these runs"),
      field<&T::event_cost>("event_cost",
                            "that one reading adds, from runs with half of the readings and with "
                            "all, beside runs with none",
                            column("event_ns")),
      field<&T::fixed_cost>("fixed_cost", "that the level adds beside its readings",
                            column("fixed_ns"))};
};

template <>
struct record::Describe<profile::ThreadWork> {
  using T = profile::ThreadWork;
  static constexpr std::array fields{
      field<&T::name>("name", "the system's name of the thread"),
      field<&T::cpu_ns>("cpu_ns", "on a processor"),
      field<&T::wait_ns>("wait_ns",
                         "ready and without a processor; null where the system does not say"),
      field<&T::switches>(
          "switches",
          "times that it was given a processor, no unit; null where the system does not say")};
};

template <>
struct record::Describe<profile::Counter> {
  using T = profile::Counter;
  static constexpr std::array fields{
      field<&T::name>("name", "as perf(1) has it: cycles, instructions, page-faults, ..."),
      field<&T::unit>("unit", "ns, or empty for a number of events"),
      field<&T::origin>("origin",
                        "who counted: perf hardware, perf software, the system's accounts; empty "
                        "where nobody could"),
      field<&T::value>("value", "null where it could not be counted, never 0; `reason` says why"),
      field<&T::running_share>(
          "running_share",
          "part of the time that the counter ran; below 1 the value is scaled by it"),
      field<&T::reason>("reason", "why there is no value")};
};

template <>
struct record::Describe<profile::Levels> {
  using T = profile::Levels;
  static constexpr std::array fields{
      field<&T::costs>("costs",
                       "what each of these levels adds to a run; level layer stands in profiling",
                       no_column(), item_lines()),
      field<&T::deepest_ns>("deepest_ns", "of a run with all levels at once", on_line()),
      field<&T::predicted_deepest_ns>(
          "predicted_deepest_ns",
          "latency + for each level events * event cost + fixed cost; beside deepest_ns it says "
          "whether the costs add up"),
      field<&T::imbalance>("imbalance",
                           "processor time of the busiest thread over the mean of as many threads "
                           "as the runtime was given; 1 is even, no unit"),
      field<&T::threads>("threads",
                         "of the runtime, per run of the model; the one that calls it first",
                         no_column(), item_lines()),
      field<&T::counters>("counters", "per run of the model, all threads together", no_column(),
                          item_lines())};
};

template <>
struct record::Describe<profile::VerifiedCut> {
  using T = profile::VerifiedCut;
  using E = stats::Estimate;
  static constexpr std::array fields{
      field<&T::node>("node", "makes the tensor that crosses"),
      field<&T::tensor>("tensor", "its name in the model"),
      field<&T::layers>("layers", "the first so many, in order of execution, lie before the cut"),
      field<&T::layers_ns>("layers_ns", "sum of their corrected times", known()),
      field<&T::outside_ns>("outside_ns", "their part of what a run takes outside layers"),
      field<&T::part_ns, &E::value>(
          "part_ns",
          "what the part before the cut takes in a model of its own, without the profiler, in "
          "units of latency.median_ns: the median of part / whole model over rounds in which both "
          "ran; less inserted_ns"),
      field<stats::AsEnds, &T::part_ns, &E::interval>("ci95_ns", "95 % interval of part_ns",
                                                      column("part_ns")),
      field<&T::inserted_ns>("inserted_ns",
                             "taken out of part_ns: kernels that the runtime inserts only because "
                             "the part ends there, as the profiler reports them",
                             known()),
      field<&T::difference, &E::value>("difference",
                                       "(layers_ns + outside_ns - part_ns) / latency"),
      field<stats::AsEnds, &T::difference, &E::interval>(
          "difference_ci95", "95 % interval of the difference", column("difference")),
      field<&T::explained_ns>(
          "explained_ns",
          "part_ns where each run of the part follows one of the whole model in the same process, "
          "so that it finds those caches; measured only where the difference is beyond the limit"),
      field<&T::verdict>(
          "verdict",
          "differs: the whole interval of the difference lies beyond 2 % of the latency; "
          "explained: with the caches of the whole model it does not; incomparable: the runtime "
          "runs other kernels in the part than in the whole model")};
};

}  // namespace ridge
