// SPDX-License-Identifier: Apache-2.0
// Inputs of the rules that lower a node to matrix products: the node's form (analysis/form.h) and
// products of sizes. An unknown value is nullopt, which ends a rule.
//
// Sizes come from files, so their products saturate: a product above 2^63 - 1 becomes 2^63 - 1,
// which never equals a node's work.
// Thread rule: pure.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

#include "analysis/form.h"

namespace ridge::accelerator {

using analysis::Form;
using Sizes = Form::Sizes;

/// Product of the sizes, saturating; 1 for an empty list.
std::int64_t product(std::span<const std::int64_t> sizes);
std::int64_t times(std::initializer_list<std::int64_t> sizes);

}  // namespace ridge::accelerator
