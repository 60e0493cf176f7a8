// SPDX-License-Identifier: Apache-2.0
// Reach of a cache: the bytes that it really keeps. The system states the size of the hardware, of
// which a virtual machine or a resource control (Intel CAT) may be allowed a part.
//
// A working set of S bytes is read again and again at the rate r. If the cache keeps C bytes of it
// from pass to pass, a pass takes
//
//   S / r = C / r_cache + (S - C) / r_memory,  so  C = (S / r_memory - S / r) /
//                                                      (1 / r_memory - 1 / r_cache)
//
// The reach is the largest C over several S. Example, measured in a virtual machine that states
// 480 MiB, r_cache 29 GB/s, r_memory 17 GB/s:
//
//   S    96 MB at 29.0 GB/s  C = 96 MB      all of it
//       128 MB at 23.8       C = 88 MB      the rest comes from memory
//       256 MB at 19.0       C = 65 MB      a cyclic order keeps less of what is too large
//
// Thread rule: pure.
#pragma once

#include <cstdint>
#include <span>

namespace ridge::machine {

struct ReadRate {
  std::int64_t bytes = 0;  ///< read by all threads together
  double bytes_per_s = 0;
};

/// Returns the reach in bytes. 0: the rates of cache and memory differ by less than 15 %, so that
/// nothing can be told.
std::int64_t cache_reach(std::span<const ReadRate> rates, double cache_per_s, double memory_per_s);

}  // namespace ridge::machine
