// SPDX-License-Identifier: Apache-2.0
// Point at which bricks are measured: runtime, options, threads and host. Times of different points
// are kept apart.
//
//   const BricksPoint point = TRY(bricks_point(spec, environment));
//   Loader loader(point.loading);
//   store.suites(point.key(TRY(loader.info())));
//
// Thread rule: plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/gate.h"
#include "runtime/options.h"
#include "runtime/types.h"
#include "session/environment.h"
#include "session/matrix.h"

namespace ridge::bricks {

struct BricksPoint {
  std::string runtime = "ort";  ///< name of a KnownRuntime
  std::uint32_t threads = 1;
  std::string options;       ///< JSON object of what a profile lists as options
  runtime::Options loading;  ///< to see kernels: nothing is run, so weights are not packed
  runtime::Options whole;    ///< to run models
  runtime::Options suite;    ///< to run bricks: sessions share memory as layers do
  measure::Host host;
  std::int64_t cache_bytes = 0;  ///< last-level cache, as far as it is counted on; 0: unknown
  std::string host_name;
  std::string identity;  ///< machine::Host::identity()

  /// JSON of everything that times of bricks depend on.
  std::string key(const runtime::RuntimeInfo& info) const;
};

/// Point of a spec with one runtime and one thread count. Errors: as Workbench::request.
Result<BricksPoint> bricks_point(const session::MeasureSpec& spec,
                                 const session::Environment& environment);

/// Name of a model in plans and estimates: "zoo:bert_base", or "zoo:bert_base sequence=64" if sizes
/// are given.
std::string name_with_sizes(const std::string& model, const analysis::Bindings& given);

/// Usage error (RIDGE-WB-0074) if a spec has several points.
Result<void> check_single_points(const std::vector<session::ModelSpec>& models);

}  // namespace ridge::bricks
