// SPDX-License-Identifier: Apache-2.0
// One query under load, as recorded: 32 bytes of plain data, so that millions of them take little.
//
// Moments are nanoseconds of the monotonic clock. The latency of a query counts from the moment at
// which it was scheduled, not from that at which it was issued: a query that waits behind a slow
// one has waited for its user too (coordinated omission is measuring it otherwise).
//
//   scheduled ----- waits ----- issued ----- runs ----- done
//   |<-- service is busy --->|  |
//                            |<>| late: a worker was free and the generator did not issue the query
#pragma once

#include <cstdint>
#include <type_traits>

namespace ridge::scenario {

struct Query {
  static constexpr std::uint32_t kSampleBits = 0x3fff'ffff;  ///< largest `sample`

  std::int64_t scheduled_ns = 0;
  std::int64_t issued_ns = 0;
  std::int64_t done_ns = 0;
  /// From the moment at which the query was due and a worker was free to that at which it was
  /// issued; the largest value for more.
  std::uint32_t late_ns = 0;
  std::uint32_t sample : 30 = 0;  ///< the first sample, for a query of several
  std::uint32_t failed : 1 = 0;
  std::uint32_t warmup : 1 = 0;  ///< figures leave it out

  std::int64_t latency_ns() const { return done_ns - scheduled_ns; }
  bool operator==(const Query&) const = default;
};
static_assert(sizeof(Query) == 32 && std::is_trivially_copyable_v<Query>);

}  // namespace ridge::scenario
