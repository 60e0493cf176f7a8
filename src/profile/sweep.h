// Profiles of one model over runtimes, sizes or threads, and what they say together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"
#include "stats/samples.h"

namespace ridge::profile {

/// One point as the summary shows it.
struct SweepPoint {
  std::string label;    ///< "batch=4, 2 threads"; "OpenVINO, batch=4, 2 threads" where these vary
  std::string runtime;  ///< "ONNX Runtime"
  std::int64_t batch = 1, threads = 1;
  Estimate latency_ns;
  double items_per_s = 0;
};

/// "batch=4, 2 threads"
std::string point_label(const analysis::BoundSizes& sizes, std::int64_t threads);

/// What one axis of a sweep (the runtime, threads, a size) did: at each of its values the
/// throughput, divided by that at its base where all other axes are the same. The base is the first
/// runtime, the least number of threads, the least size.
struct SweepAxis {
  enum class Kind : std::uint8_t { kRuntime, kThreads, kSize };
  struct Step {
    std::string value;   ///< "OpenVINO", "2 threads", "batch=4"
    std::string others;  ///< "batch=1"; "" where no other axis varies
    double ratio = 1;
    std::optional<stats::Interval> interval;  ///< 95 %; nullopt where `reason` says why
    std::string reason;                       ///< "too few runs to tell"; "" with an interval
  };
  Kind kind = Kind::kThreads;
  std::string size;  ///< its name; "" of other kinds
  std::string base;  ///< "ONNX Runtime", "1", "batch=1"
  std::vector<Step> steps;
};

/// "runtime", "threads", "size".
std::string_view name(SweepAxis::Kind kind);

/// "2 threads: 0.66 x the throughput of 1 [0.64, 0.68]."
std::string text(const SweepAxis& axis);

struct Sweep {
  std::vector<Profile> profiles;  ///< in the order asked for
  std::vector<SweepPoint> points() const;
  /// The smallest batch whose doubling adds at most 5 % throughput in the same runtime at the same
  /// thread count; nullopt where no doubling was measured or every doubling still paid.
  std::optional<std::int64_t> knee_batch() const;
  /// Those that vary: the runtime, then threads, then sizes.
  std::vector<SweepAxis> axes() const;
  /// A sentence for each axis, and the knee.
  std::vector<std::string> findings() const;
};

}  // namespace ridge::profile
