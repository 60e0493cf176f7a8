// SPDX-License-Identifier: Apache-2.0
// What a client may have measured: a request of `ridge bench` or `ridge eval` (ridge.request/1), of
// which every key that names a file, a folder, a library or an address is refused.
//
//   const JobRequest job = TRY(read_job_request(body, registry));
//   job.verb;      // "eval"
//   job.text;      // for --request
//
// Models are names of the zoo or of the registry, never paths. A key is allowed because it stands
// in a table here, so that a flag that is added later is refused until somebody has thought of it.
// Errors: input class, RIDGE-SERVE-0030 to 0034. Thread rule: pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ridge::lab::serve {

/// Whether the verb may run that model: a name of the zoo, or for eval one of the registry. Error:
/// RIDGE-SERVE-0031.
Result<void> check_model_name(const std::string& name, std::string_view verb,
                              const std::string& registry);
/// Error: it is the name of no runtime (RIDGE-SERVE-0032).
Result<void> check_runtime_name(std::string_view name);

struct JobRequest {
  std::string verb, text;
};

/// `registry`: its folder; "": none.
Result<JobRequest> read_job_request(std::string_view body, const std::string& registry);

}  // namespace ridge::lab::serve
