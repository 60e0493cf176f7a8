// SPDX-License-Identifier: Apache-2.0
#include "sharing/policy/ranked.h"

#include <algorithm>
#include <cstddef>

namespace ridge::sharing {
namespace {

/// The element of `id`, in a list that grows with ids.
template <typename T>
T& element_of(std::vector<T>& list, ObjectId id) {
  if (id >= list.size()) list.resize(std::size_t{id} + 1);
  return list[id];
}

}  // namespace

void Fifo::on_admitted(ObjectId id, const ObjectFacts&, Nanos) {
  element_of(ranks_, id) = ++admissions_;
}

void Lfu::on_admitted(ObjectId id, const ObjectFacts&, Nanos) { element_of(requests_, id) = 1; }

void Lfu::on_requested(ObjectId id, Nanos) { ++requests_[id]; }

void Gdsf::count_request(Worth& worth) const {
  ++worth.requests;
  worth.rank = clock_ + worth.requests * worth.cost_per_byte;
}

void Gdsf::on_admitted(ObjectId id, const ObjectFacts& facts, Nanos) {
  Worth& worth = element_of(worth_, id);
  const auto bytes = static_cast<double>(std::max<std::int64_t>(facts.bytes.count, 1));
  worth = {.cost_per_byte = static_cast<double>(facts.reload.count) / bytes};
  count_request(worth);
}

void Gdsf::on_requested(ObjectId id, Nanos) { count_request(worth_[id]); }

void Gdsf::on_removed(ObjectId id) {
  if (idle().top() == id) clock_ = std::max(clock_, worth_[id].rank);
}

}  // namespace ridge::sharing
