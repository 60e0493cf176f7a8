// What the documents and pages of `ridge accel` show: a network, the machines it was asked of and
// what it costs there. Plain data; networks and energy tables are shared by points.
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
#include "analysis/bound_sizes.h"
#include "analysis/resolved.h"

namespace ridge::accelerator {

/// A network under one binding of its free sizes.
struct StudyNetwork {
  Lowered lowered;
  Profiles memory;  ///< of its nodes; empty where there is no model
  analysis::BoundSizes bindings;
  std::vector<StoredWidths> stored;                              ///< by layer; empty: not asked for
  std::shared_ptr<const analysis::Resolved> resolved = nullptr;  ///< null: it is of no model
};

/// SCALE-Sim's own, which has no clock and no energies, or one of ours.
using StudyMachine = std::variant<ScalesimMachine, Machine>;

struct StudyPoint {
  std::shared_ptr<const StudyNetwork> network;
  StudyMachine machine;
  std::vector<std::pair<std::string, std::string>> set;  ///< keys of the machine, as given
  std::string pad = "none";
  std::vector<std::optional<PaddedBytes>> padded;  ///< by layer; nullopt: no model
                                                   ///< tells
  std::vector<Widths> widths;  ///< by layer, as the model stores them; empty: the
                               ///< machine's
  Estimate estimate;
  std::shared_ptr<const EnergyTable> energy;  ///< null: none is told
  std::string mac_row;                  ///< of that table: what a multiply-accumulate is taken for
  std::string vector_row;               ///< and an operation of the vector unit
  std::vector<std::string> leaves_out;  ///< what energies by that table do not hold
  std::optional<EnergyBand> band;       ///< what all shipped tables say of the totals
  /// By layer: the mappings of its longest product that no other beats. Empty: not asked for.
  std::vector<std::vector<Found>> fronts;
  bool best = false;  ///< no other point is both faster and thriftier

  /// Those of a layer; only of a described machine.
  const Widths& widths_of_layer(std::size_t i) const {
    return widths.empty() ? described()->widths : widths[i];
  }
  const Machine* described() const { return std::get_if<Machine>(&machine); }
};

struct Study {
  std::string subject;  ///< the model, topology or product that was given
  Convention convention = Convention::kOverlapped;
  Objective objective = Objective::kLatency;
  std::vector<StudyPoint> points;           ///< at least one
  std::optional<Tile> tile = std::nullopt;  ///< given; else the best are searched
  bool any_dataflow = false;  ///< each layer has the best one, whatever the machine's is
};

}  // namespace ridge::accelerator
