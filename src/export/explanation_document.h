// SPDX-License-Identifier: Apache-2.0
// ridge.explanation/1 as structs with their descriptions (record/describe.h). Views: they borrow
// from the explanation.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "export/analysis/describe.h"
#include "ops/describe.h"
#include "profile/describe_rows.h"
#include "record/describe.h"

namespace ridge::exports {

struct OperatorVersion {
  std::int32_t since = 1;
  std::string_view work;
};

struct OperatorView {
  std::string_view name, domain;
  ops::Counting status = ops::Counting::kCounted;
  std::vector<OperatorVersion> versions;
  std::string_view reads, writes, shape;
};

struct ExplainedRun {
  std::string_view runtime, version;
  double latency_ns = 0;
  std::array<double, 2> ci95_ns{};
};

struct ExplanationView {
  std::string_view subject;
  std::optional<OperatorView> op;
  record::Stream<NodeView> nodes;
  std::optional<ExplainedRun> run;
  record::Stream<profile::Layer> layers;
  record::Stream<profile::Node> profiled_nodes;
  std::vector<profile::WithoutLayer> nodes_without_layer;
};

}  // namespace ridge::exports

namespace ridge {

template <>
struct record::Describe<exports::OperatorVersion> {
  using T = exports::OperatorVersion;
  static constexpr std::array fields{field<&T::since>("since", "the opset that it begins with"),
                                     field<&T::work>("work", "formula of what is counted")};
};

template <>
struct record::Describe<exports::OperatorView> {
  using T = exports::OperatorView;
  static constexpr std::array fields{
      field<&T::name>("name", "of the operator"),
      field<&T::domain>("domain", "`ai.onnx`, `com.microsoft`"),
      field<&T::status>("status", "whether its work is counted"),
      field<&T::versions>("versions", "oldest first"),
      field<&T::reads>("reads", "bytes read"),
      field<&T::writes>("writes", "bytes written"),
      field<&T::shape>("shape", "of the outputs; null: by a rule without words", zero_is_null())};
};

template <>
struct record::Describe<exports::ExplainedRun> {
  using T = exports::ExplainedRun;
  static constexpr std::array fields{field<&T::runtime>("runtime", "that it ran in"),
                                     field<&T::version>("version", "of the runtime"),
                                     field<&T::latency_ns>("latency_ns", "the median"),
                                     field<&T::ci95_ns>("ci95_ns", "its 95 % interval")};
};

template <>
struct record::Describe<exports::ExplanationView> {
  using T = exports::ExplanationView;
  static constexpr std::string_view schema = "ridge.explanation/1";
  static constexpr std::string_view text =
      "What is known of an operator, a node, or layers of a run: `ridge explain --format json`.";
  static constexpr std::array fields{
      field<&T::subject>("subject", "the model, run or operator as it was given", on_line()),
      field<&T::op>("operator", "null where a node or layer is explained", on_line()),
      field<&T::nodes>("nodes",
                       "the node that was asked for, of the model, as in ridge.analysis/1; empty "
                       "where a run or a layer is given",
                       on_line(), item_lines()),
      field<&T::run>("run", "null where nothing was measured", on_line()),
      field<&T::layers>("layers",
                        "that are asked for, or that run the node, the one that executes it first; "
                        "as in ridge.profile/1",
                        on_line(), item_lines()),
      field<&T::profiled_nodes>("profiled_nodes",
                                "the node and the members of the layers, as in ridge.profile/1",
                                on_line(), item_lines()),
      field<&T::nodes_without_layer>("nodes_without_layer", "why no layer runs the node",
                                     on_line())};
};

}  // namespace ridge
