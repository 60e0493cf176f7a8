// SPDX-License-Identifier: Apache-2.0
#include "trace/containers.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ridge::trace {
namespace {

using profile::kNoSpan;
using profile::Level;
using profile::Span;
using profile::SpanId;

std::size_t level_row(Level level) { return static_cast<std::size_t>(level); }

/// Number of levels, from the highest, whose spans may contain `span`.
std::size_t admissible_rows(const Span& span) {
  return level_row(span.level) + (nests(span.level) ? 1 : 0);
}

}  // namespace

bool nests(Level level) {
  return level == Level::kApplication || level == Level::kLayer || level == Level::kLibrary;
}

bool on_its_thread(const Span& span) {
  if (span.thread == 0 || span.level == Level::kThread || span.level == Level::kCounter)
    return false;
  return span.level != Level::kKernel || span.device == 0;
}

void Containers::LatestEnds::add(End end) {
  if (first && first->thread == end.thread) {
    first->ns = std::max(first->ns, end.ns);
  } else if (!first || end.ns > first->ns) {
    second = first;
    first = end;
  } else if (!second || end.ns > second->ns) {
    second = end;
  }
}

bool Containers::LatestEnds::other_than(profile::TextId thread, std::int64_t at_least_ns) const {
  const auto is_other = [&](const std::optional<End>& end) {
    return end && end->thread != thread && end->ns >= at_least_ns;
  };
  return is_other(first) || is_other(second);
}

Containers::Containers(const std::vector<Span>& spans) : spans_(spans), order_(spans.size()) {
  std::iota(order_.begin(), order_.end(), SpanId{0});
  std::sort(order_.begin(), order_.end(), [&](SpanId a, SpanId b) {
    const Span &x = spans_[a], &y = spans_[b];
    if (x.start_ns != y.start_ns) return x.start_ns < y.start_ns;
    if (end_of(x) != end_of(y)) return end_of(x) > end_of(y);
    return x.level != y.level ? x.level < y.level : a < b;
  });
  any_off_thread_ =
      std::any_of(spans.begin(), spans.end(), [](const Span& s) { return !on_its_thread(s); });
}

struct Containers::Search {
  std::optional<std::uint32_t> best;  ///< position in order_
  std::int64_t soonest_end_ns = std::numeric_limits<std::int64_t>::max();
};

void Containers::search(const Lane& lane, const Span& inner, Search& found) const {
  const std::int64_t end_ns = end_of(inner);
  for (std::size_t level = 0; level < admissible_rows(inner); ++level) {
    const Row& row = lane[level];
    const auto after =
        std::partition_point(row.stack.begin(), row.stack.end(),
                             [&](std::uint32_t place) { return end_of(at(place)) >= end_ns; });
    if (after == row.stack.begin()) continue;
    const std::uint32_t nearest = *(after - 1);
    if (!found.best || nearest > *found.best) found.best = nearest;
    found.soonest_end_ns = std::min(found.soonest_end_ns, end_of(at(nearest)));
    if (const auto left = row.left.lower_bound(end_ns); left != row.left.end())
      found.soonest_end_ns = std::min(found.soonest_end_ns, *left);
  }
}

// Example: one thread, layers A [0, 50) and B [30, 80), calls c [35, 45) and d [60, 70). add(B)
// removes A from the stack of layers, because A ends before B, and keeps A's end 50 in `left`,
// because A still runs at 30. around(c): B is the last on the stack with an end >= 45; `left` has
// 50 >= 45, which is before B's end 80, so A contains c as well but not B: one_of_several.
// around(d): `left` has no end >= 70, so B is the only container.
Container Containers::around(SpanId id) const {
  const Span& inner = spans_[id];
  Search found;
  const bool threaded = on_its_thread(inner);
  if (threaded) {
    for (const profile::TextId thread : {inner.thread, profile::TextId{0}})
      if (const auto lane = lanes_.find(thread); lane != lanes_.end())
        search(lane->second, inner, found);
  } else {
    search(all_, inner, found);
  }
  if (!found.best) return {};
  const Span& best = at(*found.best);
  Container out{order_[*found.best], found.soonest_end_ns < end_of(best)};
  if (!threaded && on_its_thread(best))
    for (std::size_t level = 0; level < admissible_rows(inner); ++level)
      out.one_of_several |= latest_[level].other_than(best.thread, end_of(inner));
  return out;
}

void Containers::push(Row& row, std::uint32_t place) const {
  const Span& span = at(place);
  row.left.erase(row.left.begin(), row.left.lower_bound(span.start_ns));
  while (!row.stack.empty() && end_of(at(row.stack.back())) < end_of(span)) {
    const std::int64_t end_ns = end_of(at(row.stack.back()));
    if (end_ns >= span.start_ns) row.left.insert(end_ns);
    row.stack.pop_back();
  }
  row.stack.push_back(place);
}

void Containers::add(SpanId id) {
  const std::uint32_t place = added_++;  // order_[place] is id
  const Span& span = spans_[id];
  const std::size_t level = level_row(span.level);
  const bool threaded = on_its_thread(span);
  push(lanes_[threaded ? span.thread : 0][level], place);
  if (!any_off_thread_) return;
  push(all_[level], place);
  if (threaded) latest_[level].add({span.thread, end_of(span)});
}

}  // namespace ridge::trace
