// Profiles of one model over sizes or threads, and what they say together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace ridge::profile {

/// One point as the summary shows it.
struct SweepPoint {
  std::string label;  ///< "batch=4, 2 threads"
  std::int64_t batch = 1, threads = 1;
  Estimate latency_ns;
  double items_per_s = 0;
};

/// "batch=4, 2 threads"
std::string point_label(const analysis::BoundSizes& sizes, std::int64_t threads);

struct Sweep {
  std::vector<Profile> profiles;  ///< in the order asked for
  std::vector<SweepPoint> points() const;
  /// The smallest batch whose doubling adds at most 5 % throughput at the same thread count;
  /// nullopt where no doubling was measured or every doubling still paid.
  std::optional<std::int64_t> knee_batch() const;
};

}  // namespace ridge::profile
