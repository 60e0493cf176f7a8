// SPDX-License-Identifier: Apache-2.0
// What tables of many runs need of each beside its row in the list: latencies, and how it ran.
//
//   const RunTimes times = TRY(store.times(run.id));
//
// Plain data. Cost: some microseconds and one per latency; layers and nodes are summed by the
// database.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ridge::store {

struct RunTimes {
  /// Latencies of each process that measured, profiling off, in nanoseconds.
  std::vector<std::vector<double>> processes_ns;
  /// Element type of the layers that take most of the time together; "" without layers.
  std::string precision;
  /// Sum over the nodes: what several nodes read counts for each. nullopt without nodes.
  std::optional<std::int64_t> params;
  std::map<std::string, std::string> options;  ///< options of the runtime, threads among them
};

}  // namespace ridge::store
