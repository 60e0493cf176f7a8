// SPDX-License-Identifier: Apache-2.0
// Measuring flags that the verbs share, and their conversion to a MeasureSpec.
//
//   MeasuringOptions options;
//   add_measuring_options(flags, options);
//   const ConsoleEnvironment environment(console);
//   const Series series = TRY(measure_series(model, TRY(spec_of(options)), *environment));
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/flags/flags.h"
#include "session/measure_spec.h"

namespace ridge::cli {

struct MeasuringOptions {
  std::vector<std::string> binds, shapes;
  std::vector<std::string> runtimes = {"ort"};  ///< several: a sweep
  std::string threads = "1";                    ///< "1,2": a sweep
  std::string optimization = "all";             ///< all, extended, basic, disable
  std::string weights = "seeded";               ///< values of constant weights: seeded, as-is
  std::vector<std::string> inputs;              ///< name=file
  std::string runtime_library;
  std::vector<std::string> runtime_options;  ///< key=value
  bool pin = true;
  std::string level = "layer";  ///< deepest recorded level: layer, thread, counter
  std::uint32_t processes = 3;
  double process_s = 2;  ///< measuring time per process if `budget` is empty
  std::string budget;    ///< as written; "": not given
  std::uint64_t seed = 1;
  bool refresh_roofs = false;
  std::uint32_t verify = 0;  ///< maximum number of cuts that verify layer times; 0: none
  bool check_values = false;
};

/// Selects the flags that add_measuring_options() adds.
enum class OptionScope : std::uint8_t {
  kPoint,    ///< one model in one runtime
  kPoints,   ///< one model, in one or several runtimes
  kMatrix,   ///< several models: no --runtime-library, no --budget
  kColumns,  ///< models in several runtimes in turns: no --refresh-roofs
  kLoad,     ///< one model under load: nothing of profiling, and the null runtime
};
void add_measuring_options(Flags& flags, MeasuringOptions& options,
                           OptionScope scope = OptionScope::kPoints);

void add_runtime_library(Flags& flags, MeasuringOptions& options);

/// Converts the flags. Errors: usage class.
Result<session::MeasureSpec> spec_of(const MeasuringOptions& options);

/// Converts the flags for one of several models; sizes for that model override those for all
/// (binds_of). Errors: as spec_of and check_model_names.
Result<session::MeasureSpec> spec_of_one_model(const MeasuringOptions& options,
                                               const std::string& model,
                                               const std::vector<std::string>& models);

}  // namespace ridge::cli
