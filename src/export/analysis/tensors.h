// Makes views of tensors and figures for a row of a document. They are valid until the next
// begin().
//
//   Tensors tensors(resolved);
//   tensors.begin(node.inputs, node.outputs);
//   for (const graph::ValueId v : node.outputs) use(tensors.view(v));
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

  /// Forgets all views, and makes room for tensors of these values.
  void begin(std::span<const graph::ValueId> some, std::span<const graph::ValueId> others);
  TensorView view(graph::ValueId v);
  Figure figure(ops::Dim d) { return texts_.figure(d); }

 private:
  std::string_view dtype(const ops::Type& type);

  const analysis::Resolved& r_;
  FigureTexts texts_;
  std::vector<Figure> dims_;
  /// Names of types that are no tensors.
  std::map<std::pair<ops::Container, ops::DataType>, std::string> container_names_;
};

/// Part of an input in the nodes that read it.
InputKind input_kind(const analysis::Resolved& resolved, graph::ValueId v);

/// Name of a total.
std::string_view figure_key(analysis::Totals::Figure which);

/// The sum, or null where it lacks a node: then `at_least` has what is known of it.
Figure sum_figure(Tensors& tensors, ops::Dim known, const std::bitset<7>& incomplete,
                  analysis::Totals::Figure which, LowerBounds& at_least);

}  // namespace ridge::exports
