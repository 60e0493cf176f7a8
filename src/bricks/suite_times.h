// SPDX-License-Identifier: Apache-2.0
// Times of bricks for models of any size: how long a kernel waits for its weights depends on the
// reuse distance, the bytes that the model touches between two uses of them.
//
//   const SuiteTimes times(TRY(store.suites(point)), host, cache_bytes);
//   estimate(network, times.of(resident_bytes(network.resolved)));
//
// Run again and again, a model uses each weight once per run, so the distance is all that it
// touches. (From bricks that ran 120 MB apart, MobileNetV2 0.5 was estimated 23 % too long on a
// processor with a cache of 480 MiB; it touches 12 MB.) So a brick is measured at the distance of
// the models that consist of it, of which there are few: 4, 8, 16, 32, ... MiB.
//
//   model of 11 MB, cache of 32 MiB      8 MiB, the nearest by ratio
//   model of 31 MB, cache of 31 MiB      16 MiB, because it fits into the cache and 32 MiB do not
//   model of 80 MB, cache of 32 MiB      0: the cache keeps nothing of it, so it does not matter
//                                        what runs in between, and all other bricks do
//
// A brick that was measured at other distances only stands for this one with the nearest of them.
//
// Thread rule: immutable once made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "analysis/resolved.h"
#include "bricks/brick_times.h"

namespace ridge::bricks {

/// Multiple of the last-level cache that a model touches at most to find anything there.
inline constexpr double kMaxCaches = 2;

/// Least reuse distance of a suite in bytes; each further one is twice the one before.
inline constexpr std::int64_t kMinReuse = std::int64_t{4} << 20;

/// Bytes that a run of the model touches: its weights and the most activations alive at a time, but
/// no more than its nodes read and write, such as a few rows of a large table.
std::int64_t resident_bytes(const analysis::Resolved& model);

/// Bytes that the nodes of the model read and write; 0: unknown.
std::int64_t traffic_bytes(const analysis::Resolved& model);

/// Reuse distance at which the bricks of a model are measured that touches so many bytes.
/// `cache_bytes`: of the last-level cache; 0: unknown.
std::int64_t reuse_of(std::int64_t resident_bytes, std::int64_t cache_bytes);

class SuiteTimes {
 public:
  SuiteTimes() = default;
  /// Copies what it needs of the processes.
  SuiteTimes(std::span<const profile::SuiteProcess> processes, const measure::Host& host,
             std::int64_t cache_bytes);

  std::int64_t reuse(std::int64_t resident_bytes) const {
    return reuse_of(resident_bytes, cache_bytes_);
  }
  /// Distance of large weights in a model with that traffic (batches.h): what a cache is sure to
  /// have lost is as far as need be.
  std::int64_t far(std::int64_t traffic_bytes) const {
    const auto most = static_cast<std::int64_t>(kMaxCaches * static_cast<double>(cache_bytes_));
    return cache_bytes_ > 0 ? std::min(traffic_bytes / 2, most) : 0;
  }
  const BrickTimes& of(std::int64_t resident_bytes) const { return at(reuse(resident_bytes)); }
  /// Times at a distance that reuse() returned.
  const BrickTimes& at(std::int64_t reuse_bytes) const;

 private:
  std::map<std::int64_t, BrickTimes> times_;  ///< by reuse distance
  std::int64_t cache_bytes_ = 0;
};

}  // namespace ridge::bricks
