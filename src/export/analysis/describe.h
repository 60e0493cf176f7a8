// SPDX-License-Identifier: Apache-2.0
// Descriptions of ridge.analysis/1 and ridge.analyses/1 (record/describe.h).
#pragma once

#include "analysis/convention.h"
#include "analysis/sizes/describe.h"
#include "export/analysis/document.h"
#include "export/analysis/tensors.h"
#include "export/analysis/traffic_text.h"
#include "record/describe.h"

namespace ridge {

template <>
struct record::Describe<exports::TensorView> {
  using T = exports::TensorView;
  static void write(JsonWriter& json, const T& tensor);
  static constexpr std::array fields{
      field<&T::name>("name", "of the tensor"),
      field<&T::dtype>("dtype",
                       "element type, such as float32; sequence(float32) and the like for what is "
                       "no tensor",
                       zero_is_null()),
      field<&T::shape>("shape", "dimensions; null where the rank is not known")};
};

template <>
struct record::Describe<exports::InputView> {
  using T = exports::InputView;
  static void write(JsonWriter& json, const T& input);
  static constexpr std::array fields{inlined<&T::tensor>(),
                                     field<&T::kind>("kind", "what it is to the node")};
};

namespace exports {

inline bool with_convention(const NodeView& node) { return node.with_convention; }
inline bool with_traffic(const NodeView& node) { return node.with_traffic; }

}  // namespace exports

template <>
struct record::Describe<exports::NodeView> {
  using T = exports::NodeView;
  static void write(JsonWriter& json, const exports::NodeView& node);
  static constexpr std::array fields{
      field<&T::index>("index",
                       "main graph in file order, then depth-first through bodies, then function "
                       "bodies per call"),
      field<&T::parent>("parent", "the node whose body this one stands in"),
      field<&T::repeat>("repeat", "executions; figures of the row are totals over them"),
      field<&T::name>("name", "a label only: may be empty or repeated"),
      field<&T::op_type>("op_type", "operator"),
      field<&T::domain>("domain", "of the operator; empty is ai.onnx"),
      field<&T::module>("module", "path in the module tree; empty is the root"),
      field<&T::inputs>("inputs", "by position; one that is not given is of kind `absent`"),
      field<&T::outputs>("outputs", "those that are wanted"),
      field<&T::macs>("macs", "multiply-accumulates"),
      field<&T::macs_max>("macs_max",
                          "only where `macs` is null and bounded, or less because of constant "
                          "sequence lengths: an upper bound, such as the most that a Loop may "
                          "repeat its body",
                          omit_empty()),
      field<&T::flops>("flops", "other element-wise arithmetic on floating types"),
      field<&T::special>("special", "divisions, roots, exponentials and the like"),
      field<&T::int_ops>("int_ops", "arithmetic on integers"),
      field<&T::convention>("convention", "with --convention: what that tool counts for it",
                            only_when<&exports::with_convention>()),
      field<&T::params>("params", "elements of the weights it reads"),
      field<&T::active_params>("active_params",
                               "only of a mixture of experts: of `params` those that one token "
                               "uses",
                               omit_empty()),
      field<&T::bytes_read>("bytes_read",
                            "each distinct input once; Gather, Slice and the like what they touch"),
      field<&T::bytes_written>("bytes_written", "each output once; views 0"),
      field<&T::bytes_expected>("bytes_expected",
                                "with --traffic: what it reads from memory, and what of its "
                                "outputs reaches memory",
                                only_when<&exports::with_traffic>()),
      field<&T::bytes_max>("bytes_max", "with --traffic: the same without a cache",
                           only_when<&exports::with_traffic>()),
      field<&T::runs_with>("runs_with",
                           "with --traffic: the node at whose place it runs, itself where it is "
                           "not fused",
                           only_when<&exports::with_traffic>()),
      field<&T::intensity>("intensity", "FLOP/B, as in `totals`"),
      field<&T::status>("status", "whether the figures are known"),
      field<&T::reason>("reason", "why a figure is null or the node unknown", zero_is_null())};
};

template <>
struct record::Describe<exports::ModuleView> {
  using T = exports::ModuleView;
  static void write(JsonWriter& json, const exports::ModuleView& module);
  static constexpr std::array fields{
      field<&T::path>("path", "as in `module` of a node; empty is the whole model"),
      field<&T::depth>("depth", "parts of the path"),
      field<&T::output>("output",
                        "the last tensor made inside that is read outside, a floating one where "
                        "there is any; null where nothing leaves"),
      field<&T::nodes>("nodes", "inside, at any depth"),
      field<&T::own_nodes>("own_nodes", "of those, the ones in no module inside this one"),
      field<&T::macs>("macs",
                      "of everything inside; null where a node of it is not known, as are the next "
                      "figures"),
      field<&T::flops>("flops", "other element-wise arithmetic on floating types"),
      field<&T::special>("special", "divisions, roots, exponentials and the like"),
      field<&T::int_ops>("int_ops", "arithmetic on integers"),
      field<&T::params>("params", "elements of the weights read inside, each tensor once"),
      field<&T::bytes_read>("bytes_read", "sum over the nodes"),
      field<&T::bytes_written>("bytes_written", "sum over the nodes"),
      field<&T::unknown>("unknown", "nodes inside whose work is not known"),
      field<&T::at_least>("at_least",
                          "only where figures lack a node and are null: by their names the sums of "
                          "what is known, lower bounds",
                          omit_empty())};
};

template <>
struct record::Describe<exports::ModelFacts> {
  using T = exports::ModelFacts;
  static constexpr std::array fields{
      field<&T::path>("path", "as given, or zoo:NAME"),
      field<&T::graph_hash>("graph_hash",
                            "32 hex digits of what is computed, whatever the names; of a weight "
                            "only type, shape and sharing count"),
      field<&T::ir_version>("ir_version", "of the ONNX file format"),
      field<&T::opsets>("opsets",
                        "imported operator sets: domain to version; the empty domain is ai.onnx"),
      field<&T::producer>("producer", "tool and version that wrote the file")};
};

template <>
struct record::Describe<exports::TotalsView::Coverage> {
  using T = exports::TotalsView::Coverage;
  static constexpr std::array fields{
      field<&T::counted>("counted", "their work is known"),
      field<&T::zero>("zero", "no work by definition"),
      field<&T::unknown>("unknown", "operators that ridge does not know, or sizes that cannot be")};
};

namespace exports {

inline bool with_macs_max(const TotalsView& totals) { return totals.with_macs_max; }
inline bool with_traffic_totals(const TotalsView& totals) { return totals.with_traffic; }

}  // namespace exports

template <>
struct record::Describe<exports::TotalsView> {
  using T = exports::TotalsView;
  static constexpr std::array fields{
      field<&T::nodes>("nodes",
                       "rows, those in bodies of control flow and called functions included"),
      field<&T::macs>("macs", "multiply-accumulates"),
      field<&T::macs_max>("macs_max",
                          "only where `macs` lacks a node or constants make it less: an upper "
                          "bound, null where a node has none",
                          only_when<&exports::with_macs_max>()),
      field<&T::flops>("flops", "other element-wise arithmetic on floating types"),
      field<&T::special>("special", "divisions, roots, exponentials and the like"),
      field<&T::int_ops>("int_ops", "arithmetic on integers"),
      field<&T::params>("params", "elements of the weights, each tensor once"),
      field<&T::active_params>("active_params",
                               "only with mixtures of experts: of `params` those that one token "
                               "uses",
                               omit_empty()),
      field<&T::weight_bytes>("weight_bytes", "of those tensors, as stored"),
      field<&T::bytes_read>("bytes_read", "sum over the nodes, without fusion"),
      field<&T::bytes_written>("bytes_written", "sum over the nodes, without fusion"),
      field<&T::peak_activation_bytes>("peak_activation_bytes",
                                       "live activations at the worst moment of file order"),
      field<&T::bytes_min>("bytes_min",
                           "with --traffic: moved with a boundless cache, inputs and weights once, "
                           "outputs once",
                           only_when<&exports::with_traffic_totals>()),
      field<&T::bytes_expected>("bytes_expected",
                                "with --traffic: read from and written to memory with the cache "
                                "and fusion of `traffic`",
                                only_when<&exports::with_traffic_totals>()),
      field<&T::bytes_max>("bytes_max", "with --traffic: the same without a cache",
                           only_when<&exports::with_traffic_totals>()),
      field<&T::coverage>("coverage", "nodes by status"),
      field<&T::intensity>("intensity",
                           "(2 macs + flops + special + int_ops) / (bytes_read + bytes_written), "
                           "FLOP/B"),
      field<&T::at_least>("at_least",
                          "only where totals lack a node: by their names the sums of what is "
                          "known, lower bounds",
                          omit_empty()),
      field<&T::incomplete>("incomplete", "totals that lack at least one node, so are null")};
};

namespace exports {

inline bool is_incomplete(const ConventionView& convention) { return !convention.complete; }

}  // namespace exports

template <>
struct record::Describe<exports::ConventionView> {
  using T = exports::ConventionView;
  static constexpr std::array fields{
      field<&T::name>("name", "whose way of counting (docs/reference/conventions.md)",
                      one_of<&analysis::convention_names>()),
      field<&T::unit>("unit", "of the total and of the nodes' figures",
                      one_of<&analysis::convention_units>()),
      field<&T::total>("total", "sum over the nodes; null where one is not known"),
      field<&T::at_least>("at_least",
                          "only where a node is not known: the sum over the others, a lower bound",
                          only_when<&exports::is_incomplete>()),
      field<&T::complete>("complete", "false: a node is not known, the total is null")};
};

template <>
struct record::Describe<exports::TrafficAssumptions> {
  using T = exports::TrafficAssumptions;
  static constexpr std::array fields{
      field<&T::cache_bytes>("cache_bytes", "of the last-level cache"),
      field<&T::cache_from>("cache_from", "the flag, this machine, or nobody",
                            one_of<&exports::cache_sources>()),
      field<&T::fuse>("fuse", "which nodes are taken to run as one"),
      field<&T::fused_nodes>("fused_nodes", "nodes that run with a later one"),
      field<&T::peak_activation_bytes>("peak_activation_bytes",
                                       "live activations at the worst moment of this schedule")};
};

template <>
struct record::Describe<exports::SymbolicView::Fixed> {
  using T = exports::SymbolicView::Fixed;
  static constexpr std::array fields{
      field<&T::equation>("equation", "such as `batch = 1`"),
      field<&T::node>("node", "the first node that works for these sizes only"),
      field<&T::nodes>("nodes", "how many such nodes there are")};
};

template <>
struct record::Describe<exports::SymbolicView::Term> {
  using T = exports::SymbolicView::Term;
  static constexpr std::array fields{
      field<&T::coefficient>("coefficient", "of the product"),
      field<&T::powers>("powers", "a size, or an expression such as `(height//2)`, to its power")};
};

template <>
struct record::Describe<exports::SymbolicView::Expression> {
  using T = exports::SymbolicView::Expression;
  static constexpr std::array fields{
      field<&T::text>("expression", "a sum of products; null where it is not known",
                      zero_is_null()),
      field<&T::terms>("terms", "the same, term by term"),
      field<&T::missing_nodes>("missing_nodes",
                               "nodes whose figure is not known: the sum is a lower bound"),
      field<&T::reason>("reason", "why the first of them is not, or why there is no expression",
                        zero_is_null())};
};

template <>
struct record::Describe<exports::SymbolicView> {
  using T = exports::SymbolicView;
  static constexpr std::array fields{
      field<&T::sizes>("sizes", "the names in the expressions"),
      field<&T::fixed>("fixed",
                       "sizes that nodes inside the model fix, often at export: the totals hold "
                       "for them only"),
      field<&T::totals>("totals", "by figure, named as in `totals`", item_lines())};
};

template <>
struct record::Describe<exports::AnalysisView> {
  using T = exports::AnalysisView;
  static constexpr std::string_view schema = "ridge.analysis/1";
  static constexpr std::string_view text =
      "The work in a model under one binding of its free sizes: `ridge analyze MODEL --format "
      "json`. A figure is an integer, an expression of free sizes, or null where it cannot be "
      "known.";
  static constexpr std::array fields{
      field<&T::model>("model", "the file as it describes itself", on_line()),
      field<&T::bindings>("bindings",
                          "every free size in force, by name; an unnamed dimension is called like "
                          "`input[2]`",
                          on_line()),
      field<&T::values>("values",
                        "only with --input: inputs whose elements took part in the analysis, and "
                        "the file or elements given for each",
                        omit_empty(), on_line()),
      field<&T::inputs>("inputs", "of the model, weights left out", on_line()),
      field<&T::outputs>("outputs", "of the model", on_line()),
      field<&T::totals>("totals", "sums over the nodes; null where one is not known", on_line()),
      field<&T::convention>("convention",
                            "with --convention: the figure that another tool would print",
                            omit_empty(), on_line()),
      field<&T::traffic>("traffic",
                         "with --traffic, --cache or --fuse: the assumptions under which bytes are "
                         "expected",
                         omit_empty(), on_line()),
      field<&T::symbolic>("symbolic",
                          "with --symbolic and a size that is not bound: totals as expressions of "
                          "the free sizes",
                          omit_empty(), on_line()),
      field<&T::nodes>("nodes",
                       "one row per node, in the order of `index` (with --top: most work first)",
                       on_line(), item_lines()),
      field<&T::modules>("modules",
                         "the module tree, parents before children (with --depth: its upper "
                         "levels)",
                         on_line(), item_lines())};
};

template <>
struct record::Describe<exports::AnalysesView::Sweep> {
  using T = exports::AnalysesView::Sweep;
  static constexpr std::array fields{
      field<&T::points>("points", "every combination of the values, the first name slowest"),
      field<&T::sizes>("sizes", "name to its values"),
      field<&T::together>("together",
                          "only where names vary in step: the names of each group; their first "
                          "values are one point, their second ones the next",
                          omit_empty())};
};

template <>
struct record::Describe<exports::AnalysesView> {
  using T = exports::AnalysesView;
  static constexpr std::string_view schema = "ridge.analyses/1";
  static constexpr std::string_view text =
      "The work in a model under several sizes: `ridge analyze MODEL --bind batch=1,2,4 --format "
      "json`.";
  static constexpr std::array fields{
      field<&T::sweep>("sweep", "what was asked for", on_line()),
      field<&T::analyses>("analyses", "each a ridge.analysis/1, in the order of the points",
                          on_line(), item_lines())};
};

}  // namespace ridge
