// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/eval/locked.h"

#include <fmt/format.h>

#include "cli/flags/registry_option.h"
#include "evaluation/repeat/lock.h"
#include "evaluation/subject/subject.h"

namespace ridge::cli {

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
