// SPDX-License-Identifier: Apache-2.0
// Descriptions (record/describe.h) of the rows of a profile: layers, nodes, modules, and the
// figures that they share. Documents, the tables of the store and data/schema come of them. Those
// of roofs: machine/describe_roof.h.
#pragma once

#include <span>

#include "machine/describe_roof.h"
#include "profile/profile.h"
#include "record/describe.h"
#include "stats/describe.h"

namespace ridge::profile {

/// Billions of a unit: what is written, and exactly the number that it was written of.
struct Giga {
  static std::optional<double> out(const std::optional<double>& x);
  static std::optional<double> in(std::optional<double> written);
};

inline bool is_verified(const Layer& l) { return l.verified.has_value(); }
inline bool has_interval(const Layer& l) { return l.corrected.has_value(); }
inline bool has_least(const Layer& l) { return l.least.macs || l.least.bytes; }

// Layer::corrected, whose value is corrected_ns.
double corrected_median(const Layer& layer);
void set_corrected_median(Layer& layer, double ns);
stats::Ends corrected_ends(const Layer& layer);
void set_corrected_ends(Layer& layer, const stats::Ends& ns);

/// Node::repeat in documents: null where it depends on data.
struct Repeat {
  static Count out(std::int64_t repeat) {
    return repeat == kUnknownRepeat ? std::nullopt : Count(repeat);
  }
  static std::int64_t in(Count repeat) { return repeat.value_or(kUnknownRepeat); }
};
inline std::span<const std::string_view> node_statuses() {
  static constexpr std::array<std::string_view, 4> kAll{"", "counted", "zero", "unknown"};
  return kAll;
}

}  // namespace ridge::profile

namespace ridge {

template <>
struct record::Describe<profile::Work> {
  using T = profile::Work;
  static constexpr std::array fields{
      field<&T::macs>("macs", "multiply-accumulates; null where it cannot be known"),
      field<&T::flops>("flops", "other arithmetic on floating types"),
      field<&T::special>("special", "divisions, roots, exponentials and the like"),
      field<&T::int_ops>("int_ops", "arithmetic on integers")};
};

template <>
struct record::Describe<profile::Member> {
  using T = profile::Member;
  static constexpr std::array fields{
      field<&T::node>("node", "index in `nodes`"),
      field<&T::role>(
          "role",
          "carries the node's work, a further layer of it, or it lives on in weights or "
          "a post-op"),
      field<&T::evidence>("evidence", "how that is known")};
};

template <>
struct record::Describe<profile::Kernel> {
  using T = profile::Kernel;
  static constexpr std::array fields{field<&T::name>("name", "in the runtime's optimized graph"),
                                     field<&T::type>("type", "operator"),
                                     field<&T::time_ns>("time_ns", "as reported")};
};

template <>
struct record::Describe<profile::VerifiedBetween> {
  using T = profile::VerifiedBetween;
  static constexpr std::array fields{
      field<&T::from>("from", "node of the cut before it; null: the model begins"),
      field<&T::to>("to", "node of the cut after it; null: the model ends"),
      field<&T::difference>("difference",
                            "how much more of the latency the layers between the two are said to "
                            "take than the model's parts say")};
};

template <>
struct record::Describe<profile::Least> {
  using T = profile::Least;
  static constexpr std::array fields{
      field<&T::macs>("macs",
                      "multiply-accumulates of all its executions, without taps in padding"),
      field<&T::bytes>("bytes", "that one execution touches"),
      field<&T::line_bytes>("line_bytes", "of the cache lines that these lie in"),
      field<&T::trips>("trips", "executions in a run of the model"),
      field<&T::streamed>(
          "streamed",
          "of bytes, those of weights and of the model's inputs, which each run reads anew; a "
          "tensor that several layers read counts for one of them, so that the sum over layers is "
          "what a run reads of different addresses")};
};

template <>
struct record::Describe<profile::Layer> {
  using T = profile::Layer;
  using B = profile::Bound;
  static constexpr std::array fields{
      field<&T::index>("index", "position in this array", column("layer")),
      field<&T::name>("name", "of the node that carries the work, else of the kernel"),
      field<&T::type>("type", "operator as the runtime calls it"),
      field<&T::implementation>("implementation",
                                "execution provider and kernel family as the runtime says it"),
      field<&T::precision>("precision", "element type it ran in, named as roofs are"),
      field<&T::layout>("layout", "plain, blocked:N, channels_last; empty where not known"),
      field<&T::order>("order", "of execution", column("execution")),
      field<&T::inserted>("inserted", "by the runtime: a reorder, cast or copy"),
      field<&T::module>("module", "the deepest module that holds all members"),
      field<&T::time_ns>("time_ns", "as the profiler reports it, per run of the model"),
      field<&T::corrected_ns>("corrected_ns",
                              "time_ns less what profiling added (docs/profile.md), not below 0; "
                              "time_ns itself where profiling.layer_times is reported",
                              known()),
      computed<&profile::corrected_median, &profile::set_corrected_median>(
          "corrected_median_ns", "", only_when<&profile::has_interval>(), column_only()),
      computed<&profile::corrected_ends, &profile::set_corrected_ends>(
          "corrected_ci95",
          "95 % interval of corrected_ns: the noise of the runs, how processes differ, and how "
          "well the profiler's cost is known",
          only_when<&profile::has_interval>(), column("corrected_ns")),
      field<&T::verified>("verified",
                          "what the layer's time rests on beside the profiler: the two cuts of "
                          "verification between which it lies; absent where nothing was verified",
                          only_when<&profile::is_verified>(), no_column()),
      field<&T::below_resolution>("below_resolution",
                                  "too short to be told apart from the profiler's own steps"),
      field<&T::runs_ns>("runs_ns",
                         "the corrected time (the reported one where layer_times is reported) in "
                         "each profiled run, run i of every layer the same run; it ran beside the "
                         "i-th of the samples of all processes of latency. corrected_ns is their "
                         "median",
                         no_column()),
      field<&T::share>("share", "of corrected_sum_ns", known()),
      field<&T::executions>("executions", "per run of the model"),
      field<&T::kernels>("kernels", "those it is made of", no_column()),
      field<&T::members>("members",
                         "nodes of the original model; `node` is the index of ridge.analysis/1",
                         no_column()),
      inlined<&T::work>(),
      field<&T::bytes>("bytes", "of the tensors that cross its boundary, read + written"),
      field<&T::output_bytes>("output_bytes", "of those written"),
      field<&T::flop_per_s, profile::Giga>("gflop_per_s",
                                           "(2 macs + flops + special + int_ops) / corrected_ns"),
      field<&T::bytes_per_s, profile::Giga>("gb_per_s", "bytes / corrected_ns"),
      field<&T::intensity>("intensity", "FLOP/B"),
      field<&T::bound, &B::kind>(
          "bound", "what binds: compute, memory:LEVEL, overhead; empty where it cannot be said"),
      field<&T::bound, &B::time_ns>("bound_ns", "the least time under the measured roofs"),
      field<&T::bound, &B::roof_share>(
          "roof_share", "of its bound: bound_ns / corrected_ns; above 1 where the layer beats it"),
      field<&T::bound, &B::reason>("bound_reason", "why a figure of the bound is null"),
      field<&T::least>("least",
                       "what the layer must do at least, however it is implemented: what its bound "
                       "stands on (docs/roofline.md)",
                       only_when<&profile::has_least>())};
  static void write(JsonWriter& json, const T& layer);
};

template <>
struct record::Describe<profile::Node> {
  using T = profile::Node;
  static constexpr std::array fields{
      field<&T::index>("index", "position in this array", column("node")),
      field<&T::parent>("parent", "the node whose body this one stands in"),
      field<&T::repeat, profile::Repeat>("repeat", "executions; null where they depend on data"),
      field<&T::name>("name", "a label only"),
      field<&T::op_type>("op_type", "operator"),
      field<&T::domain>("domain", "of the operator; empty is ai.onnx"),
      field<&T::module>("module", "path in the module tree"),
      field<&T::status>("status", "whether the figures are known",
                        one_of<&profile::node_statuses>()),
      field<&T::output_shape>("output", "shape and element type of the first output",
                              column("output_shape")),
      inlined<&T::work>(),
      field<&T::bytes_read>("bytes_read", "each distinct input once"),
      field<&T::bytes_written>("bytes_written", "each output once"),
      field<&T::params>("params", "elements of the weights it reads")};
  static void write(JsonWriter& json, const T& node);
};

template <>
struct record::Describe<profile::WithoutLayer> {
  using T = profile::WithoutLayer;
  static constexpr std::array fields{
      field<&T::node>("node", "index in `nodes`"),
      field<&T::why>("why", "computed at load, without effect, equal to another, or not reached"),
      field<&T::with>("with", "merged: the node that is computed", column("with_node"))};
};

template <>
struct record::Describe<profile::Module> {
  using T = profile::Module;
  static constexpr std::array fields{field<&T::path>("path", "in the module tree"),
                                     field<&T::depth>("depth", "0 is the root"),
                                     field<&T::layers>("layers", "inside it"),
                                     field<&T::time_ns>("time_ns", "corrected", known()),
                                     field<&T::share>("share", "of corrected_sum_ns", known()),
                                     inlined<&T::work>(),
                                     field<&T::bytes>("bytes", "sum over its layers")};
};

template <>
struct record::Describe<profile::ReferenceTime> {
  using T = profile::ReferenceTime;
  static constexpr std::array fields{
      field<&T::processes>("when", "how many processes had measured the model before",
                           column("processes")),
      field<&T::kernel>("kernel", "multiply-add (in registers) or read (16 MiB, eight times)"),
      field<&T::ns>("ns", "median of three passes on one thread", column("time_ns"))};
};

}  // namespace ridge
