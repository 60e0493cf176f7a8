// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/measuring.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/list.h"
#include "cli/flags/duration.h"
#include "cli/flags/input_flag.h"
#include "cli/flags/model_sizes.h"
#include "cli/flags/name_value.h"
#include "cli/flags/sizes.h"
#include "cli/runtime_source.h"

namespace ridge::cli {
namespace {

using session::MeasureSpec;

Result<std::vector<int>> thread_counts(const std::string& text) {
  std::vector<int> out;
  for (const std::string_view part : split(text)) {
    char* last = nullptr;
    const std::string item(part);
    const long n = std::strtol(item.c_str(), &last, 10);
    if (item.empty() || *last != '\0' || n < 1 || n > session::kMaxThreads)
      return usage_error("RIDGE-CLI-0021",
                         fmt::format("--threads '{}': invalid thread count '{}'", text, item))
          .hint("write --threads 2, or --threads 1,2 for a sweep");
    out.push_back(static_cast<int>(n));
  }
  return out;
}

}  // namespace

Result<MeasureSpec> spec_of(const MeasuringOptions& o) {
  MeasureSpec spec;
  spec.runtimes.clear();
  for (const std::string& named : o.runtimes)
    spec.runtimes.push_back(TRY(session::name_runtime(named, spec)));
  spec.sizes = TRY(sweep_points(TRY(parse_sizes(o.binds, o.shapes))));
  spec.threads = TRY(thread_counts(o.threads));
  // Invalid names were rejected when the flags were parsed.
  spec.optimization = find_word<runtime::Optimization>(o.optimization).value_or(spec.optimization);
  spec.weights = find_word<session::WeightSource>(o.weights).value_or(spec.weights);
  spec.level = find_word<session::RecordedLevel>(o.level).value_or(spec.level);
  for (const std::string& text : o.runtime_options)
    spec.runtime_options.push_back(TRY(name_and_value(text, "--runtime-option")));
  spec.inputs = TRY(input_sources(o.inputs));
  spec.runtime_library = o.runtime_library;
  spec.pin = o.pin;
  spec.processes = o.processes;
  spec.budget = {o.process_s, true};
  if (!o.budget.empty()) spec.budget = TRY(parse_time_budget(o.budget));
  spec.seed = o.seed;
  spec.refresh_roofs = o.refresh_roofs;
  spec.verify = o.verify;
  spec.check_values = o.check_values;
  return spec;
}

Result<MeasureSpec> spec_of_one_model(const MeasuringOptions& options, const std::string& model,
                                      const std::vector<std::string>& models) {
  TRY(check_model_names(models, options.binds, options.shapes));
  MeasuringOptions own = options;
  own.binds = binds_of(model, models, options.binds);
  own.shapes = shapes_of(model, models, options.shapes);
  return spec_of(own);
}

namespace {

std::string help_of_runtimes(OptionScope scope) {
  if (scope == OptionScope::kColumns)
    return "runtimes to measure models in, in turns: ort,openvino, or paths of plug-ins";
  std::string known =
      "which runtimes: ort (ONNX Runtime), openvino, the path of a plug-in, or several: "
      "ort,openvino";
  if (scope != OptionScope::kLoad) return known;
  return known + "; null computes nothing and shows what the measuring itself costs";
}

void add_runtime(Flags& flags, MeasuringOptions& o, OptionScope scope) {
  if (scope == OptionScope::kPoint)
    restrict_to_runtimes(
        flags
            .add("--runtime", o.runtimes,
                 "which runtime: ort (ONNX Runtime), openvino, or the path of a plug-in")
            .count(1, 1));
  else
    restrict_to_runtimes(flags.add("--runtime,--runtimes", o.runtimes, help_of_runtimes(scope))
                             .separator(',')
                             .single(),
                         scope == OptionScope::kLoad ? std::vector<std::string>{"null"}
                                                     : std::vector<std::string>());
}

void add_runtime_option(Flags& flags, MeasuringOptions& o) {
  flags
      .add("--runtime-option", o.runtime_options, "an option of the runtime: key=value; repeatable")
      .single();
}

}  // namespace

void add_runtime_library(Flags& flags, MeasuringOptions& o) {
  flags.add("--runtime-library", o.runtime_library, "path of the runtime's library");
}

void add_measuring_options(Flags& flags, MeasuringOptions& o, OptionScope scope) {
  const bool matrix = scope == OptionScope::kMatrix;
  add_size_flags(flags, o.binds, o.shapes,
                 matrix ? "free sizes by name: batch=8, several as batch=1,2,4; of one of several "
                          "models: MODEL:batch=8"
                        : "free sizes by name: batch=8; several values make a sweep: batch=1,2,4");
  add_runtime(flags, o, scope);
  flags.add("--threads", o.threads, "threads of the runtime (1); several make a sweep: 1,2");
  flags
      .add("--optimization", o.optimization,
           "graph optimization by the runtime: all, extended, basic or disable")
      .one_of({"all", "extended", "basic", "disable"});
  flags
      .add(
          "--weights", o.weights,
          "constants that stand for weights (ConstantOfShape): seeded (random numbers in their "
          "place, since equal weights make kernels faster) or as-is; weights in the file are never "
          "replaced")
      .one_of({"seeded", "as-is"});
  add_input_flag(flags, o.inputs);
  if (!matrix) add_runtime_library(flags, o);
  add_runtime_option(flags, o);
  flags.add("--seed", o.seed, "seed of the random inputs and weights (1)");
  if (scope == OptionScope::kLoad) return;
  flags.add(
      "--no-pin", [&o] { o.pin = false; }, "do not pin the runtime's threads to processors");
  flags
      .add("--processes", o.processes,
           fmt::format("number of measuring processes, one after the other ({})", o.processes))
      .range(1, session::kMaxProcesses)
      .shown_as(fmt::format("1..{}", session::kMaxProcesses));
  if (!matrix)
    flags
        .add("--budget", o.budget,
             fmt::format("measuring time of all processes together: 30s, 5m ({:g} s each); "
                         "at least ten pairs of runs",
                         o.process_s))
        .shown_as("DURATION");
  if (scope != OptionScope::kColumns)
    flags.add("--refresh-roofs", o.refresh_roofs, "measure this machine's roofs again");
}

}  // namespace ridge::cli
