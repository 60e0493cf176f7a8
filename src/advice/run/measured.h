// SPDX-License-Identifier: Apache-2.0
// The measured run that advice is about, its bounds, and other ways to run the model.
//
//   const MeasuredModel measured = TRY(measure_model(subject));
//   measured.run.latency.ns.median, measured.kernel_bound.sequential_ns
//
// The run comes from the store if that has it; else it is measured and stored. Errors: as in
// measuring and of the store. Thread rule: one thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advice/cover.h"
#include "advice/run/alternatives.h"
#include "advice/run/subject.h"
#include "roofline/roofs.h"
#include "runtime/types.h"

namespace ridge::advice {

struct MeasuredModel {
  runtime::RuntimeInfo runtime;
  std::string run_key;  ///< key of the run in a store
  profile::Profile run;
  std::vector<AdviceWay> ways;
  std::optional<Cover> cover;  ///< by the run and the ways; nullopt without ways
  roofline::Roofs roofs;       ///< for the threads of the run; empty if they are unknown
  KernelBound kernel_bound;
  ModelBound model_bound;
  std::optional<double> on_all_ns;  ///< SettingFacts::on_all_ns
  std::vector<std::string> notes;
};

Result<MeasuredModel> measure_model(const AdviceSubject& subject);

}  // namespace ridge::advice
