// SPDX-License-Identifier: Apache-2.0
// Growing flat hash table from names to numbers, for an unknown number of names.
//
//   NameMap map;
//   const std::uint64_t hash = hash_name(name, seed);
//   const std::uint32_t id = map.find(hash, [&](std::uint32_t i) { return names[i] == name; });
//   if (id == NameMap::kAbsent) map.insert(hash, 7);
//
// Like NameTable, it does not store names: the caller's predicate checks whether a number has the
// name. Slots of 8 bytes, no allocation per name; linear probing at a load of at most one half.
#pragma once

#include <cstdint>
#include <vector>

#include "base/hash/hash.h"

namespace ridge::graph {

class NameMap {
 public:
  static constexpr std::uint32_t kAbsent = 0xffffffff;

  NameMap() : slots_(64) {}

  /// Returns the number for which `same(number)` is true, or kAbsent.
  template <typename Same>
  std::uint32_t find(std::uint64_t hash, const Same& same) const {
    const auto part = static_cast<std::uint32_t>(hash);
    for (std::size_t i = part & mask();; i = (i + 1) & mask()) {
      const Slot& slot = slots_[i];
      if (slot.next == 0) return kAbsent;
      if (slot.hash == part && same(slot.next - 1)) return slot.next - 1;
    }
  }

  /// Adds a number below kAbsent for a name that is not in the map yet.
  void insert(std::uint64_t hash, std::uint32_t number) {
    if (++used_ * 2 > slots_.size()) grow();
    place({static_cast<std::uint32_t>(hash), number + 1});
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;  ///< low bits of the hash; they select the slot
    std::uint32_t next = 0;  ///< number + 1; 0 = free
  };
  std::size_t mask() const { return slots_.size() - 1; }

  void place(Slot slot) {
    std::size_t i = slot.hash & mask();
    while (slots_[i].next != 0) i = (i + 1) & mask();
    slots_[i] = slot;
  }

  void grow() {
    std::vector<Slot> small(slots_.size() * 2);
    small.swap(slots_);
    for (const Slot& slot : small)
      if (slot.next != 0) place(slot);
  }

  std::size_t used_ = 0;
  std::vector<Slot> slots_;
};

}  // namespace ridge::graph
