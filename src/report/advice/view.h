// SPDX-License-Identifier: Apache-2.0
// Advice with what the sections of its page share: order of the findings, layers that are listed,
// links from nodes to their layers. See report/advice/page.h.
//
//   const AdviceView view(advice, run, roofs);
//   for (const advice::Finding* f : view.findings) out += view.node_links(f->nodes);
//
// Ownership: borrows all three. Thread rule: immutable once made.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advice/record/advice.h"
#include "profile/profile.h"
#include "roofline/roofs.h"

namespace ridge::report {

class AdviceView {
 public:
  /// Findings beyond are left out.
  static constexpr std::size_t kMaxFindings = 100;
  /// Layers that the table has, half of them for layers with findings.
  static constexpr std::size_t kMaxLayers = 120;
  /// Nodes that a list names.
  static constexpr std::size_t kMaxNodes = 40;

  AdviceView(const advice::Advice& a, const profile::Profile& p, const roofline::Roofs& r);

  const advice::Advice& advice;
  const profile::Profile& run;
  const roofline::Roofs& roofs;
  /// Largest gain first, those without a gain last.
  std::vector<const advice::Finding*> findings;
  /// Positions of the layers that the table has, ascending.
  std::vector<std::size_t> listed;

  /// Positions of the layers that have one of these nodes as a member, ascending.
  std::vector<std::size_t> layers_with(const std::vector<graph::NodeId>& nodes) const;
  /// Names of the nodes, linked with the row of their layer if the table has it.
  std::string node_links(const std::vector<graph::NodeId>& nodes) const;

 private:
  void list_layers();

  std::vector<std::size_t> layer_of_;  // by node; kNowhere without a layer that is listed
};

/// The gain of a finding: the achieved one if a check measured it, else the predicted one.
struct KnownGain {
  stats::Estimate ns;
  bool achieved = false;
};
std::optional<KnownGain> known_gain(const std::optional<stats::Estimate>& predicted,
                                    const std::optional<advice::Check>& check);

/// Time of a layer above its bound, at least 0; all of it if the runtime inserted the layer, 0 if
/// its bound is unknown.
double above_bound_ns(const profile::Layer& layer);

/// Untrusted name, printable and cut in the middle where it is long. Not yet escaped.
std::string short_name(std::string_view name);

}  // namespace ridge::report
