// What a study estimates, as types: a network, the accelerators it is estimated on, and how.
//
//   StudySpec spec{.model = "zoo:resnet50", .machines = {"edge-32", "mine.toml"}};
//   spec.settings = {{"array.rows", {"16", "32"}}};
//   const accelerator::Study study = TRY(estimate_study(spec, environment));    // four points
//
// Values only; nothing here reads a command line. Thread rule: value types.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accelerator/estimate.h"
#include "accelerator/nests/layer_profile.h"
#include "accelerator/padding.h"
#include "analysis/binding.h"
#include "analysis/fusion.h"

namespace ridge::workbench {

/// Widths of operands: the machine's, or those in which the model stores its tensors.
enum class OperandWidths : std::uint8_t { kMachine, kStored };
/// Whether the gain of twice of each part of a machine is estimated; kAuto: for up to 64 points.
enum class Sensitivity : std::uint8_t { kAuto, kOn, kOff };

struct StudySpec {
  // The network: exactly one of these three.
  std::string model = {};                                                ///< a path, or zoo:NAME
  std::vector<std::pair<std::string, accelerator::Gemm>> products = {};  ///< with their names
  std::string topology = {};                                             ///< a SCALE-Sim CSV
  // Only with a model.
  std::vector<analysis::Bindings> sizes = {{}};  ///< several sweep
  analysis::Fuse fuse = analysis::Fuse::kEpilogue;
  accelerator::ProfileSource memory = accelerator::ProfileSource::kClosedForm;
  bool run_hooks = false;  ///< with kTir: also run the compiled network and compare its counts
  OperandWidths widths = OperandWidths::kMachine;

  // The machines: one of these two.
  std::vector<std::string> machines = {};  ///< shipped names, or .toml files
  std::string config = {};                 ///< a SCALE-Sim .cfg
  /// Keys of the machines with their values; each combination is a point.
  std::vector<std::pair<std::string, std::vector<std::string>>> settings = {};
  std::optional<accelerator::Dataflow> dataflow = {};  ///< in place of the machine's
  bool any_dataflow = false;  ///< each layer has its best dataflow, whatever the machine's is
  std::string energy = {};    ///< a table in place of the machine's: a shipped name, or a .toml

  /// Default: kOverlapped for machines, kScalesim for a configuration.
  std::optional<accelerator::Convention> convention = {};
  std::vector<accelerator::PadRule> pads = {{}};  ///< each is a point
  std::optional<accelerator::Tile> tile = {};     ///< in place of the search
  accelerator::Objective objective = accelerator::Objective::kLatency;
  Sensitivity sensitivity = Sensitivity::kAuto;
  bool pareto = false;  ///< also find the mappings that no other beats in latency and energy

  bool described() const { return config.empty(); }
  accelerator::Convention convention_used() const {
    return convention.value_or(described() ? accelerator::Convention::kOverlapped
                                           : accelerator::Convention::kScalesim);
  }
};

}  // namespace ridge::workbench
