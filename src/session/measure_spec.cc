#include "session/measure_spec.h"

#include <array>

#include "measure/known_sizes.h"

namespace ridge::session {
namespace {

constexpr std::array<std::string_view, 3> kLevels = {"layer", "thread", "counter"};
constexpr std::array<std::string_view, 2> kSources = {"seeded", "as-is"};

template <typename Enum, std::size_t N>
std::optional<Enum> named(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == name) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace

std::string_view name(RecordedLevel level) { return kLevels[static_cast<std::size_t>(level)]; }
std::string_view name(WeightSource source) { return kSources[static_cast<std::size_t>(source)]; }

std::optional<RecordedLevel> recorded_level_named(std::string_view name) {
  return named<RecordedLevel>(kLevels, name);
}

std::optional<WeightSource> weight_source_named(std::string_view name) {
  return named<WeightSource>(kSources, name);
}

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
