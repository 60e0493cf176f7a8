// SPDX-License-Identifier: Apache-2.0
#include "generation/key.h"

#include <fmt/format.h>

#include <utility>

#include "base/hash/sha256.h"
#include "base/version.h"
#include "evaluation/repeat/hashes.h"
#include "record/describe.h"
#include "record/json_write.h"
#include "session/point_choice.h"
#include "session/run_key.h"

namespace ridge {

template <>
struct record::Describe<generation::StatePattern> {
  using T = generation::StatePattern;
  static constexpr std::array fields{field<&T::output>("output", "name of an output"),
                                     field<&T::input>("input", "the input that it becomes")};
};

template <>
struct record::Describe<generation::GenerationKey> {
  using T = generation::GenerationKey;
  static constexpr std::string_view text = "Equal for repetitions of one generation.";
  static constexpr std::array fields{
      field<&T::model>("model", "hash of the decoder"),
      field<&T::prefill>("prefill", "hash of the model of prompts"),
      field<&T::sizes>("sizes", "as bound"),
      field<&T::inputs>("inputs", "hash of what each is given"),
      field<&T::state>("state", "outputs that become inputs"),
      field<&T::cache>("cache", "as asked"),
      field<&T::requests>("requests", "hash of their lengths and due times"),
      field<&T::begin>("begin", "due or free"),
      field<&T::clients>("clients", "requests at the same time"),
      field<&T::batch>("batch", "sequences of each request"),
      field<&T::given_cache>("given_cache", "no prompts are run"),
      field<&T::seed>("seed", "of the prompts"),
      field<&T::max_duration_ns>("max_duration_ns", "after it no request begins"),
      field<&T::options>("options", "of the runtime and of the measurement"),
      field<&T::runtime>("runtime", "its name"),
      field<&T::version>("version", "of the runtime"),
      field<&T::library>("library", "hash of the runtime's library"),
      field<&T::host>("host", "identity of the machine"),
      field<&T::ridge>("ridge", "its version")};
};

}  // namespace ridge

namespace ridge::generation {
namespace {

Result<std::string> requests_sha256(const scenario::Workload& workload) {
  Sha256 hash;
  for (const scenario::TokenRequest& r : TRY(scenario::requests_of(workload)))
    hash.add(fmt::format("{} {} {}\n", r.after_ns, r.prompt, r.tokens));
  return hash.hex();
}

/// Part of the key that all points share.
Result<GenerationKey> shared_key(const TokenGenerationRequest& request,
                                 const session::Workbench& bench) {
  const HashWatch watch = evaluation::hash_watch(bench.environment);
  GenerationKey out;
  out.model = TRY(evaluation::model_sha256(bench.opened.model->document(), watch));
  if (!request.prefill.empty()) {
    const session::OpenedModel prefill = TRY(session::open_model(request.prefill));
    out.prefill = TRY(evaluation::model_sha256(prefill.model->document(), watch));
  }
  for (const auto& [name, source] : request.inputs)
    out.inputs[name] = TRY(evaluation::input_sha256(source, watch));
  out.state = request.state;
  if (request.cache) out.cache = *request.cache == runtime::CacheBy::kShared ? "shared" : "grow";
  out.requests = TRY(requests_sha256(request.workload));
  out.begin = request.workload.timed || request.workload.arrivals ? "due" : "free";
  out.clients = request.clients;
  out.batch = request.batch;
  out.given_cache = request.given_cache;
  out.seed = request.workload.seed;
  out.max_duration_ns = request.max_duration.count;
  out.host = bench.environment.host.identity();
  out.ridge = std::string(version());
  return out;
}

}  // namespace

Result<std::vector<GenerationKey>> generation_keys(const TokenGenerationRequest& request,
                                                   const session::Workbench& bench,
                                                   const std::vector<session::Point>& points) {
  const GenerationKey shared = TRY(shared_key(request, bench));
  std::vector<GenerationKey> out(points.size(), shared);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const auto& [name, size] : points[i].bindings.sizes) out[i].sizes[name] = size.value;
    out[i].options = TRY(bench.options_in_keys(points[i]));
    out[i].runtime = points[i].runtime;
  }
  return out;
}

std::string store_key(const GenerationKey& key) {
  return sha256_of("generation " + record::json_text(record::kType<GenerationKey>, &key));
}

std::string request_key(GenerationKey key) {
  key.version.clear();
  key.library.clear();
  key.host.clear();
  key.ridge.clear();
  session::forget_processors(key.options);
  return session::point_key(store_key(key));
}

}  // namespace ridge::generation
