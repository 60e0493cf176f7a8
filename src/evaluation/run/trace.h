// SPDX-License-Identifier: Apache-2.0
// The trace of an evaluation: its queries and steps as spans, with the layers of some queries below
// (trace/application.h).
//
//   point.profiled = profile_queries({resolved, request, 3, &data});      // after the load
//   const EvaluationTrace trace = trace_of(evaluation);
//   exports::write_chrome_trace(trace.profile, sink);
//
// Profiled queries run alone, in a process of their own that has loaded the same model with the
// same options, so that profiling is part of no latency; all take the first samples of the data, or
// without data inputs that are seeded or that the spec gives. They are measured and attributed to
// nodes as in ridge profile, on the same clock. Without them (a runtime that reports no layers, an
// error) `missing` says why, and the load stands. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "evaluation/data/data.h"
#include "evaluation/record/evaluation.h"
#include "measure/request.h"
#include "profile/profile.h"
#include "trace/application_stack.h"

namespace ridge::evaluation {

struct Profiling {
  const analysis::Resolved& resolved;
  const measure::Request& request;
  const runtime::RuntimeInfo& runtime;
  std::uint32_t queries = 0;
  const DataSamples* data = nullptr;
};
ProfiledQueries profile_queries(const Profiling& of);

struct EvaluationTrace {
  profile::Profile profile;    ///< its timeline alone
  std::uint64_t left_out = 0;  ///< queries without spans
  std::vector<trace::StackLevel> stack;
  std::vector<std::string> missing;  ///< "null: it reports no layers", for each runtime without
};

EvaluationTrace trace_of(const Evaluation& evaluation);

/// Describes the levels, a line each: "query: 367 spans of 2.0 s in sum, 0 % in none below".
std::vector<std::string> stack_lines(const EvaluationTrace& trace);

}  // namespace ridge::evaluation
