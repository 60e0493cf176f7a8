// SPDX-License-Identifier: Apache-2.0
// Complete HTML page of a report: style, content, the terms that its legends link to, script.
//
//   return page("ridge: net.onnx", tables, kFooter);
#pragma once

#include <string>
#include <string_view>

namespace ridge::report {

/// `title` is escaped; `markup` and `footer` are trusted. The terms (report/kit/terms.h) precede
/// the footer.
std::string page(std::string_view title, std::string_view markup, std::string_view footer);

/// Footer of pages of measurements.
inline constexpr std::string_view kFooter =
    "<footer>Times are measured, roofs are measured, counts follow from the model's shapes. Made "
    "by ridge.</footer>\n";

}  // namespace ridge::report
