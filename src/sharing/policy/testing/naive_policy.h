// SPDX-License-Identifier: Apache-2.0
// A policy as its definition reads: everything is kept in a list, and each question is answered by
// a scan of it. Tests compare the policies with it. Without pre-warming.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sharing/policy/policy.h"
#include "sharing/record/policy_spec.h"

namespace ridge::sharing::testing {

/// When an object should leave, by the list of all its idle times.
inline Nanos naive_keep(const std::vector<Nanos>& idle_times, const HistogramSpec& spec) {
  std::vector<std::int64_t> bins;
  std::size_t beyond = 0;
  for (const Nanos idle : idle_times) {
    const std::int64_t bin = idle.count / spec.bin.count;
    if (bin < spec.bins)
      bins.push_back(bin);
    else
      ++beyond;
  }
  std::ranges::sort(bins);
  const auto n = static_cast<double>(bins.size());
  double squares = 0;  // of how far each bin is from the mean, times the number of bins
  for (std::int64_t bin = 0; bin < spec.bins; ++bin) {
    const double apart = static_cast<double>(std::ranges::count(bins, bin)) * spec.bins - n;
    squares += apart * apart;
  }
  const bool flat = squares < spec.least_variation * spec.least_variation * n * n * spec.bins;
  if (bins.empty() || beyond > bins.size() || flat) return spec.bin * spec.bins;
  const auto rank = static_cast<std::size_t>(std::max(std::ceil(spec.tail * n), 1.0));
  const Nanos edge = spec.bin * (bins[rank - 1] + 1);
  return {static_cast<std::int64_t>(static_cast<double>(edge.count) * (1 + spec.margin))};
}

class NaivePolicy {
 public:
  explicit NaivePolicy(const PolicySpec& spec) : spec_(spec) {}

  void admitted(ObjectId id, const ObjectFacts& facts, Nanos now) {
    Object& o = objects_[id];
    o.present = true;
    o.leases = 0;
    o.came = ++clock_;
    o.requests = 1;
    o.worth = static_cast<double>(facts.reload.count) / static_cast<double>(facts.bytes.count);
    o.rank = aged_ + o.worth;
    end_idle(o, now);
    o.kept_until = now + spec_.histogram.bin * spec_.histogram.bins;
    become_idle(o, now);
  }
  void requested(ObjectId id, Nanos now) {
    Object& o = objects_[id];
    ++o.requests;
    o.rank = aged_ + o.requests * o.worth;
    end_idle(o, now);
    if (o.leases == 0) become_idle(o, now);
  }
  void leased(ObjectId id) { ++objects_[id].leases; }
  void released(ObjectId id, Nanos now) {
    Object& o = objects_[id];
    if (--o.leases > 0) return;
    o.last_end = now;
    o.kept_until = now + naive_keep(o.idle_times, spec_.histogram);
    become_idle(o, now);
  }
  void removed(ObjectId id) {
    if (victim() == id) aged_ = std::max(aged_, objects_[id].rank);
    objects_[id].present = false;
  }

  std::optional<ObjectId> victim() const {
    if (spec_.kind == PolicyKind::kNever) return std::nullopt;
    std::optional<ObjectId> out;
    for (const auto& [id, o] : objects_)
      if (idle(o) && (!out || key(o) < key(objects_.at(*out)))) out = id;
    return out;
  }
  std::vector<ObjectId> expired(Nanos now) const {
    std::vector<ObjectId> out;
    for (const auto& [id, o] : objects_)
      if (idle(o) && end(o) <= now) out.push_back(id);
    return out;
  }
  Nanos next() const {
    Nanos out = kNoMoment;
    for (const auto& [id, o] : objects_)
      if (idle(o)) out = std::min(out, end(o));
    return out;
  }
  bool leased_now(ObjectId id) const {
    const auto at = objects_.find(id);
    return at != objects_.end() && at->second.present && at->second.leases > 0;
  }
  bool present(ObjectId id) const {
    const auto at = objects_.find(id);
    return at != objects_.end() && at->second.present;
  }

 private:
  struct Object {
    bool present = false;
    int leases = 0;
    std::uint64_t came = 0, idle_order = 0;
    double requests = 0, worth = 0, rank = 0;
    Nanos idle_since{0}, kept_until{0};
    std::optional<Nanos> last_end;
    std::vector<Nanos> idle_times;
  };

  static bool idle(const Object& o) { return o.present && o.leases == 0; }
  void become_idle(Object& o, Nanos now) {
    o.idle_since = now;
    o.idle_order = ++clock_;
  }
  static void end_idle(Object& o, Nanos now) {
    if (o.last_end) o.idle_times.push_back(now - *o.last_end);
    o.last_end.reset();
  }

  std::pair<double, std::uint64_t> key(const Object& o) const {
    switch (spec_.kind) {
      case PolicyKind::kFifo:
        return {static_cast<double>(o.came), 0};
      case PolicyKind::kLfu:
        return {o.requests, o.idle_order};
      case PolicyKind::kGdsf:
        return {o.rank, o.idle_order};
      case PolicyKind::kHistogram:
        return {static_cast<double>(o.kept_until.count), o.idle_order};
      default:
        return {0, o.idle_order};
    }
  }
  Nanos end(const Object& o) const {
    switch (spec_.kind) {
      case PolicyKind::kEager:
        return o.idle_since;
      case PolicyKind::kTtl:
        return o.idle_since + spec_.ttl;
      case PolicyKind::kHistogram:
        return o.kept_until;
      default:
        return kNoMoment;
    }
  }

  PolicySpec spec_;
  std::map<ObjectId, Object> objects_;
  std::uint64_t clock_ = 0;
  double aged_ = 0;
};

/// One of each kind, with short times.
inline std::vector<PolicySpec> all_policies() {
  std::vector<PolicySpec> out;
  for (const Word& w : Words<PolicyKind>::list)
    out.push_back({.kind = static_cast<PolicyKind>(w.value),
                   .ttl = Nanos{40},
                   .histogram = {.bin = Nanos{10}, .bins = 12, .head = 0.05, .tail = 0.9}});
  return out;
}

}  // namespace ridge::sharing::testing
