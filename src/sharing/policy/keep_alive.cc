// SPDX-License-Identifier: Apache-2.0
#include "sharing/policy/keep_alive.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "base/checked.h"

namespace ridge::sharing {
namespace {

constexpr std::uint64_t kLastOrder = std::numeric_limits<std::uint64_t>::max();

Nanos later(Nanos moment, Nanos by) {
  return {checked_add(moment.count, by.count).value_or(kNoMoment.count)};
}

/// Ranks are doubles, exact up to 2^53 ns: 104 days. Beyond, moments of one microsecond are one.
Rank rank_of(Nanos moment, std::uint64_t order) {
  return {static_cast<double>(moment.count), order};
}

Nanos moment_of(const RankHeap& heap) {
  if (!heap.top()) return kNoMoment;
  const double at = heap.top_rank().value;
  return at < static_cast<double>(kNoMoment.count) ? Nanos{static_cast<std::int64_t>(at)}
                                                   : kNoMoment;
}

}  // namespace

void KeepAlive::count_idle(History& history, Nanos now) {
  if (history.ended != kNoMoment) history.idle.add(now - history.ended, spec_);
  history.ended = kNoMoment;  // until the lease that follows has ended
}

void KeepAlive::on_admitted(ObjectId id, const ObjectFacts&, Nanos now) {
  if (id >= histories_.size()) histories_.resize(std::size_t{id} + 1);
  warmings_.erase(id);
  History& history = histories_[id];
  if (history.warmed == now) {
    history.warmed = kNoMoment;
    return;
  }
  count_idle(history, now);
  history.end = later(now, spec_.bin * spec_.bins);
}

void KeepAlive::on_requested(ObjectId id, Nanos now) {
  warmings_.erase(id);
  count_idle(histories_[id], now);
}

void KeepAlive::plan(ObjectId id, History& history, Nanos now) {
  history.ended = now;
  const KeepWindow window = history.idle.window(spec_);
  const bool warm = spec_.prewarm && window.begin.count > 0;
  history.end = warm ? now : later(now, window.end);
  if (warm) warmings_.put(id, rank_of(later(now, window.begin), ++order_));
}

void KeepAlive::on_idle(ObjectId id, Nanos now, Idle why) {
  History& history = histories_[id];
  if (why == Idle::kReleased) plan(id, history, now);
  ends_.put(id, rank_of(history.end, ++order_));
}

void KeepAlive::expired(Nanos now, std::vector<ObjectId>& out) {
  ends_.each_up_to(rank_of(now, kLastOrder), [&](ObjectId id) { out.push_back(id); });
}

void KeepAlive::due(Nanos now, std::vector<ObjectId>& out) {
  while (warmings_.top() && moment_of(warmings_) <= now) {
    const ObjectId id = *warmings_.top();
    warmings_.erase(id);
    History& history = histories_[id];
    history.warmed = now;
    history.end = later(history.ended, history.idle.window(spec_).end);
    out.push_back(id);
  }
}

Nanos KeepAlive::next() const { return std::min(moment_of(ends_), moment_of(warmings_)); }

}  // namespace ridge::sharing
