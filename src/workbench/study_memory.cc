#include "workbench/study_memory.h"

#include "accelerator/nests/closed_form_profile.h"
#include "accelerator/nests/profile_remarks.h"
#include "accelerator/nests/registry.h"
#include "accelerator/tvm/static_model.h"
#include "accelerator/tvm/tir_profile.h"
#include "workbench/tvm.h"

namespace ridge::workbench {
namespace {

using accelerator::Profiles;
using accelerator::ProfileSource;

Result<Profiles> from_tvm(const StudySpec& spec, const analysis::Resolved& resolved,
                          const Environment& environment) {
  const accelerator::StaticModel model = TRY(accelerator::static_model(resolved));
  const TvmNests nests = TRY(lower_with_tvm(environment.tvm_folder, model.bytes,
                                            spec.run_hooks ? TvmHooks::kRun : TvmHooks::kNone));
  return accelerator::profile_tir(nests.tir, nests.map, resolved);
}

}  // namespace

Result<Profiles> study_memory(const StudySpec& spec, const accelerator::Lowered& lowered,
                              const analysis::Resolved& resolved, const Environment& environment) {
  if (spec.run_hooks && spec.memory != ProfileSource::kTir)
    return usage_error("RIDGE-WB-0185", "--run-hooks requires --profile-with tir")
        .hint("add --profile-with tir, or omit --run-hooks");
  if (spec.memory == ProfileSource::kClosedForm)
    return accelerator::closed_form_profiles(lowered, resolved);
  Profiles profiles = spec.memory == ProfileSource::kTir
                          ? TRY(from_tvm(spec, resolved, environment))
                          : TRY(accelerator::profile_nests(lowered, resolved));
  // A loop nest covers one node, without the nodes fused into its output pass.
  accelerator::Lowered alone = lowered;
  for (accelerator::Layer& layer : alone.layers) layer.riders.clear();
  accelerator::explain_differences(profiles, accelerator::closed_form_profiles(alone, resolved));
  return profiles;
}

}  // namespace ridge::workbench
