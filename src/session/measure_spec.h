// SPDX-License-Identifier: Apache-2.0
// Specification of a measurement: the runtimes, thread counts and sizes to combine, and how to
// measure.
//
//   MeasureSpec spec;
//   spec.runtimes = {"ort", "openvino"};
//   spec.threads = {1, 2};
//   spec.sizes = {{.sizes = {{"batch", {8}}}}};
//   for (const Point& point : points_of(spec)) ...        // four points
//
// Plain values, independent of the command line. Thread rule: value types.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/sizes/binding.h"
#include "base/result.h"
#include "base/words.h"
#include "runtime/options.h"

namespace ridge::session {

/// Deepest level that a profile records.
enum class RecordedLevel : std::uint8_t { kLayer, kThread, kCounter };
/// Values of constant weights: seeded random numbers, or the model's values.
enum class WeightSource : std::uint8_t { kSeeded, kAsIs };

}  // namespace ridge::session

namespace ridge {

template <>
struct Words<session::RecordedLevel> {
  using Level = session::RecordedLevel;
  static constexpr std::array list{Word{Level::kLayer, "layer"}, Word{Level::kThread, "thread"},
                                   Word{Level::kCounter, "counter"}};
};

template <>
struct Words<session::WeightSource> {
  using Source = session::WeightSource;
  static constexpr std::array list{Word{Source::kSeeded, "seeded"}, Word{Source::kAsIs, "as-is"}};
};

}  // namespace ridge

namespace ridge::session {

/// Measuring time, either in total for all processes of all points or for each process.
struct TimeBudget {
  double seconds = 2;
  bool of_each_process = true;

  double of_process_s(std::size_t processes) const {
    return of_each_process ? seconds : seconds / static_cast<double>(processes);
  }
};

/// Largest values of a spec, for flags and files alike.
inline constexpr int kMaxThreads = 4096, kMaxProcesses = 100, kMaxCuts = 100;

struct MeasureSpec {
  /// Names of KnownRuntime, or keys of `plugins`; several: a sweep.
  std::vector<std::string> runtimes = {"ort"};
  /// Plug-ins that ridge does not come with: absolute path by the name of the file, which is the
  /// runtime's name in `runtimes`.
  std::map<std::string, std::string> plugins;
  std::vector<int> threads = {1};                ///< several: a sweep
  std::vector<analysis::Bindings> sizes = {{}};  ///< several: a sweep
  runtime::Optimization optimization = runtime::Optimization::kAll;
  WeightSource weights = WeightSource::kSeeded;
  std::map<std::string, std::string> inputs;  ///< input name to a .npy, a .pb or elements
  std::string runtime_library;                ///< path; empty: searched for
  std::vector<std::pair<std::string, std::string>> runtime_options;
  bool pin = true;  ///< bind each thread to its own processor
  RecordedLevel level = RecordedLevel::kLayer;
  std::uint32_t processes = 3;
  TimeBudget budget;
  std::uint64_t seed = 1;
  bool refresh_roofs = false;  ///< measure cached roofs again
  std::uint32_t verify = 0;    ///< maximum number of cuts that verify layer times; 0: none
  bool check_values = false;   ///< decide by values which nodes a layer stands for
};

struct Point {
  analysis::Bindings bindings;
  int threads = 1;
  std::string runtime = "ort";
};

/// All combinations of runtimes, thread counts and sizes; runtimes vary slowest, sizes fastest.
std::vector<Point> points_of(const MeasureSpec& spec);
std::size_t count_points(const MeasureSpec& spec);

/// Returns `points` with the shapes of the spec's input arrays. Errors: measure::with_arrays.
Result<std::vector<Point>> with_arrays(std::vector<Point> points, const MeasureSpec& spec,
                                       const graph::Model& model);

/// Name of a runtime that the command line gives by its name, or by the path of its plug-in
/// (runtime::is_plugin_path), which is then kept in the spec. Usage errors: a file name that is no
/// name for a runtime (RIDGE-WB-0056), two plug-ins of one name (RIDGE-WB-0057).
Result<std::string> name_runtime(const std::string& given, MeasureSpec& spec);

/// Path of the plug-in of one of the spec's runtimes; `folder` holds the plug-ins
/// of ridge (Environment::plugin_folder). Errors: runtime::find_plugin.
Result<std::string> plugin_of(const MeasureSpec& spec, const std::string& runtime,
                              const std::string& folder = "");

/// Usage error (RIDGE-WB-0051) if the spec has a runtime library or runtime options, which belong
/// to one runtime, and several runtimes.
Result<void> check(const MeasureSpec& spec);

}  // namespace ridge::session
