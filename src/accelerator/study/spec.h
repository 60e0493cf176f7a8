// SPDX-License-Identifier: Apache-2.0
// Specification of a study: a network, the accelerators to estimate it on, and how.
//
//   StudySpec spec{.model = "zoo:resnet50", .machines = {"edge-32", "mine.toml"}};
//   spec.settings = {{"array.rows", {"16", "32"}}};
//   const Study study = TRY(estimate_study(spec, environment));    // four points
//
// Plain values, independent of the command line. Thread rule: value types.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accelerator/estimate.h"
#include "accelerator/nests/layer_profile.h"
#include "accelerator/padding.h"
#include "analysis/sizes/binding.h"
#include "analysis/traffic/fusion.h"

namespace ridge::accelerator {

/// Operand widths: the machine's, or the widths in which the model stores its tensors.
enum class OperandWidths : std::uint8_t { kMachine, kStored };
/// Whether to estimate the gain from doubling each part of a machine; kAuto: for up to 64 points.
enum class Sensitivity : std::uint8_t { kAuto, kOn, kOff };

struct StudySpec {
  // The network: exactly one of these three:
  std::string model = {};                                   ///< path, or zoo:NAME
  std::vector<std::pair<std::string, Gemm>> products = {};  ///< name, product
  std::string topology = {};                                ///< a SCALE-Sim CSV
  // Only for a model:
  std::vector<analysis::Bindings> sizes = {{}};  ///< several: a sweep
  analysis::Fuse fuse = analysis::Fuse::kEpilogue;
  ProfileSource memory = ProfileSource::kClosedForm;
  bool run_hooks = false;  ///< with kTir: also run the compiled network and compare its counts
  OperandWidths widths = OperandWidths::kMachine;

  // The machines: one of these two:
  std::vector<std::string> machines = {};  ///< shipped names, or .toml files
  std::string config = {};                 ///< a SCALE-Sim .cfg
  /// Machine keys with their values; each combination is a point.
  std::vector<std::pair<std::string, std::vector<std::string>>> settings = {};
  std::optional<Dataflow> dataflow = {};  ///< overrides the machine's
  bool any_dataflow = false;              ///< choose the best dataflow per layer instead
  std::string energy = {};  ///< overrides the machine's table: a shipped name, or a .toml

  /// Default: kOverlapped for machines, kScalesim for a configuration.
  std::optional<Convention> convention = {};
  std::vector<PadRule> pads = {{}};         ///< each is a point
  std::optional<Tile> tile = {};            ///< instead of a search
  std::optional<Objective> objective = {};  ///< default: kEdp
  Sensitivity sensitivity = Sensitivity::kAuto;
  bool pareto = false;  ///< also find the Pareto-optimal mappings in latency and energy

  bool described() const { return config.empty(); }
  Convention convention_used() const {
    return convention.value_or(described() ? Convention::kOverlapped : Convention::kScalesim);
  }
};

}  // namespace ridge::accelerator
