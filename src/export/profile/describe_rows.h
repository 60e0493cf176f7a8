// SPDX-License-Identifier: Apache-2.0
// Descriptions (record/describe.h) of the rows of a profile for other programs: a layer as a line
// of JSON, a span as a line of CSV.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profile/describe.h"

namespace ridge::exports {

struct MemberLine {
  profile::Member member;
  std::string name;  ///< index of the node
};

struct LayerLine {
  std::string model, runtime;
  profile::Layer layer;
  std::vector<MemberLine> members;
};

inline double time_low(const LayerLine& line) { return line.layer.time_ns.low(); }
inline double time_high(const LayerLine& line) { return line.layer.time_ns.high(); }

struct SpanLine {
  std::size_t id = 0;
  std::optional<profile::SpanId> parent;
  profile::Level level = profile::Level::kModel;
  std::string name;
  std::int64_t start_ns = 0, end_ns = 0;
  std::string thread, device, queue;
  std::uint64_t correlation = 0;
  profile::AttributeMap attributes;
};

}  // namespace ridge::exports

namespace ridge {

template <>
struct record::Describe<exports::MemberLine> {
  using T = exports::MemberLine;
  using M = profile::Member;
  static constexpr std::array fields{
      field<&T::member, &M::node>("node", "index of the node"),
      field<&T::name>("name", "of the node", zero_is_null()),
      field<&T::member, &M::role>("role", "what the layer does for the node"),
      field<&T::member, &M::evidence>("evidence", "how that is known")};
};

template <>
struct record::Describe<exports::LayerLine> {
  using T = exports::LayerLine;
  using L = profile::Layer;
  using E = stats::Estimate;
  using B = profile::Bound;
  static constexpr std::array fields{
      field<&T::model>("model", "path of the model"),
      field<&T::runtime>("runtime", "such as ONNX Runtime"),
      field<&T::layer, &L::index>("index", "position among the layers"),
      field<&T::layer, &L::name>("name", "of the node that carries the work"),
      field<&T::layer, &L::type>("type", "operator as the runtime calls it"),
      field<&T::layer, &L::implementation>("implementation", "as the runtime says it"),
      field<&T::layer, &L::precision>("precision", "element type it ran in"),
      field<&T::layer, &L::layout>("layout", "of its tensors"),
      field<&T::layer, &L::inserted>("inserted", "by the runtime"),
      field<&T::layer, &L::module>("module", "the deepest module that holds all members"),
      field<&T::layer, &L::time_ns, &E::value>("time_ns", "as reported"),
      computed<&exports::time_low>("time_low_ns", "low end of its interval"),
      computed<&exports::time_high>("time_high_ns", "high end of its interval"),
      field<&T::layer, &L::corrected_ns>("corrected_ns", "less what profiling added"),
      field<&T::layer, &L::share>("share", "of all layers"),
      field<&T::layer, &L::executions>("executions", "per run of the model"),
      field<&T::members>("members", "nodes of the original model"),
      inlined<&T::layer, &L::work>(),
      field<&T::layer, &L::bytes>("bytes", "that cross its boundary"),
      field<&T::layer, &L::output_bytes>("output_bytes", "of those written"),
      field<&T::layer, &L::flop_per_s>("flop_per_s", "operations by corrected time"),
      field<&T::layer, &L::bytes_per_s>("bytes_per_s", "bytes by corrected time"),
      field<&T::layer, &L::intensity>("intensity", "FLOP/B"),
      field<&T::layer, &L::bound, &B::kind>("bound", "what binds", zero_is_null()),
      field<&T::layer, &L::bound, &B::time_ns>("bound_ns", "the least time"),
      field<&T::layer, &L::bound, &B::roof_share>("roof_share", "bound_ns / corrected_ns"),
      field<&T::layer, &L::runs_ns>("runs_ns", "corrected time in each run")};
};

template <>
struct record::Describe<exports::SpanLine> {
  using T = exports::SpanLine;
  static constexpr std::array fields{
      field<&T::id>("id", "position among the spans"),
      field<&T::parent>("parent", "id of the span that caused it"),
      field<&T::level>("level", "of the stack"),
      field<&T::name>("name", "what ran"),
      field<&T::start_ns>("start_ns", "from the start of the timeline"),
      field<&T::end_ns>("end_ns", "from the start of the timeline"),
      field<&T::thread>("thread", "that ran it"),
      field<&T::device>("device", "that ran it"),
      field<&T::queue>("queue", "the stream of a device"),
      field<&T::correlation>("correlation", "equal on a launch and what it launched",
                             zero_is_null()),
      field<&T::attributes>("attributes", "further facts, name to text")};
};

}  // namespace ridge
