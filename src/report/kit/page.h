// SPDX-License-Identifier: Apache-2.0
// Complete HTML page of a report: style, content, the terms that its legends link to, script.
//
//   return page("ridge: net.onnx", tables, kFooter);
//   return served_page(content, kNavigation, {.style = "/style.css", .scripts = {"/page.js"}});
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge::report {

/// Content of a page. `title` is escaped; `markup` and `footer` are trusted. The terms
/// (report/kit/terms.h) precede the footer.
struct PageContent {
  std::string title, markup;
  std::string_view footer;
};

std::string page(std::string_view title, std::string_view markup, std::string_view footer);
inline std::string page(const PageContent& content) {
  return page(content.title, content.markup, content.footer);
}

/// Addresses of what a page of a server has apart from itself.
struct PageAssets {
  std::string_view style;
  std::vector<std::string_view> scripts;  ///< in their order
};
/// A page without style and scripts of its own. `above`: trusted markup before the content.
std::string served_page(const PageContent& content, std::string_view above,
                        const PageAssets& assets);

/// Style and script that page() has in it.
std::string_view page_style();
std::string_view page_script();

/// Footer of pages of measurements.
inline constexpr std::string_view kFooter =
    "<footer>Times are measured, roofs are measured, counts follow from the model's shapes. Made "
    "by ridge.</footer>\n";

}  // namespace ridge::report
