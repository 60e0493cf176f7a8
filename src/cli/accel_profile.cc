#include "cli/accel_profile.h"

#include "accelerator/nests/closed_form_profile.h"
#include "accelerator/nests/layer_nest.h"
#include "accelerator/nests/profile_remarks.h"
#include "accelerator/tvm/static_model.h"
#include "accelerator/tvm/tir_profile.h"
#include "cli/tvm_helper.h"

namespace ridge::cli {
namespace {

using accelerator::Profiles;
using accelerator::ProfileSource;

Result<Profiles> from_tvm(const AccelOptions& options, const analysis::Resolved& resolved) {
  const accelerator::StaticModel model = TRY(accelerator::static_model(resolved));
  const TvmNests nests =
      TRY(lower_with_tvm(model.bytes, options.run_hooks ? TvmHooks::kRun : TvmHooks::kNone));
  return accelerator::profile_tir(nests.tir, nests.map, resolved);
}

}  // namespace

Result<Profiles> accel_profiles(const AccelOptions& options, const accelerator::Lowered& lowered,
                                const analysis::Resolved& resolved) {
  const auto source = accelerator::profile_source(options.profile_with);
  if (options.run_hooks && source != ProfileSource::kTir)
    return usage_error("RIDGE-CLI-0185", "--run-hooks runs what TVM compiles")
        .hint("it goes with --profile-with tir");
  if (!source || source == ProfileSource::kClosedForm)
    return accelerator::closed_form_profiles(lowered, resolved);
  Profiles told = source == ProfileSource::kTir
                      ? TRY(from_tvm(options, resolved))
                      : TRY(accelerator::profile_nests(lowered, resolved));
  // A loop nest is of a node alone, without what rides with it.
  accelerator::Lowered alone = lowered;
  for (accelerator::Layer& layer : alone.layers) layer.riders.clear();
  accelerator::explain_differences(told, accelerator::closed_form_profiles(alone, resolved));
  return told;
}

}  // namespace ridge::cli
