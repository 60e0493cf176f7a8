// SPDX-License-Identifier: Apache-2.0
#include "session/stored_points.h"

#include <fmt/format.h>

#include <algorithm>

#include "session/run_key.h"

namespace ridge::session {

Result<std::vector<StoredPoint>> stored_points(const store::Store& store) {
  std::vector<StoredPoint> out;
  for (const store::RunRow& run : TRY(store.list())) {
    if (run.point.empty()) continue;
    Result<RunKey> key = read_run_key(run.point);
    if (!key.ok()) continue;  // of a program that asks for points of its own
    out.push_back({point_key(*std::move(key)), run.machine, fmt::format("{}", run.id)});
  }
  for (const profile::EvaluationKind kind : profile::kEvaluationKinds)
    for (const auto& [id, record] : TRY(store.evaluations(kind)))
      if (!record.point.empty() && !record.key.empty())
        out.push_back({record.key, record.host, fmt::format("{}:{}", word(kind), id)});
  return out;
}

Result<void> add_machines(const store::Store& store, PointList& list) {
  const std::vector<StoredPoint> stored = TRY(stored_points(store));
  for (ListedPoint& point : list.points) {
    for (const StoredPoint& s : stored)
      if (s.key == point.key && std::ranges::count(point.machines, s.machine) == 0)
        point.machines.push_back(s.machine);
  }
  return {};
}

}  // namespace ridge::session
