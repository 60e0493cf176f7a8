// SPDX-License-Identifier: Apache-2.0
#include "bricks/run/estimate.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/version.h"
#include "bricks/loader.h"
#include "bricks/run/point.h"
#include "bricks/suite_times.h"
#include "session/workbench.h"
#include "store/store.h"

namespace ridge::bricks {
namespace {

Result<SuiteTimes> times_of(const std::string& path, const std::string& key,
                            const BricksPoint& point) {
  const store::Store store = TRY(store::Store::open(path, store::Access::kRead));
  const std::vector<profile::SuiteProcess> processes = TRY(store.suites(key));
  if (!processes.empty()) return SuiteTimes(processes, point.host, point.cache_bytes);
  const std::vector<std::string> others = TRY(store.suite_points());
  Error error = input_error("RIDGE-WB-0076", "the store has no bricks that were measured here")
                    .hint("measure some: ridge bricks run DIR --store " + path)
                    .in_file(path);
  if (others.empty()) return error;
  return std::move(error).evidence(fmt::format("it has those of {}; here: {}", others[0], key));
}

}  // namespace

Result<BrickEstimates> estimate_models(const EstimateRequest& request,
                                       const session::Environment& environment) {
  TRY(check_single_points(request.models));
  const BricksPoint point = TRY(bricks_point(request.models.at(0).spec, environment));
  Loader loader(point.loading);
  const runtime::RuntimeInfo info = TRY(loader.info());
  const SuiteTimes times = TRY(times_of(request.store, point.key(info), point));
  BrickEstimates out;
  out.document = {.ridge = std::string(version()),
                  .runtime = info.name,
                  .runtime_version = info.version,
                  .host = point.host_name,
                  .threads = point.threads,
                  .models = {}};
  const auto one = [&](const session::ModelSpec& m) -> Result<ModelEstimate> {
    const session::Workbench bench = TRY(session::make_workbench(m.model, m.spec, environment));
    const session::Point at = session::points_of(m.spec).at(0);
    Result<Network> network = loader.load(TRY(bench.resolve(at)));
    if (!network.ok()) return std::move(network).error().in_file(m.model);
    const std::int64_t bytes = resident_bytes(network->resolved);
    ModelEstimate e = estimate(*network, times.of(bytes));
    e.name = name_with_sizes(m.model, at.bindings);
    return e;
  };
  for (std::size_t i = 0; i < request.models.size() && !environment.stopped(); ++i) {
    const session::ModelSpec& m = request.models[i];
    if (environment.progress != nullptr)
      environment.progress->show(
          fmt::format("model {} of {}: {}", i + 1, request.models.size(), m.model), 0, 0);
    Result<ModelEstimate> e = one(m);
    environment.hide_progress();
    if (e.ok()) {
      out.document.models.push_back(std::move(*e));
    } else if (environment.stopped()) {
      break;
    } else if (e.error().error_class() == ErrorClass::kBug) {
      return std::move(e).error();
    } else {
      environment.notices.failed(e.error());
      out.failed.push_back(m.model);
    }
  }
  return out;
}

}  // namespace ridge::bricks
