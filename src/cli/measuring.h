// Measuring as the verbs offer it: the options that profile and roofline share, and what they lead
// to.
//
//   MeasuringOptions options;  add_measuring_options(app, options);
//   MeasuredPoints points = TRY(measure_points("model.onnx", options, console));
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/roof_source.h"
#include "profile/sweep.h"

namespace CLI {
class App;
}

namespace ridge::cli {

struct MeasuringOptions {
  std::vector<std::string> binds, shapes;
  std::string runtime = "ort";
  std::string threads = "1";         ///< "1,2" sweeps
  std::string optimization = "all";  ///< all, extended, basic, disable
  std::string weights = "seeded";    ///< of those given as constants: seeded, as-is
  std::vector<std::string> inputs;   ///< name=file.npy
  std::string runtime_library;
  std::vector<std::string> runtime_options;  ///< key=value
  bool pin = true;
  std::string level = "layer";  ///< the deepest that is recorded: layer, thread, counter
  std::uint32_t processes = 3;
  double budget_s = 2;  ///< of each process
  std::uint64_t seed = 1;
  bool refresh_roofs = false;
};

enum class Asked : std::uint8_t {
  kPoints,   ///< of one model in one runtime
  kMatrix,   ///< of several: without what only one model can have, and the time for each process
  kColumns,  ///< of one model in several runtimes, without roofs
};
void add_measuring_options(CLI::App& app, MeasuringOptions& options, Asked asked = Asked::kPoints);

/// Options that only one runtime can have are for one. Usage errors.
Result<void> check_own_options(const MeasuringOptions& options,
                               const std::vector<std::string>& runtimes);

/// How many points the options ask for. Usage errors.
Result<std::size_t> count_points(const MeasuringOptions& options);

struct MeasuredPoints {
  profile::Sweep sweep;  ///< at least one profile, with bounds
  MachineRoofs roofs;    ///< of every thread count among them
  bool many = false;     ///< several points were asked for
  bool whole = true;     ///< false: a point failed (its error was printed) or Ctrl-C came
};

/// Told of every point as soon as it is measured and held against the roofs; `key` says what was
/// asked for (Workbench::key). An error is printed and makes the whole incomplete.
using OnPoint =
    std::function<Result<void>(const profile::Profile& profile, const std::string& key)>;

/// Measures every combination of sizes and threads; progress goes to the console's terminal. An
/// error where no point could be measured.
Result<MeasuredPoints> measure_points(const std::string& model, const MeasuringOptions& options,
                                      Console& console, const OnPoint& on_point = {});

}  // namespace ridge::cli
