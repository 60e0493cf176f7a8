// Fields of a line of CSV, without white space and quotes around them. A comma ends a field, in
// quotes as well: traces have numbers and names.
#pragma once

#include <cstddef>
#include <string_view>

namespace ridge::scenario {

/// The text between two commas, without what is around it.
std::string_view csv_text(std::string_view between);

/// Field `index` of a line; "" beyond the last.
std::string_view csv_field(std::string_view line, std::size_t index);

}  // namespace ridge::scenario
