// SPDX-License-Identifier: Apache-2.0
// Makes views of tensors and figures for rows of a document. Expressions as text are kept until
// clear().
//
//   Tensors tensors(resolved);
//   row.macs = tensors.figure(counts.macs);
//   row.outputs = {&tensors, node.outputs};     // made while they are written
#pragma once

#include <bitset>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/resolved.h"
#include "export/analysis/document.h"
#include "export/analysis/figure.h"

namespace ridge::exports {

class Tensors {
 public:
  explicit Tensors(const analysis::Resolved& resolved) : r_(resolved), texts_(resolved.dims()) {}

  TensorView view(graph::ValueId v);
  /// `v`: kNone where the input is not given.
  InputView input(graph::ValueId v);
  Figure figure(ops::Dim d) { return texts_.figure(d); }
  void clear() { texts_.clear(); }

 private:
  std::string_view dtype(const ops::Type& type);

  const analysis::Resolved& r_;
  FigureTexts texts_;
  /// Names of types that are no tensors.
  std::map<std::pair<ops::Container, ops::DataType>, std::string> container_names_;
};

template <typename Use>
void InputViews::each(Use use) const {
  for (const graph::ValueId v : ids) use(tensors->input(v));
}

template <typename Use>
void OutputViews::each(Use use) const {
  for (const graph::ValueId v : ids)
    if (v != graph::kNone) use(tensors->view(v));
}

/// Part of an input in the nodes that read it.
InputKind input_kind(const analysis::Resolved& resolved, graph::ValueId v);

/// Name of a total.
std::string_view figure_key(analysis::Totals::Figure which);

/// The sum, or null where it lacks a node: then `at_least` has what is known of it.
Figure sum_figure(Tensors& tensors, ops::Dim known, const std::bitset<7>& incomplete,
                  analysis::Totals::Figure which, LowerBounds& at_least);

}  // namespace ridge::exports
