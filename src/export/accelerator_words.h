// What figures of an accelerator are called, for its tables, documents and page alike.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accelerator/study.h"

namespace ridge::exports {

/// "12.3 µJ" of picojoules; "?" where not known.
std::string energy_text(const std::optional<double>& pj);
/// What spends it, as shares: "multiply-accumulates 5.1 %, ..."; what spends nothing is left out.
std::string energy_parts_text(const accelerator::Energy& energy);
/// "1.20 nJ s" of pJ ns.
std::string edp_text(const std::optional<double>& pj_ns);
std::string latency_text(const std::optional<double>& ns);
std::string_view objective_text(accelerator::Objective objective);

/// "3136x64x576 x2 + ..."; of a layer without products what does it, or why nothing is known.
std::string products_text(const accelerator::Layer& layer);

/// "array 16 x 16, ws, SRAM 256 KiB shared, DRAM 25.6 GB/s, 1,000 MHz".
std::string machine_text(const accelerator::StudyMachine& machine);
/// Of each machine that was named, at its first point: "edge-32, array 32 x 32, ...".
std::vector<std::string> machine_texts(const accelerator::Study& view);
/// "8/8/8-bit into 32": inputs, weights, results, partial sums.
std::string widths_text(const accelerator::Widths& widths);
/// "as the model stores them: 32/32/32-bit into 32 in 20 layers, ..."; empty where the machine's
/// are taken.
std::string stored_widths_text(const accelerator::StudyPoint& point);
/// Of that description, or of the configuration.
std::string machine_name(const accelerator::StudyMachine& machine);

/// What tells the points apart: a key of the machine, "pad" or a size; one value per point.
struct Axis {
  std::string title;
  std::vector<std::string> values;
};
std::vector<Axis> axes(const accelerator::Study& view);
/// "array.rows 32, pad none"; the machine's name where there is but one point.
std::string point_text(const accelerator::Study& view, const std::vector<Axis>& axes,
                       std::size_t point);

/// Whether all points are a network of the same sizes, so that one can be better than another.
bool one_network(const accelerator::Study& view);

/// Whether a mark of the best points says something: another point is beaten.
bool some_beaten(const accelerator::Study& view);

/// Whether the layer has figures: products, or work of a vector unit that the machine has.
bool costed(const accelerator::StudyPoint& point, std::size_t layer);

/// "the best tile and loop order and dataflow of each layer for latency"; empty in the scalesim
/// convention, which has one mapping.
std::string search_text(const accelerator::Study& view);

/// "1.2 M MACs are of layers without known products, which cost nothing here"; empty: of none.
std::string left_out_text(const accelerator::StudyPoint& point);

/// What tables and pages give the bytes of parameters and results in: "as stored, float32"; of
/// several types the one with most bytes, "as stored, mostly float32"; "as stored" where no layer
/// is known to have any.
std::string stored_text(const accelerator::StudyNetwork& network);

/// Of all layers; nullopt where nothing tells of any.
std::optional<accelerator::PaddedBytes> memory_of(const accelerator::StudyPoint& point);

/// Of the time, in layers that wait most for the same part: the one with most of it.
struct LongPole {
  std::string what;  ///< "DRAM weights"
  double share = 0;  ///< of the cycles
};
std::optional<LongPole> long_pole(const accelerator::Estimate& estimate);

/// "bound by DRAM weights in layers of 61 % of the time; twice the DRAM bandwidth takes 31 % off";
/// empty where nothing tells.
std::string pole_text(const accelerator::Estimate& estimate);
/// "twice the DRAM bandwidth takes 31 % off" for what takes most off; empty where nothing does.
std::string lever_text(const accelerator::LayerCost& cost);

/// "448x64x64", "8 of 49x1x9".
std::string tile_text(const accelerator::Tile& tile);
/// "ws, tile 448x64x64, loops n,k,m"; "" where nothing was mapped.
std::string mapping_text(const accelerator::LayerCost& cost);

}  // namespace ridge::exports
