// SPDX-License-Identifier: Apache-2.0
#include "accelerator/placement.h"

#include <algorithm>

#include "base/checked.h"

namespace ridge::accelerator {

using graph::kNone;
using graph::ValueId;

Placement::Placement(const analysis::Resolved& r, const analysis::Storage& storage)
    : r_(r), handed_(r.model().values().size()), fixed_(r.model().values().size()) {
  for (ValueId v = 0; v < handed_.size(); ++v)
    if (r.model().value(v).graph_output) handed_[storage.home(v)] = true;
}

std::int64_t Placement::size(ValueId home) const {
  std::int64_t elements = 1;
  for (const ops::Dim& d : r_.type(home).shape.span())
    elements = d.known() ? times({elements, d.value()}) : 0;
  return elements;
}

ValueId Placement::original(ValueId home) const {
  for (auto at = places_.find(home); at != places_.end(); at = places_.find(home)) {
    if (at->second.offset != 0 || size(at->second.whole) != size(home)) break;
    home = at->second.whole;
  }
  return home;
}

Placement::Extents& Placement::extents(ValueId whole) {
  const auto [found, added] = extents_.try_emplace(whole);
  if (added) found->second.emplace(0, size(whole));
  return found->second;
}

bool Placement::movable(ValueId home) const {
  const graph::NodeId made = r_.model().value(home).producer;
  if (made == kNone || !r_.model().node(made).bodies.empty()) return false;
  if (r_.constant(home) || r_.value(home) != nullptr) return false;
  if (handed_[home] || fixed_[home] || places_.contains(home)) return false;
  const auto used = extents_.find(home);  // it may have grown beyond its own size
  return used == extents_.end() || used->second.size() == 1;
}

void Placement::view(ValueId home, ValueId whole, std::int64_t offset) {
  if (home == whole) return;
  if (offset < 0 || places_.contains(home)) return fix(home);
  places_[home] = {whole, offset};
}

Placement::Place Placement::located(ValueId home) const {
  Place out{home, 0};
  for (auto at = places_.find(home); at != places_.end(); at = places_.find(out.whole))
    out = {at->second.whole, out.offset + at->second.offset};
  return out;
}

bool Placement::is_free(ValueId whole, std::int64_t offset, std::int64_t length) {
  const Extents& used = extents(whole);
  const auto next = used.lower_bound(offset);
  if (next != used.end() && next->first < offset + length) return false;
  return next == used.begin() || std::prev(next)->first + std::prev(next)->second <= offset;
}

std::optional<Placement::Place> Placement::anchor(ValueId home, const std::vector<ValueId>& inputs,
                                                  const Sizes& sizes) {
  if (handed_[home]) return std::nullopt;
  std::optional<Place> base;
  std::int64_t at = 0;
  for (std::size_t i = 0; i < inputs.size(); at += sizes[i++]) {
    if (!places_.contains(inputs[i]) || fixed_[inputs[i]]) continue;
    const Place place = located(inputs[i]);
    base = Place{place.whole, place.offset - at};
    break;
  }
  if (!base || base->offset < 0 || handed_[base->whole] || fixed_[base->whole] ||
      r_.model().value(base->whole).producer == kNone || r_.constant(base->whole))
    return std::nullopt;
  at = base->offset;
  for (std::size_t i = 0; i < inputs.size(); at += sizes[i++]) {
    const Place place = located(inputs[i]);
    const bool there = place.whole == base->whole && place.offset == at && !fixed_[inputs[i]];
    if (!there && !is_free(base->whole, at, sizes[i])) return std::nullopt;
  }
  return base;
}

// Example: a dense block, y1 = [x, a], y2 = [x, a, b]. The first Concat has memory of its own with
// x at 0 and a behind it. Of the second, x has a place already, a lies where it must, and behind
// them is room for b: y2 is the same memory, and nothing is copied.
std::vector<bool> Placement::concatenate(ValueId home, std::vector<ValueId> inputs,
                                         const Sizes& sizes) {
  for (ValueId& v : inputs) v = original(v);
  std::vector<bool> copied(inputs.size());
  const std::optional<Place> base = anchor(home, inputs, sizes);
  const ValueId whole = base ? base->whole : home;
  Extents& used = extents(whole);
  std::int64_t at = base ? base->offset : 0;
  for (std::size_t i = 0; i < inputs.size(); at += sizes[i++]) {
    const ValueId v = inputs[i];
    const Place place = located(v);
    if (base && place.whole == whole && place.offset == at && !fixed_[v]) continue;
    const bool here = r_.model().value(v).graph == r_.model().value(home).graph;
    copied[i] = !here || !movable(v) || v == whole;
    if (!copied[i]) places_[v] = {whole, at};
    if (base) used.emplace(at, sizes[i]);
  }
  if (base) view(home, whole, base->offset);
  return copied;
}

std::vector<bool> Placement::append(ValueId home, std::vector<ValueId> inputs) {
  for (ValueId& v : inputs) v = original(v);
  std::vector<bool> copied(inputs.size());
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    copied[i] = !movable(inputs[i]);
    fix(inputs[i]);
  }
  fix(home);
  return copied;
}

}  // namespace ridge::accelerator
