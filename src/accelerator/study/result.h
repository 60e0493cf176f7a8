// SPDX-License-Identifier: Apache-2.0
// Data for the documents and pages of `ridge accel`: a network, the machines, and the estimates on
// them. Plain data; points share networks and energy tables.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "accelerator/energy_table.h"
#include "accelerator/estimate.h"
#include "accelerator/machine.h"
#include "accelerator/nests/layer_profile.h"
#include "accelerator/padded_memory.h"
#include "accelerator/stored_widths.h"
#include "accelerator/tile_search.h"
#include "analysis/resolved.h"
#include "analysis/sizes/bound_sizes.h"

namespace ridge::accelerator {

/// A network under one binding of its free sizes.
struct StudyNetwork {
  Lowered lowered;
  Profiles memory;  ///< by node; empty where there is no model
  analysis::BoundSizes bindings;
  std::vector<StoredWidths> stored;                              ///< by layer; empty: not requested
  std::shared_ptr<const analysis::Resolved> resolved = nullptr;  ///< null: there is no model
};

/// SCALE-Sim's machine, which has no clock and no energies, or ridge's machine description.
using StudyMachine = std::variant<ScalesimMachine, Machine>;

struct StudyPoint {
  std::shared_ptr<const StudyNetwork> network;
  StudyMachine machine;
  std::vector<std::pair<std::string, std::string>> set;  ///< keys and values given by --set
  std::string pad = "none";
  /// By layer; nullopt: not known from a model.
  std::vector<std::optional<PaddedBytes>> padded;
  /// By layer, as the model stores them; empty: the machine's.
  std::vector<Widths> widths;
  Estimate estimate;
  std::shared_ptr<const EnergyTable> energy;  ///< may be null
  std::string mac_row;                        ///< row of that table used for a multiply-accumulate
  std::string vector_row;                     ///< row used for an operation of the vector unit
  std::vector<std::string> leaves_out;        ///< energies that the table does not cover
  std::optional<EnergyBand> band;             ///< range of the total over all shipped tables
  /// By layer: Pareto-optimal mappings of its longest product. Empty: not requested.
  std::vector<std::vector<Found>> fronts;
  bool best = false;  ///< no other point is both faster and needs less energy

  /// Widths of a layer; requires a described machine.
  const Widths& widths_of_layer(std::size_t i) const {
    return widths.empty() ? described()->widths : widths[i];
  }
  const Machine* described() const { return std::get_if<Machine>(&machine); }
};

struct Study {
  std::string subject;  ///< model, topology or product, as given
  Convention convention = Convention::kOverlapped;
  Objective objective = Objective::kEdp;
  std::vector<StudyPoint> points;           ///< at least one
  std::optional<Tile> tile = std::nullopt;  ///< as given; nullopt: the best are searched
  bool any_dataflow = false;  ///< each layer uses its best dataflow, not the machine's
};

}  // namespace ridge::accelerator
