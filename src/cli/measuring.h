// Measuring as the verbs offer it: the flags that they share, and the spec that the flags make.
//
//   MeasuringOptions options;
//   add_measuring_options(app, options);
//   const ConsoleEnvironment environment(console);
//   const Series series = TRY(measure_series(model, TRY(spec_of(options)), *environment));
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "workbench/measure_spec.h"

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
  double process_s = 2;  ///< of each process, where `budget` does not say
  std::string budget;    ///< as written; "": none was
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

/// What the flags ask for, as types. Usage errors.
Result<workbench::MeasureSpec> spec_of(const MeasuringOptions& options);

/// The same for one of several models: sizes that are for it alone stand in place of those for all
/// (binds_of). Errors: check_model_names.
Result<workbench::MeasureSpec> spec_of_one_model(const MeasuringOptions& options,
                                                 const std::string& model,
                                                 const std::vector<std::string>& models);

}  // namespace ridge::cli
