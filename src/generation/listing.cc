// SPDX-License-Identifier: Apache-2.0
#include "generation/listing.h"

#include <fmt/format.h>

#include "generation/describe.h"
#include "generation/recorder.h"
#include "profile/sweep.h"
#include "session/stored_points.h"

namespace ridge::generation {

using session::ListedState;

Result<void> check_generation(const TokenGenerationRequest& request) {
  TRY(session::check(request.spec));
  if (request.spec.threads.size() != 1 || request.spec.sizes.size() != 1)
    return usage_error("RIDGE-WB-0202", "a generation is of one thread count and one set of sizes")
        .hint("run it once for each");
  return {};
}

namespace {

/// "generation:3", as ridge runs names it; "" for a point that the store lacks.
Result<std::string> stored_name(const std::string& key, const GenerationKeeping& keeping) {
  if (keeping.store == nullptr || key.empty()) return std::string();
  const auto id = TRY(keeping.store->evaluation_of_point(key));
  return id ? fmt::format("generation:{}", *id) : std::string();
}

std::string label_of(const TokenGenerationRequest& request, const session::Point& point) {
  return fmt::format("prompt {}, tokens {}, {}", prompt_lengths(request), token_lengths(request),
                     profile::point_label(point.bindings.sizes, point.threads));
}

}  // namespace

Result<session::PointList> list_points(const TokenGenerationRequest& request,
                                       const session::Environment& environment,
                                       const GenerationKeeping& keeping) {
  TRY(check_generation(request));
  const session::Workbench bench =
      TRY(session::make_workbench(request.model, request.spec, environment));
  const ChosenPoints chosen = TRY(choose_points(request, bench, keeping));
  session::PointList out;
  for (std::size_t i = 0; i < chosen.points.size(); ++i) {
    const session::Point& point = chosen.points[i];
    GenerationKey key = chosen.keys[i];
    std::string in_store = open_runtime(bench, point, key).ok() ? store_key(key) : std::string();
    std::string stored = TRY(stored_name(in_store, keeping));
    out.points.push_back({.key = request_key(chosen.keys[i]),
                          .model = request.model,
                          .point = label_of(request, point),
                          .runtime = point.runtime,
                          .threads = point.threads,
                          .state = stored.empty() ? ListedState::kWaiting : ListedState::kHeld,
                          .stored = std::move(stored),
                          .store_key = std::move(in_store)});
  }
  if (keeping.store != nullptr) TRY(session::add_machines(*keeping.store, out));
  return out;
}

}  // namespace ridge::generation
