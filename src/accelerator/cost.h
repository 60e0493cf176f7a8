// SPDX-License-Identifier: Apache-2.0
// Cost of a layer: the figures that every convention reports.
// Plain data, no thread rule. Modeled, never measured.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accelerator/gemm.h"
#include "base/words.h"

namespace ridge::accelerator {

/// Words that cross the ports of one memory. Partial sums are words of the accumulator's width.
struct Traffic {
  std::int64_t ifmap = 0, filter = 0, psum_reads = 0;  ///< read
  std::int64_t ofmap = 0, psum_writes = 0;             ///< written
};

/// Energy per consumer, in picojoules.
struct Energy {
  double mac = 0, register_file = 0, vector = 0, sram = 0, dram = 0, leakage = 0;

  double total() const { return mac + register_file + vector + sram + dram + leakage; }
};

/// Elements of M, N and K processed as one tile; `products`: whole products processed together.
struct Tile {
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t products = 1;

  auto operator<=>(const Tile&) const = default;
};

/// Bottleneck of a layer: "compute", "fill" (filling and emptying the array, first load and last
/// store), one DRAM stream, an SRAM port, or the vector unit.
enum class Bound : std::uint8_t {
  kNone,
  kCompute,
  kFill,
  kDramIfmap,
  kDramFilter,
  kDramOfmap,
  kDramPsum,
  kSramPort,
  kVector
};
/// Returns "compute", "fill", "dram ifmap", ...; "" for kNone.

}  // namespace ridge::accelerator

namespace ridge {

template <>
struct Words<accelerator::Bound> {
  using E = accelerator::Bound;
  static constexpr std::array list{
      Word{E::kCompute, "compute"},      Word{E::kFill, "fill"},
      Word{E::kDramIfmap, "dram ifmap"}, Word{E::kDramFilter, "dram filter"},
      Word{E::kDramOfmap, "dram ofmap"}, Word{E::kDramPsum, "dram psum"},
      Word{E::kSramPort, "sram port"},   Word{E::kVector, "vector unit"}};
};

}  // namespace ridge

namespace ridge::accelerator {

/// "" for kNone.
inline std::string_view name(Bound bound) { return word(bound); }

struct LayerCost {
  std::int64_t padded_macs = 0;
  std::int64_t vector_operations = 0;  ///< operations of the vector unit
  Dataflow dataflow = Dataflow::kOutputStationary;
  Tile tile;
  std::string_view loop_order;  ///< loops over tiles, outermost first: "n,k,m"
  std::int64_t folds = 0;
  std::int64_t compute_cycles = 0, stall_cycles = 0;
  std::int64_t edge_cycles = 0;  ///< the last product's first load and last store
  /// From the first prefetch to the last word stored, as SCALE-Sim v3 counts; nullopt: not modeled
  std::optional<std::int64_t> cycles_with_prefetch;
  double utilization = 0;  ///< multiply-accumulates per cycle per unit of the array
  std::int64_t sram_used_bytes = 0;
  Traffic sram;                 ///< between the SRAM and the array
  std::optional<Traffic> dram;  ///< nullopt: unknown, and no stalls are modeled
  std::int64_t dram_read_bytes = 0, dram_write_bytes = 0;
  std::optional<double> latency_ns;  ///< nullopt: the machine has no clock
  std::optional<Energy> energy;      ///< nullopt: the machine names no energy table
  Bound bound = Bound::kNone;
  /// Machine keys, each with the fraction of the latency that doubling its value saves.
  std::vector<std::pair<std::string, double>> sensitivity;

  std::int64_t total_cycles() const { return compute_cycles + stall_cycles; }
  std::optional<double> edp_pj_ns() const {
    return energy && latency_ns ? std::optional(energy->total() * *latency_ns) : std::nullopt;
  }
};

}  // namespace ridge::accelerator
