// SPDX-License-Identifier: Apache-2.0
// Texts for the figures of a resolved model in its tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/convention.h"
#include "analysis/resolved.h"

namespace ridge::exports {

/// File name of the model, without its folder.
std::string file_name(const analysis::Resolved& r);

/// "4.09 G", "272 B" with a unit.
std::string readable(std::int64_t value, std::string_view unit = "");
/// Symbolic variant: an expression stays as it is, "?" where it cannot be known.
std::string readable(const analysis::Resolved& r, ops::Dim d, std::string_view unit = "");
/// readable(), with a dash for 0.
std::string readable_or_dash(std::int64_t value);

/// readable() for a sum; where it is `incomplete` (lacks a node) ">= 4.09 G", or "?" if no part is
/// known.
std::string sum_text(const analysis::Resolved& r, ops::Dim sum, bool incomplete,
                     std::string_view unit = "");
/// sum_text(), with a dash for a complete sum of 0.
std::string sum_or_dash(const analysis::Resolved& r, ops::Dim sum, bool incomplete);
/// CSV text of a sum: empty where it lacks a node.
std::string plain_sum(const analysis::Resolved& r, ops::Dim sum, bool incomplete);

/// "timm MACs": title of a column with another tool's figures.
std::string convention_title(const analysis::ConventionCount& count);

/// "1.23 G"; "?" where it is not known.
std::string count_text(std::optional<std::int64_t> count);
/// "12.3" in units of 1e9, "?" where unknown.
std::string giga_text(std::optional<double> per_second);
/// "12.5 %"
std::string percent_text(double share);
/// part / whole in percent; a dash where either is 0 or not a number.
std::string share(ops::Dim part, ops::Dim whole);

/// CSV text of a figure: the number or expression; empty where it cannot be known.
std::string plain(const analysis::Resolved& r, ops::Dim d);

}  // namespace ridge::exports
