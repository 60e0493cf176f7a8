// SPDX-License-Identifier: Apache-2.0
// Module tree of a diff over both models.
#pragma once

#include <cstdint>

#include "analysis/resolved.h"
#include "compare/diff_rows.h"

namespace ridge::compare {

/// Fills `modules` and `by_module` of a diff whose `nodes` are set: every module on a path from the
/// root to a node, children in the order of the first node inside them. Cost: O(nodes + modules),
/// some 80 bytes per module.
void add_modules(Diff& diff, const analysis::Resolved& a, const analysis::Resolved& b);

struct ModuleWork {
  std::int64_t nodes_a = 0, nodes_b = 0;
  Figures work_a = kNoWork, work_b = kNoWork;
};

/// Sums the work of a module of `diff`, descendants included. Cost: O(nodes inside).
ModuleWork module_work(const Diff& diff, const ModuleDiff& module, const analysis::Resolved& a,
                       const analysis::Resolved& b);

}  // namespace ridge::compare
