// SPDX-License-Identifier: Apache-2.0
#include "report/kit/page.h"

#include <fmt/format.h>

#include "base/text.h"
#include "report/kit/terms.h"

namespace ridge::report {

// Generated from web/report.css and web/report.js by cmake/embed.cmake.
extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;

std::string page(std::string_view title, std::string_view markup, std::string_view footer) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n"
      "<body>\n<main>\n{}{}{}</main>\n<script>\n{}</script>\n</body>\n</html>\n",
      html_escape(title), kPageStyle, markup, terms_section(markup), footer, kPageScript);
}

std::string served_page(const PageContent& content, std::string_view above,
                        const PageAssets& assets) {
  std::string scripts;
  for (const std::string_view script : assets.scripts)
    scripts += fmt::format("<script src=\"{}\" defer></script>\n", script);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>{}</title>\n<link "
      "rel=\"stylesheet\" href=\"{}\">\n{}</head>\n<body>\n{}<main>\n{}{}{}</main>\n</body>\n"
      "</html>\n",
      html_escape(content.title), assets.style, scripts, above, content.markup,
      terms_section(content.markup), content.footer);
}

std::string_view page_style() { return kPageStyle; }
std::string_view page_script() { return kPageScript; }

}  // namespace ridge::report
