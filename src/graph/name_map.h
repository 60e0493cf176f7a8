// Names to numbers where it is not known beforehand how many there will be: a flat table that
// grows.
//
//   NameMap map(seed);
//   if (std::uint32_t* number = map.find(name)) use(*number);
//   else map.insert(name, 7);
//
// Names are borrowed and must outlive the map. One entry of 32 bytes and two slots of 4 per name,
// no allocation per name; linear probing at a load of at most one half.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/name_table.h"

namespace ridge::graph {

class NameMap {
 public:
  explicit NameMap(std::uint64_t seed) : seed_(seed), slots_(64) {}

  std::uint32_t* find(std::string_view name) {
    const std::uint64_t hash = hash_name(name, seed_);
    for (std::size_t i = hash & mask();; i = (i + 1) & mask()) {
      if (slots_[i] == 0) return nullptr;
      Entry& entry = entries_[slots_[i] - 1];
      if (entry.hash == hash && entry.name == name) return &entry.number;
    }
  }

  /// `name` is not in the map yet.
  void insert(std::string_view name, std::uint32_t number) {
    entries_.push_back({hash_name(name, seed_), name, number});
    if (entries_.size() * 2 > slots_.size()) return grow();
    place(static_cast<std::uint32_t>(entries_.size()));
  }

 private:
  struct Entry {
    std::uint64_t hash;
    std::string_view name;
    std::uint32_t number;
  };
  std::size_t mask() const { return slots_.size() - 1; }

  void place(std::uint32_t position) {
    std::size_t i = entries_[position - 1].hash & mask();
    while (slots_[i] != 0) i = (i + 1) & mask();
    slots_[i] = position;
  }

  void grow() {
    slots_.assign(slots_.size() * 2, 0);
    for (std::uint32_t p = 1; p <= entries_.size(); ++p) place(p);
  }

  std::uint64_t seed_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  ///< position of an entry + 1; 0 = free
};

}  // namespace ridge::graph
