// SPDX-License-Identifier: Apache-2.0
// ridge.analysis/1 and ridge.analyses/1 as structs, described in describe.h. Views: they borrow
// from the resolved model and from what makes them; rows are written one by one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/convention.h"
#include "analysis/resolved.h"
#include "analysis/sizes/symbolic_totals.h"
#include "analysis/traffic/fusion.h"
#include "base/words.h"
#include "export/analysis/figure.h"
#include "record/stream.h"

namespace ridge::exports {

/// Part of an input in its node.
enum class InputKind : std::uint8_t { kActivation, kWeight, kConstant, kAbsent };

}  // namespace ridge::exports

namespace ridge {

template <>
struct Words<exports::InputKind> {
  using InputKind = exports::InputKind;
  static constexpr std::array list{
      Word{InputKind::kActivation, "activation"}, Word{InputKind::kWeight, "weight"},
      Word{InputKind::kConstant, "constant"}, Word{InputKind::kAbsent, "absent"}};
};

}  // namespace ridge

namespace ridge::exports {

struct TrafficView;

/// Parts of the document.
struct AnalysisDocument {
  /// Only the nodes with most work, most first; all nodes in index order where absent.
  std::optional<std::size_t> top = {};
  std::optional<std::uint32_t> depth = {};  ///< limit for `modules`; absent: all of them
  /// Another tool's total and its figures by node; nullptr: none.
  const analysis::ConventionCount* convention = nullptr;
  /// Bytes expected to reach memory; nullptr: none.
  const TrafficView* traffic = nullptr;
};

/// Dimensions of a tensor.
struct ShapeView {
  using StreamItem = Figure;

  std::span<const ops::Dim> sizes;
  const ops::DimPool* dims = nullptr;

  template <typename Use>
  void each(Use use) const {
    std::string text;
    for (const ops::Dim& d : sizes) {
      if (d.symbolic()) text = dims->text(d);
      use(Figure{d, &text});
    }
  }
};

struct TensorView {
  std::string_view name;
  std::string_view dtype;  ///< "float32", "sequence(float32)"; "": unknown
  std::optional<ShapeView> shape;
};

struct InputView {
  TensorView tensor;
  InputKind kind = InputKind::kAbsent;
};

class Tensors;

/// Inputs of a node by position.
struct InputViews {
  using StreamItem = InputView;

  Tensors* tensors = nullptr;
  std::span<const graph::ValueId> ids;

  template <typename Use>
  void each(Use use) const;
};

/// Outputs of a node that are wanted.
struct OutputViews {
  using StreamItem = TensorView;

  Tensors* tensors = nullptr;
  std::span<const graph::ValueId> ids;

  template <typename Use>
  void each(Use use) const;
};

struct NodeView {
  graph::NodeId index = 0;
  std::optional<graph::NodeId> parent;
  Figure repeat;
  std::string_view name, op_type, domain, module;
  InputViews inputs;
  OutputViews outputs;
  Figure macs;
  Figure macs_max;  ///< where it is known and MACs are not, or are fewer
  Figure flops, special, int_ops, convention;
  std::int64_t params = 0;
  std::optional<std::int64_t> active_params;  ///< where they are fewer
  Figure bytes_read, bytes_written, bytes_expected, bytes_max;
  graph::NodeId runs_with = 0;
  std::optional<double> intensity;
  analysis::Status status = analysis::Status::kUnknown;
  std::string_view reason;
  bool with_convention = false, with_traffic = false;  ///< their figures are shown
};

/// Known parts of sums that lack a node, by the names of the sums.
using LowerBounds = std::vector<std::pair<std::string, Figure>>;

struct ModuleView {
  std::string_view path;
  std::uint32_t depth = 0;
  std::optional<TensorView> output;
  std::int64_t nodes = 0, own_nodes = 0;
  Figure macs, flops, special, int_ops;
  std::int64_t params = 0;
  Figure bytes_read, bytes_written;
  std::int64_t unknown = 0;
  LowerBounds at_least;
};

struct ModelFacts {
  std::string_view path;
  std::string graph_hash;
  std::int64_t ir_version = 0;
  std::vector<std::pair<std::string, std::int64_t>> opsets;
  std::string producer;
};

struct TotalsView {
  struct Coverage {
    std::int64_t counted = 0, zero = 0, unknown = 0;
  };

  std::int64_t nodes = 0;
  Figure macs, macs_max, flops, special, int_ops;
  std::int64_t params = 0;
  std::optional<std::int64_t> active_params;  ///< set for a model with experts
  std::int64_t weight_bytes = 0;
  Figure bytes_read, bytes_written, peak_activation_bytes;
  std::optional<std::int64_t> bytes_min, bytes_expected, bytes_max;
  Coverage coverage;
  std::optional<double> intensity;
  LowerBounds at_least;
  std::vector<std::string> incomplete;
  bool with_macs_max = false, with_traffic = false;  ///< they are shown
};

struct ConventionView {
  std::string_view name, unit;
  Figure total;
  Figure at_least;  ///< shown where it is not complete
  bool complete = true;
};

struct TrafficAssumptions {
  std::int64_t cache_bytes = 0;
  std::string_view cache_from;
  analysis::Fuse fuse = analysis::Fuse::kNone;
  std::int64_t fused_nodes = 0, peak_activation_bytes = 0;
};

struct SymbolicView {
  struct Fixed {
    std::string equation;
    graph::NodeId node = 0;
    std::int64_t nodes = 0;
  };
  struct Term {
    std::int64_t coefficient = 0;
    std::vector<std::pair<std::string, std::int64_t>> powers;
  };
  struct Expression {
    std::string text;  ///< "": it is not known
    std::vector<Term> terms;
    std::int64_t missing_nodes = 0;
    std::string reason;
  };

  std::vector<analysis::FreeSize> sizes;
  std::vector<Fixed> fixed;
  std::vector<std::pair<std::string, Expression>> totals;
};

struct AnalysisView {
  ModelFacts model;
  analysis::BoundSizes bindings;
  std::map<std::string, std::string> values;
  std::vector<TensorView> inputs, outputs;
  TotalsView totals;
  std::optional<ConventionView> convention;
  std::optional<TrafficAssumptions> traffic;
  std::optional<SymbolicView> symbolic;
  record::Stream<NodeView> nodes;
  record::Stream<ModuleView> modules;
};

/// Analyses of one model for several sizes.
struct AnalysesView {
  struct Sweep {
    std::int64_t points = 0;
    std::map<std::string, std::vector<std::int64_t>> sizes;
    std::vector<std::vector<std::string>> together;  ///< names that take their values in step
  };

  Sweep sweep;
  record::Stream<AnalysisView> analyses;
};

}  // namespace ridge::exports
