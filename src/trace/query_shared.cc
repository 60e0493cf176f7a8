// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "profile/summary.h"
#include "trace/query_tables.h"

namespace ridge::trace {

RunColumns::RunColumns(std::span<const View> runs, Table& table)
    : runs_(runs),
      labeled_(std::ranges::any_of(runs, [](const View& v) { return !v.label.empty(); })) {
  table.column("run");
  if (labeled_) table.column("label");
}

void RunColumns::set(Row& row, std::size_t run) const {
  const View& view = runs_[run];
  row.set(0, view.number > 0 ? view.number : static_cast<std::int64_t>(run) + 1);
  if (labeled_) row.set(1, view.label);
}

double layer_sum_ns(const View& run) {
  double sum = 0;
  for (const LayerRow& layer : run.layers) sum += layer.time_ns;
  return sum;
}

double kernel_sum_ns(const View& run) {
  double sum = 0;
  for (const KernelRow& kernel : run.kernels) sum += kernel.time_ns;
  return sum;
}

std::string layer_note(const View& run) {
  const bool measured = run.profile->profiling.corrected_sum_ns > 0;
  if (profile::is_imported(*run.profile) && !run.profile->layers.empty())
    return "time_ns is as recorded, nothing taken out";
  if (measured && !profile::is_corrected(*run.profile))
    return "time_ns is as reported, with the profiler's cost in it";
  if (measured) return "time_ns is the corrected time of the profile: less what profiling adds";
  if (!run.profile->layers.empty()) return "time_ns is that of the profile's table of layers";
  return fmt::format(
      "time_ns is that of the layer's kernels on devices, or of its own spans where it has none; "
      "medians over {}",
      counted(std::ssize(run.runs), "run"));
}

std::string kernel_note(const View& run) {
  const bool divided = std::ranges::any_of(
      run.layers, [](const LayerRow& layer) { return layer.recorded_runs != 1; });
  switch (run.kernel_source) {
    case KernelSource::kDevice:
      return fmt::format("kernels are spans of level kernel; {}",
                         divided ? "sums over the recording, divided by its runs and processes"
                                 : "medians over " + counted(std::ssize(run.runs), "run"));
    case KernelSource::kImplementation:
      return "kernels are the implementations that the runtime names; one that is its layer's only "
             "kernel has the layer's time, work and bytes";
    case KernelSource::kLibrary:
      return fmt::format(
          "kernels are operations and calls, each less those inside it; medians over {}",
          counted(std::ssize(run.runs), "run"));
    case KernelSource::kNothing:
      break;
  }
  return "the run has no kernels";
}

}  // namespace ridge::trace
