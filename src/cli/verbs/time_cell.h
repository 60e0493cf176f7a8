// Cells of tables that people read and programs too.
#pragma once

#include <string>

namespace ridge::cli {

/// A time in the unit that suits people, or, if `exact`, in nanoseconds; "" if it is NaN.
std::string time_cell(double ns, bool exact);

}  // namespace ridge::cli
