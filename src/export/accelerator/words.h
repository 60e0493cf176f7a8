// SPDX-License-Identifier: Apache-2.0
// Texts for the figures of an accelerator, shared by its tables, documents and page.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accelerator/study/result.h"

namespace ridge::exports {

/// Picojoules as "12.3 µJ"; "?" where not known.
std::string energy_text(const std::optional<double>& pj);
/// Shares of the energy: "multiply-accumulates 5.1 %, ..."; parts without energy are omitted.
std::string energy_parts_text(const accelerator::Energy& energy);
/// pJ ns as "1.20 nJ s".
std::string edp_text(const std::optional<double>& pj_ns);
std::string latency_text(const std::optional<double>& ns);

/// "3136x64x576 x2 + ..."; without products "vector unit", or the reason why they are not known.
std::string products_text(const accelerator::Layer& layer);

/// "array 16 x 16, ws, SRAM 256 KiB shared, DRAM 25.6 GB/s, 1,000 MHz".
std::string machine_text(const accelerator::StudyMachine& machine);
/// machine_text() of each distinct machine name, at its first point: "edge-32, array 32 x 32, ...".
std::vector<std::string> machine_texts(const accelerator::Study& view);
/// "8/8/8-bit into 32": inputs, weights, results, partial sums.
std::string widths_text(const accelerator::Widths& widths);
/// "as the model stores them: 32/32/32-bit into 32 in 20 layers, ..."; empty where the machine's
/// widths are used.
std::string stored_widths_text(const accelerator::StudyPoint& point);
/// Name of the machine description, or "SCALE-Sim configuration".
std::string machine_name(const accelerator::StudyMachine& machine);

/// Property in which the points differ: "machine", a key of the machine, a size or "pad"; one value
/// per point.
struct Axis {
  std::string title;
  std::vector<std::string> values;
};
std::vector<Axis> axes(const accelerator::Study& view);
/// "array.rows 32, pad none"; the machine's name where there are no axes.
std::string point_text(const accelerator::Study& view, const std::vector<Axis>& axes,
                       std::size_t point);

/// True if all points have the same network and sizes, so that one can be better than another.
bool one_network(const accelerator::Study& view);

/// True if some point is not best, so that marking the best points is informative.
bool some_beaten(const accelerator::Study& view);

/// True if the layer has figures: products, or work for a vector unit that the machine has.
bool costed(const accelerator::StudyPoint& point, std::size_t layer);

/// "the best tile and loop order and dataflow of each layer for latency"; empty in the scalesim
/// convention, which has one mapping.
std::string search_text(const accelerator::Study& view);

/// "12 layers only move data (9 view, 3 copy) and take 1.2 k cycles"; "" if there are none.
std::string moves_text(const accelerator::StudyPoint& point);
/// "1.2 M MACs are of layers without known products, which cost nothing here"; empty for 0 MACs.
std::string left_out_text(const accelerator::StudyPoint& point);

/// Data type of the stated bytes of parameters and results: "as stored, float32"; for several types
/// the one with most bytes, "as stored, mostly float32"; "as stored" where no layer is known to
/// have any.
std::string stored_text(const accelerator::StudyNetwork& network);

/// Sum over all layers; nullopt where no layer is known.
std::optional<accelerator::PaddedBytes> memory_of(const accelerator::StudyPoint& point);

/// Bound that limits the largest part of the cycles.
struct LongPole {
  std::string what;  ///< "DRAM weights"
  double share = 0;  ///< share of the cycles in layers with this bound
};
std::optional<LongPole> long_pole(const accelerator::Estimate& estimate);

/// "bound by DRAM weights in layers with 61 % of the time; doubling the DRAM bandwidth saves 31 %";
/// empty where no layer has a bound.
std::string pole_text(const accelerator::Estimate& estimate);
/// "doubling the DRAM bandwidth saves 31 %", for the most effective change; empty where no change
/// saves at least 0.5 %.
std::string lever_text(const accelerator::LayerCost& cost);

/// "448x64x64", "8 of 49x1x9".
std::string tile_text(const accelerator::Tile& tile);
/// "ws, tile 448x64x64, loops n,k,m"; "" for a layer without a mapping.
std::string mapping_text(const accelerator::LayerCost& cost);

}  // namespace ridge::exports
