// SPDX-License-Identifier: Apache-2.0
// Analyses of one model for many sizes as a table, one row per point. With a whole analysis per
// point: AnalysesView (document.h).
//
//   AnalysisSweep sweep(sizes);                  // names and values, as given
//   sweep.add(point.sizes, resolved, traffic, convention);   // keeps the totals only
//   sink.write(sweep.text());
//
// Cost: O(1) per point beside the analysis.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/convention.h"
#include "analysis/resolved.h"
#include "analysis/traffic/traffic.h"
#include "export/table.h"

namespace ridge::exports {

using SweepSizes = std::map<std::string, std::vector<std::int64_t>>;

class AnalysisSweep {
 public:
  explicit AnalysisSweep(SweepSizes sizes) : sizes_(std::move(sizes)) {}

  /// `point`: the values of the sizes. `traffic` and `convention` may be nullptr, each either for
  /// every point or for none.
  void add(const analysis::BoundSizes& point, const analysis::Resolved& resolved,
           const analysis::Traffic* traffic, const analysis::ConventionCount* convention);

  std::string text() const;
  std::string markdown() const;
  /// CSV of plain numbers with a column per size; an unknown figure is an empty cell.
  std::string csv() const;

 private:
  struct Point {
    std::vector<std::int64_t> sizes;  // in the order of sizes_
    analysis::Totals totals;
    std::vector<std::int64_t> moved;  // expected, most and least bytes; empty without traffic
    ops::Dim by_convention;
    bool convention_complete = true;
  };
  Table readable_table() const;

  SweepSizes sizes_;
  std::string convention_;  // "timm MACs"; empty: none
  std::vector<Point> points_;
};

}  // namespace ridge::exports
