// SPDX-License-Identifier: Apache-2.0
// Description of ridge.diff/1 (record/describe.h).
#pragma once

#include "analysis/sizes/describe.h"
#include "compare/describe.h"
#include "export/comparison/diff_document.h"
#include "record/describe.h"

namespace ridge::exports {

template <compare::Change change>
std::int64_t count_of(const ChangeCounts& counts) {
  return counts.by_change[static_cast<std::size_t>(change)];
}

template <compare::Figure figure>
std::optional<std::int64_t> figure_of(const WorkView& work) {
  return compare::at(work.figures, figure);
}

inline std::span<const std::string_view> diff_fuses() {
  static constexpr std::array<std::string_view, 2> kFuses = {"epilogue", "runtime"};
  return kFuses;
}

}  // namespace ridge::exports

namespace ridge {

template <>
struct record::Describe<exports::DiffSideView> {
  using T = exports::DiffSideView;
  static constexpr std::array fields{
      field<&T::path>("path", "as given, or zoo:NAME"),
      field<&T::graph_hash>("graph_hash", "as in ridge.analysis/1"),
      field<&T::bindings>("bindings", "free sizes in force, by name")};
};

template <>
struct record::Describe<exports::ChangeCounts> {
  using enum compare::Change;
  static constexpr std::array fields{
      computed<&exports::count_of<kSame>>(word(kSame), "nothing differs"),
      computed<&exports::count_of<kRenamed>>(word(kRenamed),
                                             "another name or module, all else the same"),
      computed<&exports::count_of<kChanged>>(word(kChanged),
                                             "attributes, constants, types or work differ"),
      computed<&exports::count_of<kAdded>>(word(kAdded), "only in B"),
      computed<&exports::count_of<kRemoved>>(word(kRemoved), "only in A")};
};

template <>
struct record::Describe<exports::WorkView> {
  using F = compare::Figure;
  static constexpr auto name_of = [](F figure) {
    return compare::kFigureNames[static_cast<std::size_t>(figure)];
  };
  static constexpr std::array fields{
      computed<&exports::figure_of<F::kMacs>>(
          name_of(F::kMacs), "multiply-accumulates; null where there is no number, as are others"),
      computed<&exports::figure_of<F::kFlops>>(name_of(F::kFlops),
                                               "other element-wise arithmetic on floating types"),
      computed<&exports::figure_of<F::kSpecial>>(name_of(F::kSpecial),
                                                 "divisions, roots, exponentials and the like"),
      computed<&exports::figure_of<F::kIntOps>>(name_of(F::kIntOps), "arithmetic on integers"),
      computed<&exports::figure_of<F::kParams>>(name_of(F::kParams), "elements of the weights"),
      computed<&exports::figure_of<F::kBytesRead>>(name_of(F::kBytesRead),
                                                   "each distinct input once"),
      computed<&exports::figure_of<F::kBytesWritten>>(name_of(F::kBytesWritten),
                                                      "each output once")};
};

template <>
struct record::Describe<exports::DiffNodeSide> {
  using T = exports::DiffNodeSide;
  static constexpr std::array fields{
      field<&T::index>("index", "as in ridge.analysis/1"),
      field<&T::name>("name", "a label only: may be empty or repeated"),
      field<&T::module>("module", "path in the module tree; empty is the root"),
      inlined<&T::work>()};
};

template <>
struct record::Describe<exports::DiffNodeView> {
  using T = exports::DiffNodeView;
  static void write(JsonWriter& json, const exports::DiffNodeView& node);
  static constexpr std::array fields{
      field<&T::change>("change", "what became of it"),
      field<&T::op_type>("op_type", "operator"),
      field<&T::domain>("domain", "of the operator; empty is ai.onnx"),
      field<&T::a>("a", "the node of A; null where there is none"),
      field<&T::b>("b", "the node of B; null where there is none"),
      field<&T::what>("what",
                      "what differs, as text: an attribute, a constant, a type with both values; "
                      "`name`, `module`, `work`"),
      field<&T::difference>("difference", "b - a, of what is not there 0")};
};

template <>
struct record::Describe<exports::DiffModuleSide> {
  using T = exports::DiffModuleSide;
  static constexpr std::array fields{field<&T::nodes>("nodes", "rows"), inlined<&T::work>()};
};

template <>
struct record::Describe<exports::DiffModuleView> {
  using T = exports::DiffModuleView;
  static void write(JsonWriter& json, const exports::DiffModuleView& module);
  static constexpr std::array fields{field<&T::path>("path", "empty is the whole model"),
                                     field<&T::depth>("depth", "parts of the path"),
                                     field<&T::a>("a", "of what is inside, in A"),
                                     field<&T::b>("b", "of what is inside, in B")};
};

template <>
struct record::Describe<exports::DiffView> {
  using T = exports::DiffView;
  static constexpr std::string_view schema = "ridge.diff/1";
  static constexpr std::string_view text =
      "What work changed from one model to another: `ridge diff A B --format json`. A figure is "
      "null where it is no number.";
  static constexpr std::array fields{
      field<&T::a>("a", "the first model", on_line()),
      field<&T::b>("b", "the second model", on_line()),
      field<&T::fuse>("fuse",
                      "only with --fuse: which operators run as one, so that bytes are those at "
                      "their common boundary",
                      omit_empty(), one_of<&exports::diff_fuses>(), on_line()),
      field<&T::counts>("counts", "nodes by `change`; a pair of partners counts once", on_line()),
      field<&T::totals>("totals", "totals of ridge.analysis/1 by name, on both sides", on_line()),
      field<&T::nodes>("nodes",
                       "along A, what is added behind what it follows in B; those that are the "
                       "same only with --all",
                       on_line(), item_lines()),
      field<&T::modules>("modules",
                         "the module tree of A, parents before children; a node of B counts where "
                         "its partner stands, without a partner under its own path",
                         on_line(), item_lines())};
};

}  // namespace ridge
