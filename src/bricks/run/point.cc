// SPDX-License-Identifier: Apache-2.0
#include "bricks/run/point.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/version.h"
#include "profile/summary.h"
#include "record/describe.h"
#include "record/json_write.h"
#include "session/machine_roofs.h"
#include "session/processor_choice.h"
#include "session/workbench.h"

namespace ridge {
namespace bricks {
namespace {

/// Everything that times of bricks depend on.
struct PointKey {
  std::string runtime, version;
  record::Json options;
  std::string host, ridge;
};

template <typename T>
std::string json_of(const T& value) {
  return record::json_text(record::kType<T>, &value);
}

}  // namespace
}  // namespace bricks

template <>
struct record::Describe<bricks::PointKey> {
  using T = bricks::PointKey;
  static constexpr std::array fields{
      field<&T::runtime>("runtime", "as it names itself"), field<&T::version>("version", "its own"),
      field<&T::options>("options", "as a profile lists them"),
      field<&T::host>("host", "identity of the host"), field<&T::ridge>("ridge", "version")};
};

namespace bricks {

std::string BricksPoint::key(const runtime::RuntimeInfo& info) const {
  const PointKey key{info.name, info.version, {options}, identity, std::string(ridge::version())};
  return json_of(key);
}

std::string name_with_sizes(const std::string& model, const analysis::Bindings& given) {
  std::string name = model;
  for (const auto& [size, value] : given.sizes) name += fmt::format(" {}={}", size, value.value);
  for (const auto& [input, shape] : given.shapes) {
    name += fmt::format(" {}=", input);
    for (std::size_t i = 0; i < shape.size(); ++i)
      name += fmt::format("{}{}", i == 0 ? "" : "x", shape[i]);
  }
  return name;
}

Result<void> check_single_points(const std::vector<session::ModelSpec>& models) {
  for (const session::ModelSpec& m : models)
    if (session::count_points(m.spec) != 1)
      return usage_error("RIDGE-WB-0074", "bricks are of one point of each model")
          .evidence(fmt::format("{}: several thread counts or sizes", m.model))
          .hint("run it once per size; a thread count has its own folder");
  return {};
}

Result<BricksPoint> bricks_point(const session::MeasureSpec& spec,
                                 const session::Environment& environment) {
  const session::Point point = session::points_of(spec).at(0);
  const std::string no_model;
  measure::Request request =
      TRY((session::Workbench{no_model, spec, environment, {}}.request(point)));
  BricksPoint out{.runtime = point.runtime,
                  .threads = static_cast<std::uint32_t>(point.threads),
                  .options = {},
                  .loading = request.runtime,
                  .whole = request.runtime,
                  .suite = request.runtime,
                  .host = {.processors = request.processors, .threads = point.threads},
                  .host_name = profile::machine_name(machine::host_json(environment.host)),
                  .identity = environment.host.identity()};
  out.cache_bytes = session::kept_cache_bytes(environment);
  out.loading.cpus.clear();
  if (point.runtime == "ort") {
    // Kernels are selected before their weights are packed, which takes most of the loading time.
    out.loading.entries.emplace_back("session.disable_prepacking", "1");
    out.suite.entries.emplace_back("session.use_env_allocators", "1");
    // Threads of a session that ran before would spin on the processors of the next.
    out.suite.entries.emplace_back("ridge.thread_pool", "shared");
    // So that nothing lies between the activations in the arena (runtime: arena_reach).
    out.suite.entries.emplace_back("session.use_device_allocator_for_initializers", "1");
  }
  for (runtime::Options* options : {&out.loading, &out.whole, &out.suite}) options->warn = {};
  request.runtime.cpus = session::processors_in_keys(environment.host, request.runtime.cpus);
  out.options = json_of(measure::options_of(request));
  return out;
}

}  // namespace bricks
}  // namespace ridge
