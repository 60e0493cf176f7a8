// Names to dense ids within one scope: a flat table that neither owns names nor allocates per name.
//
//   NameTable table(arena, 3);
//   auto [id, fresh] = table.insert(hash_name(name, seed), 7, [&](std::uint32_t i) { return names[i] == name; });
//
// Room for the stated number of names is taken from the arena once; the table keeps 32 bits of each hash and the id, and asks the caller
// whether an id's name is the one looked for. Linear probing at a load of at most one half. The hash is seeded per build, so that a file
// cannot be made to collide.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "base/arena.h"

namespace ridge::graph {

/// Folded 64x64->128 bit multiplication, eight bytes at a time (the scheme of wyhash, Wang Yi 2019).
inline std::uint64_t hash_name(std::string_view name, std::uint64_t seed) {
  const auto fold = [](std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  };
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
  std::uint64_t h = seed ^ (name.size() * kOdd);
  const char* at = name.data();
  std::size_t left = name.size();
  for (; left >= 8; at += 8, left -= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    h = fold(h ^ word, kOdd);
  }
  if (left > 0) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, left);
    h = fold(h ^ word, kOdd);
  }
  return fold(h ^ (h >> 29), 0xbf58476d1ce4e5b9ULL);
}

class NameTable {
 public:
  static constexpr std::uint32_t kAbsent = 0xffffffff;

  NameTable() = default;
  NameTable(Arena& arena, std::size_t names)
      : slots_(arena.array<Slot>(std::bit_ceil(2 * names + 1))), mask_(slots_.size() - 1) {}

  /// The id under which `same(id)` holds, or kAbsent.
  template <typename Same>
  std::uint32_t find(std::uint64_t hash, const Same& same) const {
    if (slots_.empty()) return kAbsent;
    for (std::size_t i = hash & mask_;; i = (i + 1) & mask_) {
      const Slot& slot = slots_[i];
      if (slot.id_plus_one == 0) return kAbsent;
      if (slot.tag == tag_of(hash) && same(slot.id_plus_one - 1)) return slot.id_plus_one - 1;
    }
  }

  /// {id, true}, or {the id already there, false}. No more names than the table has room for.
  template <typename Same>
  std::pair<std::uint32_t, bool> insert(std::uint64_t hash, std::uint32_t id, const Same& same) {
    for (std::size_t i = hash & mask_;; i = (i + 1) & mask_) {
      Slot& slot = slots_[i];
      if (slot.id_plus_one == 0) {
        slot = {tag_of(hash), id + 1};
        return {id, true};
      }
      if (slot.tag == tag_of(hash) && same(slot.id_plus_one - 1)) return {slot.id_plus_one - 1, false};
    }
  }

 private:
  struct Slot {
    std::uint32_t tag = 0, id_plus_one = 0;
  };
  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

  std::span<Slot> slots_;
  std::size_t mask_ = 0;
};

}  // namespace ridge::graph
