// SPDX-License-Identifier: Apache-2.0
// Parts of a profile that depend only on the model: its identity, its nodes, their work and
// modules. Measured data is joined in measure/join.h, imported data in import/join.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "profile/profile.h"

namespace ridge::profile {

/// Returns nullopt if the dimension is not a known number.
Count count_of(ops::Dim d);
Work work_of(const analysis::NodeCounts& counts);
/// Adds to a sum; unknown if either operand is unknown or the sum overflows 64 bits.
void add(Count& sum, Count part);
void add(Work& sum, const Work& part);
/// Number of arithmetic operations, a multiply-add counted as 2: the numerator of `intensity`.
std::optional<double> operations(const Work& work);

/// Returns the model's identity with the bound sizes; runtime and weights are left empty.
Subject subject_of(const analysis::Resolved& resolved);
/// Items per run: the first dimension of the first input whose first dimension is known and
/// positive, else 1.
std::int64_t batch_of(const analysis::Resolved& resolved);

Node node_row(const analysis::Resolved& resolved, graph::NodeId id);
/// Path of the deepest module that contains all members; "" if there are none.
std::string module_of(const analysis::Resolved& resolved, const std::vector<Member>& members);

}  // namespace ridge::profile
