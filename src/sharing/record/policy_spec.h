// SPDX-License-Identifier: Apache-2.0
// Which policy decides what leaves a level of the cache, and its parameters. Plain data: requests,
// documents and the socket carry it; policy/policy.h acts on it.
//
//   PolicySpec spec{.kind = PolicyKind::kTtl, .ttl = Nanos{600'000'000'000}};
//   policy_text(spec)                        // "ttl:600s"
//
// Thread rule: value types.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/units.h"
#include "base/words.h"

namespace ridge::sharing {

enum class PolicyKind : std::uint8_t {
  kNever,      ///< nothing leaves; what comes once memory is full does not get in
  kFifo,       ///< the one that came first leaves first
  kLru,        ///< the one whose last lease ended longest ago
  kLfu,        ///< the one with the fewest requests since it came
  kEager,      ///< leaves as soon as nobody leases it
  kTtl,        ///< leaves after a fixed time without a lease
  kHistogram,  ///< leaves when its own idle times say that no request is to be expected
  kGdsf,       ///< the one with the least requests x cost of loading / size, aged
};

/// Keep-alive by idle times: Shahrad et al., "Serverless in the Wild", USENIX ATC 2020, section
/// 4.2. The defaults are the paper's.
struct HistogramSpec {
  static constexpr std::uint32_t kMostBins = 4096;

  Nanos bin{60'000'000'000};   ///< width of a bin
  std::uint32_t bins = 240;    ///< idle times beyond them all are out of bounds
  double head = 0.05;          ///< share of idle times below the end of pre-warming
  double tail = 0.99;          ///< share of idle times within the time it is kept
  double margin = 0.1;         ///< shortens the one and lengthens the other
  double least_variation = 2;  ///< below it the histogram is flat: kept for all its bins
  bool prewarm = false;        ///< leaves at once, and is loaded again before the head
};

struct PolicySpec {
  PolicyKind kind = PolicyKind::kGdsf;
  Nanos ttl{600'000'000'000};
  HistogramSpec histogram = {};
};

/// "lru", "ttl:600s", "histogram", "histogram:prewarm": as it is written on a command line.
std::string policy_text(const PolicySpec& spec);

}  // namespace ridge::sharing

namespace ridge {

template <>
struct Words<sharing::PolicyKind> {
  using Kind = sharing::PolicyKind;
  static constexpr std::array list{
      Word{Kind::kNever, "never", "what is in stays"},
      Word{Kind::kFifo, "fifo", "first in, first out"},
      Word{Kind::kLru, "lru", "the one unused for longest leaves"},
      Word{Kind::kLfu, "lfu", "the one with the fewest requests leaves"},
      Word{Kind::kEager, "eager", "leaves with its last lease"},
      Word{Kind::kTtl, "ttl", "leaves after a time without a lease"},
      Word{Kind::kHistogram, "histogram", "leaves by the distribution of its own idle times"},
      Word{Kind::kGdsf, "gdsf", "least requests x cost / size leaves, aged"}};
};

}  // namespace ridge
