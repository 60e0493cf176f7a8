// SPDX-License-Identifier: Apache-2.0
#include "evaluation/run/listing.h"

#include <fmt/format.h>

#include "evaluation/run/opened_request.h"
#include "profile/sweep.h"
#include "session/stored_points.h"

namespace ridge::evaluation {
namespace {

/// "evaluation:3", as ridge runs names it; "" for a point that the store lacks.
Result<std::string> stored_name(const OpenedRequest& opened, const session::Point& point,
                                const EvaluationKeeping& keeping,
                                const session::Environment& environment) {
  if (keeping.store == nullptr) return std::string();
  Result<measure::Request> measuring = opened.bench->request(point);
  if (!measuring.ok()) return std::string();  // of a runtime that this machine lacks
  const auto id =
      TRY(find_stored({point, *std::move(measuring)}, opened.lock, keeping, environment));
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
    std::string stored = TRY(stored_name(*opened, point, keeping, environment));
    out.points.push_back(
        {.key = request_key(opened->lock, point.runtime),
         .model = request.model,
         .point = profile::point_label(resolved.bindings(), point.threads),
         .runtime = point.runtime,
         .threads = point.threads,
         .state = stored.empty() ? session::ListedState::kWaiting : session::ListedState::kHeld,
         .stored = std::move(stored)});
  }
  if (keeping.store != nullptr) TRY(session::add_machines(*keeping.store, out));
  return out;
}

}  // namespace ridge::evaluation
