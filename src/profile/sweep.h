// SPDX-License-Identifier: Apache-2.0
// Profiles of one model over several runtimes, sizes or thread counts, and their comparison.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "profile/profile.h"
#include "stats/samples.h"

namespace ridge::profile {

/// One point of the summary.
struct SweepPoint {
  /// "batch=4, 2 threads"; with several runtimes "OpenVINO, batch=4, 2 threads"
  std::string label;
  std::string runtime;  ///< "ONNX Runtime"
  std::int64_t batch = 1, threads = 1;
  stats::Estimate latency_ns;
  double items_per_s = 0;
};

/// "batch=8, sequence=128"; "" without sizes.
std::string sizes_text(const analysis::BoundSizes& sizes);
/// Label of a point: "batch=4, 2 threads".
std::string point_label(const analysis::BoundSizes& sizes, std::int64_t threads);

/// Effect of one axis of a sweep (the runtime, threads, a size): for each of its values the
/// throughput relative to the base value, with all other axes equal. The base is the first runtime,
/// the smallest number of threads, or the smallest size.
struct SweepAxis {
  enum class Kind : std::uint8_t { kRuntime, kThreads, kSize };
  struct Step {
    std::string value;  ///< "OpenVINO", "2 threads", "batch=4"
    /// values of the other varying axes: "batch=1"; "" if no other axis varies
    std::string others;
    stats::Estimate ratio{1};  ///< without an interval: see `reason`
    std::string reason;        ///< "too few runs to tell"; "" if there is an interval
  };
  Kind kind = Kind::kThreads;
  std::string size;  ///< name of the size; "" for other kinds
  std::string base;  ///< "ONNX Runtime", "1", "batch=1"
  std::vector<Step> steps;
};

/// Formats an axis: "2 threads: 0.66 x the throughput of 1 [0.64, 0.68]."
std::string text(const SweepAxis& axis);

struct Sweep {
  std::vector<Profile> profiles;  ///< in the order requested
  std::vector<SweepPoint> points() const;
  /// Smallest batch whose doubling adds at most 5 % throughput in the same runtime with the same
  /// thread count; nullopt if no doubling was measured or every doubling adds more.
  std::optional<std::int64_t> knee_batch() const;
  /// Axes with more than one value: the runtime, then threads, then sizes.
  std::vector<SweepAxis> axes() const;
  /// One sentence per axis, and one for the knee.
  std::vector<std::string> findings() const;
};

}  // namespace ridge::profile

namespace ridge {

template <>
struct Words<profile::SweepAxis::Kind> {
  using E = profile::SweepAxis::Kind;
  static constexpr std::array list{Word{E::kRuntime, "runtime"}, Word{E::kThreads, "threads"},
                                   Word{E::kSize, "size"}};
};

}  // namespace ridge
