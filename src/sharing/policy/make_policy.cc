// SPDX-License-Identifier: Apache-2.0
#include "sharing/policy/make_policy.h"

#include "sharing/policy/keep_alive.h"
#include "sharing/policy/ranked.h"
#include "sharing/policy/recency.h"

namespace ridge::sharing {

std::unique_ptr<Policy> make_policy(const PolicySpec& spec) {
  switch (spec.kind) {
    case PolicyKind::kNever:
      return std::make_unique<Never>();
    case PolicyKind::kFifo:
      return std::make_unique<Fifo>();
    case PolicyKind::kLru:
      return std::make_unique<Recency>();
    case PolicyKind::kLfu:
      return std::make_unique<Lfu>();
    case PolicyKind::kEager:
      return std::make_unique<TimeToLive>(Nanos{0});
    case PolicyKind::kTtl:
      return std::make_unique<TimeToLive>(spec.ttl);
    case PolicyKind::kHistogram:
      return std::make_unique<KeepAlive>(spec.histogram);
    case PolicyKind::kGdsf:
      break;
  }
  return std::make_unique<Gdsf>();
}

}  // namespace ridge::sharing
