// SPDX-License-Identifier: Apache-2.0
// Advice on one model in one runtime: how long it takes, how fast it could be, and what stands in
// the way. Plain data, made by advice/run/advice.h; describe.h makes a document of it.
//
// Times are per run, in nanoseconds. An unknown figure is std::nullopt, never 0; what it lacks is
// listed beside it. Nodes are the original model's. Thread rule: plain data.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "graph/model.h"
#include "profile/checked_finding.h"
#include "profile/profile.h"

namespace ridge::advice {

/// Part of a model that a figure covers.
struct Coverage {
  double nodes = 0;                    ///< share of the nodes that layers execute
  double time = 0;                     ///< share of the measured time of layers
  std::vector<graph::NodeId> unknown;  ///< nodes that are not covered, ascending
};

/// Least time of the kernels that the run has, under the measured roofs of the machine
/// (roofline/bound.h): no implementation of the model that is cut into these kernels is faster. One
/// with fewer kernels moves fewer tensors, and may be. Layers without a bound count as 0.
struct KernelBound {
  std::optional<double> sequential_ns;  ///< layers one after the other, as in the measured run
  /// In any order, each layer on all processors: the longest path, or what the layers need of one
  /// roof together (bound.h).
  std::optional<double> critical_path_ns;
  Coverage coverage;
  /// Nodes of layers that were measured to be faster than their roofs: there a roof is too low.
  std::vector<graph::NodeId> beyond;
};

/// Least time of the model however it is cut into kernels (model_bound.h): its arithmetic, or its
/// inputs, weights and outputs, each once.
struct ModelBound {
  std::optional<double> time_ns;      ///< with the threads of the run; nullopt: see reason
  std::optional<double> parallel_ns;  ///< on all processors
  std::string kind;                   ///< roof that determines time_ns: "compute", "memory:L3"
  std::int64_t macs = 0, input_bytes = 0, weight_bytes = 0, output_bytes = 0;
  std::vector<graph::NodeId> unknown;  ///< products that count as 0
  std::string reason;
};

struct AchievableLayer {
  std::vector<graph::NodeId> nodes;
  double time_ns = 0;
  std::string from;  ///< "brick KEY", or a way to run the model: "OpenVINO"
};

/// Least time that was measured: of the whole run, of bricks that cover the model, or of pieces of
/// runs in several ways (cover.h).
struct Achievable {
  double sequential_ns = 0;
  /// With independent layers at the same time, one on each processor of the machine. nullopt if
  /// the run has several threads: then a layer uses all of them already.
  std::optional<double> scheduled_ns;
  Coverage coverage;  ///< by bricks
  std::vector<AchievableLayer> layers;
};

using profile::CheckState;
using profile::Prediction;

/// Difference between the outputs of two models, and where they were compared.
struct OutputDifference {
  double max_abs = 0;  ///< over usual inputs: seeded elements, files of the user, zeros
  double max_rel = 0;  ///< relative to the largest element of the output
  /// Greatest relative difference of usual inputs that is taken for rounding: a constant of the
  /// type, or twice the model's difference from itself at two optimization levels.
  double rounding = 0;
  std::vector<std::string> sizes = {};   ///< "batch=1", "batch=2"
  std::vector<std::string> inputs = {};  ///< "seeded", "some NaN"
  /// Where the difference is more than rounding: inputs, sizes, and how much. "": nowhere.
  std::string differs_usually = {}, differs_unusually = {};
  std::vector<std::string> not_compared = {};  ///< things left out, with the reason
};

inline constexpr stats::Estimate kUnknown = {std::numeric_limits<double>::quiet_NaN()};

/// A finding that was applied, and measured in turns with the original.
struct Check {
  CheckState state = CheckState::kNotJudged;
  stats::Estimate before_ns = kUnknown, after_ns = kUnknown;
  stats::Estimate gain_ns = kUnknown;  ///< before - after
  std::optional<OutputDifference> outputs;
  Prediction prediction = Prediction::kNone;
  std::string reason;   ///< reason for kNotJudged; else ""
  bool broken = false;  ///< outputs differ although the finding was called lossless
};

/// Piece of the model that an edit changes (changed_pieces.h).
struct ChangedPiece {
  std::vector<graph::NodeId> nodes;  ///< ascending; empty: kernels of the runtime's own
  double before_ns = 0;              ///< in the measured run
  double after_ns = 0;               ///< by the bricks of the edited copy
};

struct Finding {
  std::string id;        ///< "silu"
  std::string question;  ///< "Q1" to "Q6"; "" for none
  std::string kind;      ///< "unfused_pattern"; the list is in data/schema/ridge.advice.1.json
  std::vector<graph::NodeId> nodes;
  std::string evidence;
  std::optional<stats::Estimate> gain_ns;  ///< predicted; nullopt: no_price has the reason
  /// False: its interval is too wide to be relied on (is_predictable() of verdict.h). nullopt
  /// without a predicted gain.
  std::optional<bool> predictable = {};
  std::string no_price;
  std::vector<ChangedPiece> changed = {};  ///< where the predicted gain arises, largest gain first
  /// Compared, in all that a comparison takes, and the same up to rounding.
  bool lossless = true;
  /// Change that a caller sees: "rounding", "values", "interface", "accuracy"; "": nothing can be
  /// applied.
  std::string effect = {};
  std::string effect_where = {};  ///< for which inputs, or of what; "" for rounding
  std::string how;
  std::string command;     ///< command line that applies it
  std::string confidence;  ///< in this kind on this host (scoreboard.h); "" unknown
  std::optional<Check> check;
};

/// Edits applied together. Their gains do not add up: one may make another pointless.
struct Joint {
  std::vector<std::string> ids;
  std::optional<stats::Estimate> gain_ns;  ///< predicted, of all together
  std::optional<Check> check;
};

struct Advice {
  std::string ridge, model, runtime, runtime_version, host;
  std::uint32_t threads = 1;
  stats::Estimate measured_ns;
  KernelBound kernel_bound;
  ModelBound model_bound;
  Achievable achievable;
  double simulated_ns = 0;  ///< latency that the layers and the time between them add up to
  std::vector<Finding> findings;
  std::optional<Joint> joint;
  std::vector<std::string> notes;
};

}  // namespace ridge::advice
