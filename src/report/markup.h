// Small pieces of HTML that the report's sections share. Text parameters are escaped here; `markup`
// ones are trusted.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridge::report {

/// A cell that sorts by `value` (nothing: sorts last) and shows `text`.
std::string number_cell(std::optional<double> value, std::string_view text);
std::string text_cell(std::string_view text);
/// A bar as wide as `share` of `pixels`.
std::string bar(double share, double pixels);
/// <section> with a heading.
std::string section(std::string_view heading, std::string_view markup);
/// The frame of a page: head, style, the given body, script.
std::string page(std::string_view title, std::string_view markup);

}  // namespace ridge::report
