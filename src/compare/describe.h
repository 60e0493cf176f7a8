// SPDX-License-Identifier: Apache-2.0
// Descriptions of comparisons as documents have them (record/describe.h).
#pragma once

#include "base/checked.h"
#include "compare/diff_rows.h"
#include "compare/rows.h"
#include "record/describe.h"
#include "stats/describe.h"

namespace ridge::compare {

// Shortest and longest time.
inline std::array<std::int64_t, 2> first_ns(const Drift::Kernel& kernel) {
  return {kernel.first.min_ns, kernel.first.max_ns};
}
inline std::array<std::int64_t, 2> second_ns(const Drift::Kernel& kernel) {
  return {kernel.second.min_ns, kernel.second.max_ns};
}
inline std::optional<double> kernel_scatter(const Drift::Kernel& kernel) {
  return kernel.scatter ? std::optional(kernel.scatter->deviation) : std::nullopt;
}
inline std::optional<double> latency_scatter(const Drift& drift) {
  return drift.latency_scatter ? std::optional(drift.latency_scatter->deviation) : std::nullopt;
}
inline double drift_share(const Drift& drift) { return drift.share(drift.latency_scatter); }

inline std::optional<std::int64_t> total_difference(const TotalDiff& total) {
  return total.a && total.b ? checked_sub(*total.b, *total.a) : std::nullopt;
}
inline bool is_lower_bound(const TotalDiff& total) { return total.at_least(); }

}  // namespace ridge::compare

namespace ridge {

template <>
struct record::Describe<compare::JoinRate> {
  using T = compare::JoinRate;
  static constexpr std::array fields{
      field<&T::by>("joined_by", "index: the same operators and names in the same places"),
      field<&T::matched>("matched", "nodes with a partner"),
      field<&T::nodes>("of", "nodes of the run's model")};
};

template <>
struct record::Describe<compare::Drift::Kernel> {
  using T = compare::Drift::Kernel;
  static constexpr std::array fields{
      field<&T::first, &profile::ReferenceRange::kernel>("kernel",
                                                         "as in reference of ridge.profile/1"),
      computed<&compare::first_ns>("baseline_ns", "shortest and longest time in the baseline"),
      computed<&compare::second_ns>("ns", "shortest and longest time in this run"),
      computed<&compare::kernel_scatter>(
          "scatter",
          "standard deviation of the logarithms of its times within a run, pooled "
          "over both")};
};

template <>
struct record::Describe<compare::Drift> {
  using T = compare::Drift;
  static constexpr std::array fields{
      computed<&compare::drift_share>(
          "share",
          "largest difference of the latency that drift of the machine may explain, as a share: "
          "the "
          "range of a kernel in both runs, as far as the latency follows that kernel within a run",
          known()),
      computed<&compare::latency_scatter>(
          "latency_scatter",
          "standard deviation of the logarithms of the processes' median "
          "latencies within a run, pooled over both"),
      field<&T::kernels>("kernels", "one entry per kernel that both have")};
};

template <>
struct record::Describe<compare::Cell> {
  using T = compare::Cell;
  static constexpr std::array fields{
      field<&T::layers>("layers", "how many layers of the run the row has"),
      field<&T::time_ns>("time_ns",
                         "median over runs of the sum of the layers' corrected times; null: not "
                         "known, or the run's model has none of the nodes"),
      field<&T::interval>("time_ci95",
                          "its 95 % interval, processes as blocks; null where single runs are not "
                          "kept or fewer than six"),
      field<&T::below_resolution>("below_resolution",
                                  "the run's profiler cannot tell so short a time"),
      field<&T::difference_ns>("difference_ns", "less the baseline's time"),
      field<&T::difference_interval>("difference_ci95",
                                     "its interval, of `confidence`; null where there are too few "
                                     "runs"),
      field<&T::ratio>("ratio",
                       "of the baseline's time, over pairs of runs where interleaved; null where "
                       "either is 0 or not known"),
      field<&T::ratio_interval>("ratio_ci95",
                                "its interval, of `confidence`; null where there are too few runs"),
      field<&T::confidence>("confidence",
                            "of ratio_ci95 and difference_ci95: 0.95 for a row by itself; in a "
                            "table wider, so that of its verdicts at most false_discovery_rate are "
                            "wrong on average",
                            zero_is_null()),
      field<&T::detectable>("detectable",
                            "what this comparison could have shown: the least slowdown, as a "
                            "share, at which an interval as wide as ratio_ci95 lies past the "
                            "threshold: (1 + threshold) x sqrt(high / low) - 1; null where there "
                            "is no interval"),
      field<&T::per_item_ratio>("per_item_ratio",
                                "the ratio of the time for one item of the batch; null where "
                                "batches do not differ"),
      field<&T::verdict>("verdict",
                         "faster and slower: ratio_ci95 (where there is no ratio, difference_ci95) "
                         "lies past the threshold; drift: it does, but the reference kernels of "
                         "the two runs, which did not take turns, differ by at least as much"),
      field<&T::reason>("reason", "why it is not judged", zero_is_null())};
};

template <>
struct record::Describe<compare::Parts> {
  using T = compare::Parts;
  static constexpr std::array fields{
      field<&T::latency_ns>("latency_ns", "of a whole unprofiled run, median", known()),
      field<&T::groups_ns>("groups_ns", "sum over the groups", known()),
      field<&T::inserted_ns>("inserted_ns", "layers that the runtime inserted: reorder, cast, copy",
                             known()),
      field<&T::unattributed_ns>("unattributed_ns", "layers that no node is known for", known()),
      field<&T::outside_ns>("outside_layers_ns",
                            "what the run's own profile says passes between layers", known()),
      field<&T::unexplained_ns>("unexplained_ns",
                                "what is left, so that the parts add up to the latency", known())};
};

template <>
struct record::Describe<compare::Tally> {
  using T = compare::Tally;
  static constexpr std::array fields{
      field<&T::faster, &T::Side::groups>("faster", "groups that are faster"),
      field<&T::faster, &T::Side::ns>("faster_by_ns", "by so much together", known()),
      field<&T::slower, &T::Side::groups>("slower", "groups that are slower"),
      field<&T::slower, &T::Side::ns>("slower_by_ns", "by so much together", known()),
      field<&T::not_shown>("no_difference_shown", "groups without a verdict either way"),
      field<&T::drift>("drift",
                       "groups whose difference is no larger than the drift of the machine between "
                       "the runs"),
      field<&T::not_judged>("not_judged", "groups that cannot be judged")};
};

template <>
struct record::Describe<compare::TotalDiff> {
  using T = compare::TotalDiff;
  static constexpr std::array fields{
      field<&T::a>("a", "of A; null where it lacks a node"),
      field<&T::b>("b", "of B; null where it lacks a node"),
      computed<&compare::total_difference>("difference", "b - a"),
      computed<&compare::is_lower_bound>("at_least",
                                         "a side lacks at least one node, so its total is null"),
      field<&T::a_at_least>("a_at_least",
                            "only where A lacks a node: the sum of what is known, a lower bound",
                            omit_empty()),
      field<&T::b_at_least>("b_at_least",
                            "only where B lacks a node: the sum of what is known, a lower bound",
                            omit_empty())};
};

}  // namespace ridge
