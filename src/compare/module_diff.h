// Module tree of a diff over both models.
#pragma once

#include "compare/diff.h"

namespace ridge::compare {

/// Fills `modules` and `by_module` of a diff whose `nodes` are set: every module on a path from the
/// root to a node, children in the order of the first node inside them. Cost: O(nodes + modules),
/// some 80 bytes per module.
void add_modules(Diff& diff, const analysis::Resolved& a, const analysis::Resolved& b);

}  // namespace ridge::compare
