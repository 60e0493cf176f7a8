// What is to be measured, as types: every runtime, number of threads and set of sizes asked for,
// and how.
//
//   MeasureSpec spec;
//   spec.runtimes = {"ort", "openvino"};
//   spec.threads = {1, 2};
//   spec.sizes = {{.sizes = {{"batch", {8}}}}};
//   for (const Point& point : points_of(spec)) ...        // four points
//
// Values only; nothing here reads a command line. Thread rule: value types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/binding.h"
#include "base/result.h"
#include "runtime/runtime.h"

namespace ridge::workbench {

/// The deepest level that a profile records.
enum class RecordedLevel : std::uint8_t { kLayer, kThread, kCounter };
/// Weights that a model gives as constants: replaced by seeded numbers, or as they are.
enum class WeightSource : std::uint8_t { kSeeded, kAsIs };

std::string_view name(RecordedLevel level);
std::optional<RecordedLevel> recorded_level_named(std::string_view name);
std::string_view name(WeightSource source);
std::optional<WeightSource> weight_source_named(std::string_view name);

/// Time to measure, of all processes of all points together or of each process.
struct TimeBudget {
  double seconds = 2;
  bool of_each_process = true;

  double of_process_s(std::size_t processes) const {
    return of_each_process ? seconds : seconds / static_cast<double>(processes);
  }
};

struct MeasureSpec {
  std::vector<std::string> runtimes = {"ort"};   ///< names of KnownRuntime; several sweep
  std::vector<int> threads = {1};                ///< several sweep
  std::vector<analysis::Bindings> sizes = {{}};  ///< one for each combination; several sweep
  runtime::Optimisation optimization = runtime::Optimisation::kAll;
  WeightSource weights = WeightSource::kSeeded;
  std::map<std::string, std::string> inputs;  ///< input name to file, .npy or .pb
  std::string runtime_library;                ///< a path; empty: looked for
  std::vector<std::pair<std::string, std::string>> runtime_options;
  bool pin = true;  ///< a processor for each thread
  RecordedLevel level = RecordedLevel::kLayer;
  std::uint32_t processes = 3;
  TimeBudget budget;
  std::uint64_t seed = 1;
  bool refresh_roofs = false;  ///< measure roofs that the cache has again
  std::uint32_t verify = 0;    ///< cuts at which layer times are verified; 0: they are not
};

struct Point {
  analysis::Bindings bindings;
  int threads = 1;
  std::string runtime = "ort";
};

/// Every combination of runtimes, threads and sizes, the first slowest.
std::vector<Point> points_of(const MeasureSpec& spec);
std::size_t count_points(const MeasureSpec& spec);

/// The same points with the sizes that the arrays of `inputs` have. Errors: measure::with_arrays.
Result<std::vector<Point>> with_arrays(std::vector<Point> points, const MeasureSpec& spec,
                                       const graph::Model& model);

/// Usage error (RIDGE-WB-0051) where a library or options that one runtime can have are asked for
/// in several.
Result<void> check(const MeasureSpec& spec);

}  // namespace ridge::workbench
