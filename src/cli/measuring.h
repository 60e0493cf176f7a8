// Measuring as the verbs offer it: the options that profile and roofline share, and what they lead
// to.
//
//   MeasuringOptions options;  add_measuring_options(app, options);
//   MeasuredPoints points = TRY(measure_points("model.onnx", options, console));
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
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
  std::vector<std::string> runtimes = {"ort"};  ///< several sweep
  std::string threads = "1";                    ///< "1,2" sweeps
  std::string optimization = "all";             ///< all, extended, basic, disable
  std::string weights = "seeded";               ///< of those given as constants: seeded, as-is
  std::vector<std::string> inputs;              ///< name=file
  std::string runtime_library;
  std::vector<std::string> runtime_options;  ///< key=value
  bool pin = true;
  std::string level = "layer";  ///< the deepest that is recorded: layer, thread, counter
  std::uint32_t processes = 3;
  double budget_s = 2;  ///< of each process, where `budget` does not say
  std::string budget;   ///< TimeBudget as written; "": none was
  std::uint64_t seed = 1;
  bool refresh_roofs = false;
  std::uint32_t verify = 0;  ///< cuts at which layer times are verified; 0: they are not
};

enum class Asked : std::uint8_t {
  kPoint,    ///< of one model in one runtime
  kPoints,   ///< of one model
  kMatrix,   ///< of several: without what only one model can have, and the time for each process
  kColumns,  ///< of one model in several runtimes, without roofs
};
void add_measuring_options(CLI::App& app, MeasuringOptions& options, Asked asked = Asked::kPoints);

/// The options of one of several models: sizes that are for it alone stand in place of those for
/// all (binds_of). Errors: check_model_names.
Result<MeasuringOptions> of_one_model(const MeasuringOptions& options, const std::string& model,
                                      const std::vector<std::string>& models);

/// Options that only one runtime can have are for one. Usage errors.
Result<void> check_own_options(const MeasuringOptions& options);

/// The same with the budget divided over the processes of so many measurements. Usage errors.
Result<MeasuringOptions> timed(const MeasuringOptions& options, std::size_t measurements);

/// How many points the options ask for. Usage errors.
Result<std::size_t> count_points(const MeasuringOptions& options);

struct MeasuredPoints {
  profile::Sweep sweep;          ///< at least one profile, with bounds
  MachineRoofs roofs;            ///< of every thread count among them
  bool many = false;             ///< several points were asked for
  bool whole = true;             ///< false: a point failed (its error was printed) or Ctrl-C came
  std::optional<Error> failure;  ///< what ended the series after its first point: it has no roofs
};

/// Called for every point as soon as it is measured and held against the roofs, in the order of
/// the sweep; `key` says what was asked for (Workbench::key).
using OnPoint = std::function<void(const profile::Profile& profile, const std::string& key)>;

/// Measures every combination of runtimes, sizes and threads; progress goes to the console's
/// terminal. An error where no point could be measured.
Result<MeasuredPoints> measure_points(const std::string& model, const MeasuringOptions& options,
                                      Console& console, const OnPoint& on_point = {});

}  // namespace ridge::cli
