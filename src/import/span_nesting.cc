// SPDX-License-Identifier: Apache-2.0
#include "import/span_nesting.h"

#include <algorithm>

#include "import/torch_operators.h"

namespace ridge::imports {
namespace {

using profile::kNoSpan;
using profile::Level;
using profile::Span;
using profile::SpanId;
using profile::TextId;

/// Ends are rounded: a span that outlasts its parent by at most this much is still inside.
constexpr std::int64_t kRounding = 1000;  // ns

constexpr std::string_view kPythonModule = "nn.Module: ";

}  // namespace

SpanNesting::SpanNesting(const Spans& spans)
    : given_(spans),
      ranks_(spans.timeline.texts(), kUnranked),
      around_(spans.timeline.spans().size(), kNoSpan),
      owner_(around_.size(), kNoSpan),
      module_(around_.size(), 0) {
  if (spans.names != nullptr) {
    std::vector<bool> used(ranks_.size());
    for (const Span& s : spans.timeline.spans())
      if (on_host(s)) used[s.name] = true;
    for (TextId name = 0; name < ranks_.size(); ++name)
      if (used[name]) ranks_[name] = rank_of_name(name);
  }
  nest();
}

SpanNesting::Rank SpanNesting::rank_of_name(TextId name) const {
  const std::string_view text = given_.timeline.text(name);
  if (given_.names->find(text, given_.naming)) return kNamed;
  return !torch_rows(text).empty() ? kKnown : kUnranked;
}

/// Finds the owner of every host span, thread by thread, outer spans before inner ones.
void SpanNesting::nest() {
  const std::vector<Span>& spans = given_.timeline.spans();
  std::vector<SpanId> order;
  for (SpanId i = 0; i < spans.size(); ++i)
    if (on_host(spans[i])) order.push_back(i);
  std::ranges::sort(order, [&](SpanId a, SpanId b) {
    const Span &x = spans[a], &y = spans[b];
    if (x.thread != y.thread) return x.thread < y.thread;
    if (x.start_ns != y.start_ns) return x.start_ns < y.start_ns;
    return x.end_ns != y.end_ns ? x.end_ns > y.end_ns : a < b;
  });
  std::vector<SpanId> open;
  for (const SpanId i : order) {
    if (!open.empty() && spans[open.back()].thread != spans[i].thread) open.clear();
    while (!open.empty() && spans[open.back()].end_ns <= spans[i].start_ns) open.pop_back();
    while (!open.empty() && spans[open.back()].end_ns < spans[i].end_ns - kRounding) {
      ++overlapping_;
      open.pop_back();
    }
    around_[i] = open.empty() ? kNoSpan : open.back();
    own(i);
    place(i);
    open.push_back(i);
  }
}

/// Chooses the owner by rank: spans named after a node, then operations (known ones first), then
/// ranges; of equal rank the outermost operation, but the innermost range or named span.
void SpanNesting::own(SpanId i) {
  const std::vector<Span>& spans = given_.timeline.spans();
  const SpanId parent = around_[i];
  const SpanId above = parent == kNoSpan ? kNoSpan : owner_[parent];
  const Span& s = spans[i];
  const bool candidate =
      s.level == Level::kLayer ||
      (s.level == Level::kApplication && (!given_.facts[i].python || rank(s) == kNamed));
  owner_[i] = above;
  if (candidate &&
      (above == kNoSpan || rank(s) > rank(spans[above]) ||
       (rank(s) == rank(spans[above]) && s.level != Level::kLayer) || rank(s) == kNamed))
    owner_[i] = i;
}

void SpanNesting::place(SpanId i) {
  const SpanFacts& facts = given_.facts[i];
  const Span& s = given_.timeline.spans()[i];
  const std::string_view name = given_.timeline.text(s.name);
  module_[i] = around_[i] == kNoSpan ? 0 : module_[around_[i]];
  if (facts.module != 0)
    module_[i] = facts.module;
  else if (s.level == Level::kApplication &&
           (name.starts_with(kPythonModule) ||
            (given_.names != nullptr && given_.names->is_module(name))))
    module_[i] = s.name;
}

SpanNesting::Rank SpanNesting::rank(const Span& s) const {
  const Rank named = ranks_[s.name];
  if (named == kNamed) return kNamed;
  if (s.level != Level::kLayer) return kRange;
  return named == kKnown ? kKnown : kOperation;
}

bool SpanNesting::is_operation(SpanId i) const {
  const Span& s = given_.timeline.spans()[i];
  return owner_[i] == i && s.level == Level::kLayer && rank(s) != kNamed;
}

}  // namespace ridge::imports
