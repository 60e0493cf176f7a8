// SPDX-License-Identifier: Apache-2.0
#include "session/measure_spec.h"

#include "measure/known_sizes.h"

namespace ridge::session {
std::vector<Point> points_of(const MeasureSpec& spec) {
  std::vector<Point> out;
  for (const std::string& runtime : spec.runtimes)
    for (const int threads : spec.threads)
      for (const analysis::Bindings& bindings : spec.sizes)
        out.push_back({bindings, threads, runtime});
  return out;
}

std::size_t count_points(const MeasureSpec& spec) {
  return spec.runtimes.size() * spec.threads.size() * spec.sizes.size();
}

Result<std::vector<Point>> with_arrays(std::vector<Point> points, const MeasureSpec& spec,
                                       const graph::Model& model) {
  for (Point& point : points)
    point.bindings = TRY(measure::with_arrays(model, std::move(point.bindings), spec.inputs));
  return points;
}

Result<void> check(const MeasureSpec& spec) {
  if (spec.runtimes.size() > 1 && (!spec.runtime_library.empty() || !spec.runtime_options.empty()))
    return usage_error("RIDGE-WB-0051",
                       "--runtime-library and --runtime-option require a single runtime")
        .hint("measure each runtime separately");
  return {};
}

}  // namespace ridge::session
