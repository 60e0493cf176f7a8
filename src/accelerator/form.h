// What the rules that make products of a node work with: its form (analysis/form.h) and products of
// sizes. What is not known is nullopt, which ends a rule.
//
// Sizes come from files, so products of them saturate: what would pass 2^63 - 1 is that, and never
// equals a node's work. Thread rule: pure.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

#include "analysis/form.h"

namespace ridge::accelerator {

using analysis::Form;
using Sizes = Form::Sizes;

/// Saturating; 1 of nothing.
std::int64_t product(std::span<const std::int64_t> sizes);
std::int64_t times(std::initializer_list<std::int64_t> sizes);

}  // namespace ridge::accelerator
