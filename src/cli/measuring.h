// Measuring as the verbs offer it: the options that profile and roofline share, and what they lead
// to.
//
//   MeasuringOptions options;  add_measuring_options(app, options);
//   MeasuredPoints points = TRY(measure_points("model.onnx", options, console));
#pragma once

#include <cstdint>
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
  std::uint32_t processes = 3;
  double budget_s = 2;  ///< of each process
  std::uint64_t seed = 1;
  bool refresh_roofs = false;
};

void add_measuring_options(CLI::App& app, MeasuringOptions& options);

/// How many points the options ask for. Usage errors.
Result<std::size_t> count_points(const MeasuringOptions& options);

struct MeasuredPoints {
  profile::Sweep sweep;  ///< at least one profile, with bounds
  MachineRoofs roofs;    ///< of every thread count among them
  bool many = false;     ///< several points were asked for
  bool whole = true;     ///< false: a point failed (its error was printed) or Ctrl-C came
};

/// Measures every combination of sizes and threads; progress goes to the console's terminal. An
/// error where no point could be measured.
Result<MeasuredPoints> measure_points(const std::string& model, const MeasuringOptions& options,
                                      Console& console);

}  // namespace ridge::cli
