// SPDX-License-Identifier: Apache-2.0
// What points need of a machine, and why one does not fit.
//
//   Needs needs = TRY(needs_of(source, {"avx512_vnni", "tag=rack-3"}));
//   reasons_against(needs, candidate)      // {"needs avx512_vnni; b2 has sse2 avx avx2"}; {}: fits
//   runtime_against(needs, "ort", candidate)
//
// Needs come from the manifests of a request (requirements, framework) and from --need: an
// instruction set (evaluation/subject/requirements.h), memory=8GiB, cores=4, device=gpu,
// architecture=x86_64, tag=NAME. Errors: RIDGE-LAB-0116 (usage). Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/agent/messages.h"
#include "lab/submit/job.h"
#include "machine/host.h"
#include "manifest/manifest.h"

namespace ridge::lab {

struct Needs {
  manifest::Requirements machine;
  std::vector<std::string> tags;
  std::string framework, framework_version;  ///< stated by a model's manifest; ""
};

Result<Needs> needs_of(const JobSource& source, const std::vector<std::string>& asked);

/// A machine as it told itself.
struct Candidate {
  std::string name;
  std::vector<std::string> tags;
  machine::Host host;
  Facts facts;
};

/// Error (environment class): its description of the machine cannot be read.
Result<Candidate> candidate_of(std::string name, std::vector<std::string> tags, Facts facts);

/// Sentences; none where it fits.
std::vector<std::string> reasons_against(const Needs& needs, const Candidate& candidate);
/// Reason against a point's runtime, as --runtimes names it.
std::optional<std::string> runtime_against(const Needs& needs, std::string_view runtime,
                                           const Candidate& candidate);

}  // namespace ridge::lab
