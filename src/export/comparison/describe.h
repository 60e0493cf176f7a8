// SPDX-License-Identifier: Apache-2.0
// Description of ridge.comparison/1 (record/describe.h).
#pragma once

#include "analysis/sizes/describe.h"
#include "compare/describe.h"
#include "export/comparison/document.h"
#include "profile/describe.h"
#include "record/describe.h"

namespace ridge::exports {

inline bool is_group(const ComparedRow& row) { return !row.op.empty(); }

}  // namespace ridge::exports

namespace ridge {

template <>
struct record::Describe<exports::ComparedRun> {
  using T = exports::ComparedRun;
  static constexpr std::array fields{
      field<&T::label>("label", "what the column is called"),
      field<&T::kind>("kind", "where its times come from", one_of<&profile::profile_kinds>()),
      field<&T::model>("model", "path of the model"),
      field<&T::graph_hash>("graph_hash", "of its structure"),
      field<&T::runtime>("runtime", "name of the runtime"),
      field<&T::version>("version", "of the runtime"),
      field<&T::options>("options",
                         "threads (a number), optimization, pinning and the user's own (text)"),
      field<&T::bindings>("bindings", "sizes by name"),
      field<&T::drift>("drift",
                       "how far the reference kernels of this run and of the baseline lie apart; "
                       "null for the baseline, for runs in turns, on different machines, and where "
                       "one of both has none"),
      field<&T::batch>("batch", "items of one run"),
      field<&T::machine>("machine",
                         "hostname, processor and count; null where the run does not say",
                         zero_is_null()),
      field<&T::nodes>("nodes", "how its nodes were joined with the first run's")};
};

template <>
struct record::Describe<exports::ComparedNode> {
  using T = exports::ComparedNode;
  static constexpr std::array fields{
      field<&T::run>("run", "position of the first run whose model has the node"),
      field<&T::index>("index", "index of `ridge analyze` in that model"),
      field<&T::name>("name", "as the model names it"), field<&T::op_type>("op_type", "operator")};
};

template <>
struct record::Describe<exports::ComparedRow> {
  using T = exports::ComparedRow;
  static constexpr std::array fields{
      field<&T::name>("name", "the group, module or operator as tables call it"),
      field<&T::module>("module", "groups: the deepest module that holds all nodes",
                        only_when<&exports::is_group>()),
      field<&T::op>("operator", "groups: what it counts under by operator",
                    only_when<&exports::is_group>()),
      field<&T::nodes>("nodes", "groups: its nodes", only_when<&exports::is_group>()),
      field<&T::runs>("runs", "by run; everything but the time is against the first")};
};

template <>
struct record::Describe<exports::ComparedTotals> {
  using T = exports::ComparedTotals;
  static constexpr std::array fields{
      field<&T::time>("time", "the latency in parts; null where it is not known"),
      field<&T::difference>("difference",
                            "less the baseline's parts; null for the baseline and where either is "
                            "not known"),
      field<&T::explained>("explained",
                           "share of the difference of the latency that groups and inserted layers "
                           "have; null where no difference is shown"),
      field<&T::groups>("groups", "verdicts over groups")};
};

template <>
struct record::Describe<exports::ComparisonView> {
  using T = exports::ComparisonView;
  static constexpr std::string_view schema = "ridge.comparison/1";
  static constexpr std::string_view text =
      "Two or more runs over the nodes of one model, against the first: `ridge compare RUN RUN... "
      "--format json`.";
  static constexpr std::array fields{
      field<&T::threshold>("threshold",
                           "a share: smaller differences are not called faster or slower", known(),
                           on_line()),
      field<&T::interleaved>("interleaved",
                             "the runs took turns one by one, so that every run of a column has a "
                             "partner in each other column"),
      field<&T::false_discovery_rate>("false_discovery_rate",
                                      "how many of a table's verdicts may be wrong on average "
                                      "(Benjamini and Hochberg)",
                                      known()),
      field<&T::runs>("runs", "the columns, the baseline first", on_line(), item_lines()),
      field<&T::latency>("latency", "whole unprofiled runs", on_line()),
      field<&T::groups>("groups",
                        "the smallest groups of nodes that every run times on its own, by first "
                        "node",
                        on_line(), item_lines()),
      field<&T::modules>("modules",
                         "the groups within each module; the median over runs of their sum",
                         on_line(), item_lines()),
      field<&T::operators>("operators", "the groups by operator; the median over runs of their sum",
                           on_line(), item_lines()),
      field<&T::inserted>("inserted", "layers that the runtimes inserted", on_line()),
      field<&T::unattributed>("unattributed", "layers that no node is known for", on_line()),
      field<&T::totals>("totals", "by run", on_line(), item_lines()),
      field<&T::best_of_each_ns>("best_of_each_ns",
                                 "sum over the groups that all runs have of the fastest run's "
                                 "time, and the least that a run takes for the others: the lower "
                                 "limit of a combination, conversions between runtimes not counted",
                                 known(), on_line()),
      field<&T::nodes_without_layer>("nodes_without_layer", "nodes that no run has a layer for"),
      field<&T::notes>("notes",
                       "what the reader must know: other models, and the notes of the runs",
                       on_line())};
};

}  // namespace ridge
