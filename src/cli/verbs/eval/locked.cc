// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/eval/locked.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/flags/registry_option.h"
#include "evaluation/repeat/lock.h"
#include "evaluation/subject/subject.h"
#include "runtime/paths.h"
#include "session/measure_spec.h"

namespace ridge::cli {
namespace {

/// Plug-ins for the runtimes of the lock that were plug-ins; `given`: what --runtime says.
Result<void> add_plugins(const std::vector<std::string>& given,
                         evaluation::EvaluationRequest& request) {
  for (const std::string& path : given) {
    if (!runtime::is_plugin_path(path)) continue;
    const std::string name = TRY(session::name_runtime(path, request.spec));
    if (std::ranges::count(request.spec.runtimes, name) == 0)
      return usage_error("RIDGE-CLI-0179",
                         fmt::format("the evaluation of the lock had no plug-in {}", name))
          .hint("a plug-in is called as its file: link it under the name that the lock has");
  }
  return {};
}

}  // namespace

Result<evaluation::EvaluationRequest> locked_request(const EvalOptions& options,
                                                     const std::optional<manifest::Lock>& locked,
                                                     const session::Environment& environment) {
  const KeepingOptions& keeping = options.keeping;
  if (!options.model.empty()) return request_of(options, environment);
  if (!locked)
    return usage_error("RIDGE-CLI-0175", "MODEL is required")
        .hint("name an ONNX file, zoo:NAME, or a lock that exists: --lock run.lock");
  if (!keeping.stated.empty())
    return usage_error("RIDGE-CLI-0178", fmt::format("{} is what the lock states", keeping.stated))
        .hint(
            "leave it out; or name the model as well, for an evaluation that the command line "
            "states and the lock must agree with");
  Result<evaluation::EvaluationRequest> request = evaluation::request_of(*locked);
  if (!request.ok()) return std::move(request).error().in_file(keeping.lock);
  if (!options.data.empty()) request->data.source = options.data;
  if (!options.labels.empty()) request->data.labels = options.labels;
  TRY(evaluation::find_entries(*request, registry_folder(options.registry), environment));
  TRY(add_plugins(options.measuring.runtimes, *request));
  if (!options.measuring.runtime_library.empty())
    request->spec.runtime_library = options.measuring.runtime_library;
  if (!options.mlperf.logs.empty()) request->mlperf.logs = options.mlperf.logs;
  if (auto given = evaluation::check_given(*locked, *request); !given.ok())
    return std::move(given).error().in_file(keeping.lock);
  request->outputs = options.outputs;
  request->shown_answers = options.shown_answers;
  request->profiled_queries = profiled_queries(options);
  return request;
}

}  // namespace ridge::cli
