// SPDX-License-Identifier: Apache-2.0
#include "evaluation/run/listing.h"

#include <fmt/format.h>

#include "evaluation/run/opened_request.h"
#include "profile/sweep.h"
#include "session/stored_points.h"

namespace ridge::evaluation {
namespace {

/// "" for a point of a runtime that this machine lacks.
Result<std::string> store_key(const OpenedRequest& opened, const session::Point& point,
                              const session::Environment& environment) {
  Result<measure::Request> measuring = opened.bench->request(point);
  if (!measuring.ok()) return std::string();
  return key_in_store({point, *std::move(measuring)}, opened.lock, environment);
}

/// "evaluation:3", as ridge runs names it; "" for a point that the store lacks.
Result<std::string> stored_name(const std::string& key, const EvaluationKeeping& keeping) {
  if (keeping.store == nullptr || key.empty()) return std::string();
  const auto id = TRY(keeping.store->evaluation_of_point(key));
  return id ? fmt::format("evaluation:{}", *id) : std::string();
}

}  // namespace

Result<session::PointList> list_points(const EvaluationRequest& request,
                                       const session::Environment& environment,
                                       const EvaluationKeeping& keeping) {
  const auto opened = TRY(
      OpenedRequest::open(request, environment,
                          {.wanted = keeping.wanted, .to_run = false, .data = HashData::kBefore}));
  session::PointList out;
  for (const session::Point& point : opened->points) {
    const analysis::Resolved resolved = TRY(opened->bench->resolve(point));
    std::string in_store = TRY(store_key(*opened, point, environment));
    std::string stored = TRY(stored_name(in_store, keeping));
    out.points.push_back(
        {.key = request_key(opened->lock, point.runtime),
         .model = request.model,
         .point = profile::point_label(resolved.bindings(), point.threads),
         .runtime = point.runtime,
         .threads = point.threads,
         .state = stored.empty() ? session::ListedState::kWaiting : session::ListedState::kHeld,
         .stored = std::move(stored),
         .store_key = std::move(in_store)});
  }
  if (keeping.store != nullptr) TRY(session::add_machines(*keeping.store, out));
  return out;
}

}  // namespace ridge::evaluation
