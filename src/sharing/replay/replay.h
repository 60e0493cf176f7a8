// SPDX-License-Identifier: Apache-2.0
// Traces against budgets and policies: every combination, and for each trace and budget the bound.
//
//   ReplayPlan plan{.generators = {{.popularity = {PopularityKind::kZipf}}},
//                   .policies = {{.kind = PolicyKind::kLru}}, .memories = {Bytes{1 << 30}}};
//   const Replay replay = TRY(play(plan));
//
// Models of a trace have the costs of the table in its order, again and again. Rows are in the
// order trace, share, clients, memory, policy. Errors: those of reading and drawing (azure_trace.h,
// generate.h); RIDGE-SHARE-0205, usage class: rho without what it needs. Thread rule: pure. Cost:
// that of the simulator for each row, and of the bounds for each trace and budget; one trace at a
// time is in memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/words.h"
#include "sharing/record/costs.h"
#include "sharing/record/policy_spec.h"
#include "sharing/record/replay.h"
#include "sharing/replay/generate.h"

namespace ridge::sharing {

enum class Admission : std::uint8_t {
  kAll,  ///< every model is shared
  kRho,  ///< models that are worth it are (policy/admission.h)
};

struct ReplayPlan {
  std::vector<std::string> files;         ///< one recorded trace (azure_trace.h), in parts
  std::vector<GeneratorSpec> generators;  ///< their shares and seeds are those of the plan
  std::string arrivals;                   ///< arrivals of the generators, in words
  std::vector<double> shares = {1};
  std::vector<std::uint32_t> clients;  ///< clients of closed loops; none: at the times of the trace
  std::vector<PolicySpec> policies;
  std::vector<Bytes> memories;
  std::optional<Bytes> disk;
  CostTable costs;
  std::string costs_name = "built-in examples";
  Admission admission = Admission::kAll;
  std::uint64_t seed = 1;
};

Result<Replay> play(const ReplayPlan& plan);

}  // namespace ridge::sharing

namespace ridge {

template <>
struct Words<sharing::Admission> {
  using Admission = sharing::Admission;
  static constexpr std::array list{Word{Admission::kAll, "all", "every model is shared"},
                                   Word{Admission::kRho, "rho", "what is worth it"}};
};

}  // namespace ridge
