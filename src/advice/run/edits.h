// SPDX-License-Identifier: Apache-2.0
// Edits of a model after which a runtime executes other kernels.
//
//   for (const AdviceEdit& edit : TRY(find_edits(resolved, network, loader, notes)))
//     edit.rule->name, edit.change          // "silu", "1 QuickGelu runs instead of 1 Exp, ..."
//
// Both models are loaded, neither is run. An edit that changes no kernel is none: the runtime does
// the same by itself. An edited copy that the runtime rejects is a note. Errors: as
// rewrite::rewritten(). Thread rule: one thread.
#pragma once

#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "bricks/loader.h"
#include "bricks/network.h"
#include "rewrite/rewritten.h"

namespace ridge::advice {

struct AdviceEdit {
  const rewrite::Rule* rule = nullptr;
  std::vector<rewrite::Site> sites;
  bricks::Network network;  ///< the edited copy, as the runtime executes it
  rewrite::Origins origins;
  std::string change;             ///< kernel_change()
  std::int64_t more_kernels = 0;  ///< more_kernels(); above 0: the runtime runs more

  /// True for an edit that binds sizes: it is compared with the model with free sizes, while all
  /// else is measured with bound ones.
  bool binds_sizes() const { return rule->kind == "free_sizes"; }
};

/// `network`: the model. After an interruption the result has the edits found so far.
Result<std::vector<AdviceEdit>> find_edits(const analysis::Resolved& resolved,
                                           const bricks::Network& network, bricks::Loader& loader,
                                           std::vector<std::string>& notes);

/// Nodes at all sites, ascending.
std::vector<graph::NodeId> nodes_of(const std::vector<rewrite::Site>& sites);

}  // namespace ridge::advice
