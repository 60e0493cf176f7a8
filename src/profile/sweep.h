// Profiles of one model over sizes or threads, and what they say together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "stats/samples.h"

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

/// What one axis of a sweep (threads, a size) did: at each of its values the throughput, divided by
/// that at its least value where all other axes are the same.
struct SweepAxis {
  struct Step {
    std::string value;   ///< "2 threads", "batch=4"
    std::string others;  ///< "batch=1"; "" where no other axis varies
    double ratio = 1;
    std::optional<stats::Interval> interval;  ///< 95 %; nullopt where single runs are too few
  };
  std::string base;  ///< "1", "batch=1"
  std::vector<Step> steps;
};

struct Sweep {
  std::vector<Profile> profiles;  ///< in the order asked for
  std::vector<SweepPoint> points() const;
  /// The smallest batch whose doubling adds at most 5 % throughput at the same thread count;
  /// nullopt where no doubling was measured or every doubling still paid.
  std::optional<std::int64_t> knee_batch() const;
  /// Those that vary, threads first.
  std::vector<SweepAxis> axes() const;
  /// A sentence for each axis: "2 threads: 0.66 x the throughput of 1 [0.64, 0.68]."; and the knee.
  std::vector<std::string> findings() const;
};

}  // namespace ridge::profile
