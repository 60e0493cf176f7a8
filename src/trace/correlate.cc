// SPDX-License-Identifier: Apache-2.0
#include "trace/correlate.h"

#include <algorithm>
#include <vector>

#include "trace/containers.h"

namespace ridge::trace {
namespace {

using profile::kNoSpan;
using profile::Level;
using profile::Span;
using profile::SpanId;

/// Removes parents that do not exist, and one link of every cycle; returns the number removed.
std::uint64_t drop_broken(std::vector<Span>& spans) {
  std::uint64_t broken = 0;
  const auto forget = [&](Span& s) {
    s.parent = kNoSpan;
    ++broken;
  };
  for (Span& s : spans)
    if (s.parent != kNoSpan && s.parent >= spans.size()) forget(s);
  std::vector<SpanId> seen_from(spans.size(), kNoSpan);
  for (SpanId id = 0; id < spans.size(); ++id) {
    SpanId at = id, before = kNoSpan;
    while (at != kNoSpan && seen_from[at] == kNoSpan) {
      seen_from[at] = id;
      before = at;
      at = spans[at].parent;
    }
    if (at != kNoSpan && before != kNoSpan && seen_from[at] == id) forget(spans[before]);
  }
  return broken;
}

/// Spans with a correlation id, sorted by id, then level, then start.
std::vector<SpanId> by_correlation(const std::vector<Span>& spans) {
  std::vector<SpanId> order;
  for (SpanId id = 0; id < spans.size(); ++id)
    if (spans[id].correlation != 0) order.push_back(id);
  std::sort(order.begin(), order.end(), [&](SpanId a, SpanId b) {
    const Span &x = spans[a], &y = spans[b];
    if (x.correlation != y.correlation) return x.correlation < y.correlation;
    if (x.level != y.level) return x.level < y.level;
    return x.start_ns != y.start_ns ? x.start_ns < y.start_ns : a < b;
  });
  return order;
}

/// Links the spans of one id, order[first..last): each level to the next higher level present.
class SameId {
 public:
  SameId(std::vector<Span>& spans, const std::vector<SpanId>& order, Correlation& counts)
      : spans_(spans), order_(order), counts_(counts) {}

  void link(std::size_t first, std::size_t last) {
    std::size_t above = first, above_end = first;
    for (std::size_t i = first; i < last;) {
      std::size_t end = i;
      while (end < last && spans_[order_[end]].level == spans_[order_[i]].level) ++end;
      if (above != above_end)
        for (std::size_t k = i; k < end; ++k) adopt(spans_[order_[k]], above, above_end);
      above = i;
      above_end = i = end;
    }
  }

 private:
  void adopt(Span& s, std::size_t first, std::size_t last) {
    if (s.parent != kNoSpan) return;
    const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto after =
        std::partition_point(begin, order_.begin() + static_cast<std::ptrdiff_t>(last),
                             [&](SpanId id) { return spans_[id].start_ns <= s.start_ns; });
    s.parent = after == begin ? *after : *(after - 1);
    ++counts_.by_id;
    counts_.ambiguous += last - first > 1 ? 1U : 0U;
  }

  std::vector<Span>& spans_;
  const std::vector<SpanId>& order_;
  Correlation& counts_;
};

void link_by_id(std::vector<Span>& spans, Correlation& counts) {
  const std::vector<SpanId> order = by_correlation(spans);
  SameId same(spans, order, counts);
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last < order.size() && spans[order[last]].correlation == spans[order[first]].correlation)
      ++last;
    same.link(first, last);
    first = last;
  }
}

void link_by_containment(std::vector<Span>& spans, Correlation& counts) {
  Containers containers(spans);
  const bool ids = std::ranges::any_of(spans, [](const Span& s) { return s.correlation != 0; });
  const auto by_id_alone = [&](const Span& s) {
    return ids && s.level == Level::kKernel && s.device != 0;
  };
  for (const SpanId id : containers.order()) {
    if (spans[id].parent == kNoSpan && !by_id_alone(spans[id])) {
      const Container found = containers.around(id);
      spans[id].parent = found.span;
      counts.by_containment += found.span != kNoSpan ? 1U : 0U;
      counts.ambiguous += found.one_of_several ? 1U : 0U;
    }
    containers.add(id);
  }
}

}  // namespace

Correlation correlate(profile::Timeline& timeline) {
  std::vector<Span>& spans = timeline.spans();
  Correlation counts{.spans = spans.size()};
  counts.broken = drop_broken(spans);
  for (const Span& s : spans) counts.given += s.parent != kNoSpan ? 1U : 0U;
  link_by_id(spans, counts);
  link_by_containment(spans, counts);
  // Where parents from the file contradict the order of levels, a derived link may close a cycle.
  counts.broken += drop_broken(spans);
  for (const Span& s : spans) {
    if (s.parent != kNoSpan) continue;
    (s.level <= Level::kModel ? counts.roots : counts.orphaned) += 1;
  }
  return counts;
}

}  // namespace ridge::trace
