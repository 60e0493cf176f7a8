// SPDX-License-Identifier: Apache-2.0
// Pictures inside a page.
#pragma once

#include <string>
#include <string_view>

namespace ridge::report {

/// RFC 4648, section 4, with padding.
std::string base64(std::string_view bytes);

/// <img> with a PNG file in it. `alt` is escaped.
std::string png_picture(std::string_view png, std::string_view alt);

}  // namespace ridge::report
