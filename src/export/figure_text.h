// Figures and shapes of a resolved model in the words of its tables.
#pragma once

#include <string>
#include <string_view>

#include "analysis/resolved.h"

namespace ridge::exports {

/// "[1, 64, 56, 56]", "of unknown rank".
std::string dims_text(const analysis::Resolved& r, const ops::Type& type);

/// "4.09 G", "272 B" with a unit, an expression as it is, "?" where it cannot be known.
std::string readable(const analysis::Resolved& r, ops::Dim d, std::string_view unit = "");
/// The same, a dash for 0.
std::string readable_or_dash(const analysis::Resolved& r, ops::Dim d);
std::string readable_or_dash(std::int64_t value);

/// "12.5 %"; a dash for none and where either is no number.
std::string share(ops::Dim part, ops::Dim whole);

/// For CSV: the number or expression; empty where it cannot be known.
std::string plain(const analysis::Resolved& r, ops::Dim d);

}  // namespace ridge::exports
