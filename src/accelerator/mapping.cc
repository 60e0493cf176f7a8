// SPDX-License-Identifier: Apache-2.0
#include "accelerator/mapping.h"

#include <algorithm>

namespace ridge::accelerator {
namespace {

using enum Dimension;

std::size_t depth_of(const LoopOrder& order, Dimension d) {
  return order[0] == d ? 0 : order[1] == d ? 1 : 2;
}

/// True if the operand that is independent of the loop over `d` is not loaded again during that
/// loop.
bool stays(const Tiles& t, const Mapping& how, Dimension d) {
  const std::size_t depth = depth_of(how.order, d);
  if (depth == 2 || (depth == 1 ? how.keep_middle : how.keep_outer)) return true;
  for (std::size_t inside = depth + 1; inside < 3; ++inside)
    if (cut(t, how.order[inside]).count() > 1) return false;
  return true;
}

/// True if the previous ifmap tile along M, at the same tile of K, is still on chip when the next
/// one is loaded.
bool slides(const Tiles& t, const Mapping& how) {
  const std::size_t m = depth_of(how.order, kM), n = depth_of(how.order, kN),
                    k = depth_of(how.order, kK);
  if (t.k().count() == 1 || m > k) return true;
  const bool keeps = n == 1 ? how.keep_middle : n == 0 && how.keep_outer;
  return keeps && n < k && t.n().count() > 1;  // all tiles of K are on chip
}

/// Elements on chip of the operand that is independent of the loop over `other`. `elements(whole)`
/// returns the largest number of elements in one tile, extended over every dimension d with
/// whole[d].
template <typename Elements>
std::int64_t held(const Tiles& t, const Mapping& how, Dimension other, bool kept,
                  Elements&& elements) {
  const std::size_t depth = depth_of(how.order, other);
  std::array<bool, 3> whole{};  // dimensions of which every tile is on chip
  std::int64_t tiles = 1, inside = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    if (i == depth) continue;
    const std::int64_t count = cut(t, how.order[i]).count();
    tiles *= count;
    if (i < depth) continue;
    inside *= count;
    whole[static_cast<std::size_t>(how.order[i])] = kept;
  }
  const std::int64_t tile = elements(std::array<bool, 3>{});
  if (kept && inside > 1 && cut(t, other).count() > 1)
    return elements(whole) + (how.ahead ? tile : 0);
  const bool two = how.doubled && (tiles > 1 || how.ahead);
  return (two ? 2 : 1) * how.tile.products * tile;
}

}  // namespace

Residence::Residence(const Tiles& t, const Mapping& how)
    : ifmap(stays(t, how, kN)),
      filter(stays(t, how, kM)),
      ofmap(stays(t, how, kK)),
      bands(slides(t, how)) {}

std::string_view name(const LoopOrder& order) {
  constexpr std::array<std::string_view, 6> kNames = {"m,n,k", "n,m,k", "m,k,n",
                                                      "k,m,n", "n,k,m", "k,n,m"};
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kLoopOrders[i] == order) return kNames[i];
  return "";
}

PerOperand<std::int64_t> sram_bytes(const Tiles& t, const Widths& w, const Mapping& how) {
  const Residence stay(t, how);
  const auto along = [&t](Dimension d, const std::array<bool, 3>& whole) {
    const Cut& c = cut(t, d);
    return whole[static_cast<std::size_t>(d)] ? c.length : c.tile;
  };
  const std::int64_t ifmap = held(t, how, kN, stay.ifmap, [&](const std::array<bool, 3>& whole) {
    const bool all_m = whole[0], all_k = whole[2];
    if (all_m && all_k) return t.ifmap_added_sum();
    if (all_m) return t.ifmap_column(0);
    if (!all_k) return t.ifmap_most();
    std::int64_t most = 0;  // all of K at one tile of M
    for (std::int64_t i = 0; i < (t.in_bands() ? t.m().count() : 1); ++i) {
      const std::int64_t last = t.k().count() - 1;
      most = std::max(most, last * t.ifmap(i, 0) + t.ifmap(i, last));
    }
    return most;
  });
  const std::int64_t filter = held(t, how, kM, stay.filter, [&](const auto& whole) {
    return along(kK, whole) * along(kN, whole);
  });
  const std::int64_t ofmap = held(t, how, kK, stay.ofmap, [&](const auto& whole) {
    return along(kM, whole) * along(kN, whole);
  });
  return {word_bytes(ifmap, w.bits.ifmap), word_bytes(filter, w.bits.filter),
          word_bytes(ofmap, w.accumulator_bits)};
}

std::int64_t sram_shortage(const PerOperand<std::int64_t>& needed, const Sram& sram) {
  if (sram.shared_bytes > 0)
    return std::max<std::int64_t>(0,
                                  needed.ifmap + needed.filter + needed.ofmap - sram.shared_bytes);
  return std::max({std::int64_t{0}, needed.ifmap - sram.bytes.ifmap,
                   needed.filter - sram.bytes.filter, needed.ofmap - sram.bytes.ofmap});
}

// Example: matrices with M = 16, N = 6, K = 4, tile 4 x 2 x 4, order n,m,k: 4 tiles of M, 3 of N, 1
// of K. The ifmap, independent of the outermost loop N, changes inside it and is loaded for each
// tile of N: 3 * 16 * 4 = 192 words. The filter, independent of M, stays because K has one tile:
// 4 * 6 = 24 words. The ofmap is written once, 96 words, without partial sums. With keep_outer the
// ifmap is loaded once, 64 words, and sram_bytes counts all its 64 elements instead of two tiles of
// 16.
Movement movement(const Tiles& t, const Widths& w, const Mapping& how) {
  const Residence stay(t, how);
  Movement out;
  Traffic& words = out.words;
  const std::int64_t products = t.products();
  words.ifmap = products * (stay.bands ? t.ifmap_added_sum() : t.ifmap_sum()) *
                (stay.ifmap ? 1 : t.n().count());
  words.filter = products * t.k().length * t.n().length * (stay.filter ? 1 : t.m().count());
  words.ofmap = products * t.m().length * t.n().length;
  if (!stay.ofmap) words.psum_reads = words.psum_writes = words.ofmap * (t.k().count() - 1);
  out.read_bytes = word_bytes(words.ifmap, w.bits.ifmap) + word_bytes(words.filter, w.bits.filter) +
                   word_bytes(words.psum_reads, w.accumulator_bits);
  out.write_bytes =
      word_bytes(words.ofmap, w.bits.ofmap) + word_bytes(words.psum_writes, w.accumulator_bits);
  return out;
}

}  // namespace ridge::accelerator
