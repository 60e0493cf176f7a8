// Small pieces of HTML that the report's sections share. Text parameters are escaped here; `markup`
// ones are trusted.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "profile/profile.h"

namespace ridge::report {

/// A cell that sorts by `value` (nothing: sorts last) and shows `text`.
std::string number_cell(std::optional<double> value, std::string_view text);
std::string text_cell(std::string_view text);
std::string time_text(double ns);
std::string percent_text(double share);
std::string count_text(profile::Count count);
/// "12.3" in units of 1e9, "?" where unknown.
std::string giga_text(std::optional<double> per_second);
/// A bar as wide as `share` of `pixels`.
std::string bar(double share, double pixels);
/// <section> with a heading.
std::string section(std::string_view heading, std::string_view markup);
/// The frame of a page: head, style, the given body, script.
std::string page(std::string_view title, std::string_view markup);

}  // namespace ridge::report
