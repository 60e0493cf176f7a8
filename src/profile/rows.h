// Rows of the joined tables that the model alone decides: itself, its nodes, the work of some of
// them, the module that holds them. What is measured is joined in measure/join.h, what is imported
// in import/join.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "profile/profile.h"

namespace ridge::profile {

/// nullopt where a dimension is not a known number.
Count count_of(ops::Dim d);
Work work_of(const analysis::NodeCounts& counts);
/// A sum with something unknown, or past 64 bits, is unknown.
void add(Count& sum, Count part);
void add(Work& sum, const Work& part);
/// All arithmetic with a multiply-add as 2 (design: `intensity`).
std::optional<double> operations(const Work& work);

/// What the model says of itself, with the sizes in force; runtime and weights are left open.
Subject subject_of(const analysis::Resolved& resolved);
/// Items of one run: the first dimension of the first input.
std::int64_t batch_of(const analysis::Resolved& resolved);

Node node_row(const analysis::Resolved& resolved, graph::NodeId id);
/// The deepest module that all members are in; "" where there are none.
std::string module_of(const analysis::Resolved& resolved, const std::vector<Member>& members);

}  // namespace ridge::profile
