// SPDX-License-Identifier: Apache-2.0
// Sections of a comparison's page, each a piece of HTML. See report/comparison/page.h.
#pragma once

#include <string>

#include "compare/rows.h"
#include "report/comparison/tree.h"

namespace ridge::report {

std::string comparison_summary(const compare::Comparison& comparison);
/// Every module and group in every run, as a collapsible tree of modules.
std::string tree_section(const compare::Comparison& comparison, const ComparisonTree& tree);
std::string comparison_method(const compare::Comparison& comparison);

/// Id that links a group's row with its bars in the timelines.
std::string group_id(std::size_t group);

}  // namespace ridge::report
