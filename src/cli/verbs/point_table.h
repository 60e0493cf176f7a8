// Table of several points, as bench and roofline print it: the facts that all points share above
// the rows, notes on their inputs below.
//
//   output.sink().write(point_table(shared, table, notes, format));
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "export/table.h"

namespace ridge::cli {

/// `shared` may be empty; `format`: table or md.
std::string point_table(const std::string& shared, const exports::Table& table,
                        const std::vector<std::string>& notes, std::string_view format);

}  // namespace ridge::cli
