// SPDX-License-Identifier: Apache-2.0
#include "accelerator/study/memory.h"

#include "accelerator/nests/closed_form_profile.h"
#include "accelerator/nests/profile_remarks.h"
#include "accelerator/nests/registry.h"
#include "accelerator/study/tvm.h"
#include "accelerator/tvm/static_model.h"
#include "accelerator/tvm/tir_profile.h"

namespace ridge::accelerator {
namespace {

Result<Profiles> from_tvm(const StudySpec& spec, const analysis::Resolved& resolved,
                          const session::Environment& environment) {
  const StaticModel model = TRY(static_model(resolved));
  const TvmNests nests = TRY(lower_with_tvm(environment.tvm_folder, model.bytes,
                                            spec.run_hooks ? TvmHooks::kRun : TvmHooks::kNone));
  return profile_tir(nests.tir, nests.map, resolved);
}

}  // namespace

Result<Profiles> study_memory(const StudySpec& spec, const Lowered& lowered,
                              const analysis::Resolved& resolved,
                              const session::Environment& environment) {
  if (spec.run_hooks && spec.memory != ProfileSource::kTir)
    return usage_error("RIDGE-WB-0185", "--run-hooks requires --profile-with tir")
        .hint("add --profile-with tir, or omit --run-hooks");
  if (spec.memory == ProfileSource::kClosedForm) return closed_form_profiles(lowered, resolved);
  Profiles profiles = spec.memory == ProfileSource::kTir
                          ? TRY(from_tvm(spec, resolved, environment))
                          : TRY(profile_nests(lowered, resolved));
  // A loop nest covers one node, without the nodes fused into its output pass.
  Lowered alone = lowered;
  for (Layer& layer : alone.layers) layer.riders.clear();
  explain_differences(profiles, closed_form_profiles(alone, resolved));
  return profiles;
}

}  // namespace ridge::accelerator
