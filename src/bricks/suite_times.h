// Times of bricks for models of any size: where a kernel finds its weights depends on what else the
// model touches in a run.
//
//   const SuiteTimes times(TRY(store.suites(point)), host, cache_bytes);
//   estimate(network, times.of(resident_bytes(network.resolved)));
//
// Run again and again, a model that fits into the last-level cache finds its weights there; of a
// larger one each layer has been evicted by the others. MobileNetV2 0.5 (8 MB of weights) takes
// 2.7 ms, and 3.0 ms with weights from memory. So bricks are measured cold, behind all other bricks
// of the suite, or warm, shortly after a run among few others (suite_runner.h), as the models that
// consist of them need. A brick that was measured in one state only stands for both.
//
// Thread rule: immutable once made.
#pragma once

#include <cstdint>
#include <span>

#include "analysis/resolved.h"
#include "bricks/brick_times.h"

namespace ridge::bricks {

/// Largest share of the last-level cache that a model may touch to find its weights there: other
/// programs use the cache too, and replacement is not perfect.
inline constexpr double kCacheShare = 0.5;
/// Share of it for warm bricks that take turns among themselves, whose donors need memory too.
inline constexpr double kBatchShare = 0.25;

/// Part of a last-level cache that is counted on at most. In a larger one, which many processors
/// share, a weight takes longer the more was read since: with 480 MiB, MobileNetV2 0.5 (8 MB) was
/// estimated 23 % too long from bricks in batches of 120 MB, and 5 to 8 % in batches of 8 to 16 MB.
inline constexpr std::int64_t kMostCacheBytes = std::int64_t{64} << 20;

/// Bytes that a run of the model touches: its weights and the most activations alive at a time, but
/// no more than its nodes read and write, such as a few rows of a large table.
std::int64_t resident_bytes(const analysis::Resolved& model);

class SuiteTimes {
 public:
  SuiteTimes() = default;
  /// `cache_bytes`: of the last-level cache; 0: unknown, all models count as large.
  SuiteTimes(std::span<const profile::SuiteProcess> processes, const measure::Host& host,
             std::int64_t cache_bytes);

  /// True if a model that touches so many bytes finds its weights in the cache.
  bool warm(std::int64_t resident_bytes) const {
    return cache_bytes_ > 0 &&
           static_cast<double>(resident_bytes) <= kCacheShare * static_cast<double>(cache_bytes_);
  }
  const BrickTimes& of(std::int64_t resident_bytes) const {
    return warm(resident_bytes) ? warm_ : cold_;
  }
  const BrickTimes& in(bool warm) const { return warm ? warm_ : cold_; }

 private:
  BrickTimes cold_, warm_;
  std::int64_t cache_bytes_ = 0;
};

}  // namespace ridge::bricks
