// The modules of a diff as one tree over both models.
#pragma once

#include "compare/diff.h"

namespace ridge::compare {

/// Fills `modules` and `by_module` of a diff whose nodes are there: every module from the root to
/// where a node stands, children in the order in which nodes first stand in them.
/// Cost: O(nodes + modules), some 80 bytes a module.
void add_modules(Diff& diff, const analysis::Resolved& a, const analysis::Resolved& b);

}  // namespace ridge::compare
