// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/pages/frame.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "lab/serve/service.h"

namespace ridge::lab::serve {

// Generated from web/serve.css and web/serve.js by cmake/embed.cmake.
extern const std::string_view kServeStyle;
extern const std::string_view kServeScript;

namespace {

constexpr std::pair<std::string_view, std::string_view> kPages[] = {{"/", "runs"},
                                                                    {"/evaluations", "evaluations"},
                                                                    {"/experiments", "experiments"},
                                                                    {"/grid", "models by machines"},
                                                                    {"/hosts", "machines"},
                                                                    {"/models", "models"},
                                                                    {"/jobs", "measure"},
                                                                    {"/try", "try"}};

std::string navigation(std::string_view here) {
  std::string out = "<nav aria-label=\"pages\"><b>ridge</b>";
  for (const auto& [place, name] : kPages)
    out += fmt::format("<a href=\"{}\"{}>{}</a>", place,
                       name == here ? " aria-current=\"page\"" : "", name);
  return out + "</nav>\n";
}

}  // namespace

Answer page_answer(std::string_view here, const report::PageContent& content, unsigned status) {
  return Answer::html(
      report::served_page(content, navigation(here),
                          {.style = "/style.css", .scripts = {"/report.js", "/serve.js"}}),
      status);
}

Answer error_page(const Error& error, unsigned status) {
  std::string markup = fmt::format("<h1>{}</h1>\n", html_escape(error.message()));
  for (const std::string* text : {&error.where(), &error.evidence(), &error.hint()})
    if (!text->empty()) markup += fmt::format("<p class=\"sub\">{}</p>\n", html_escape(*text));
  markup += fmt::format("<p><code>{}</code></p>\n", html_escape(error.code()));
  return page_answer("", {"ridge: " + error.message(), std::move(markup), kServedFooter}, status);
}

Result<Answer> style_sheet(Service&, const Call&) {
  Answer out;
  out.body = std::string(report::page_style()) + std::string(kServeStyle);
  return out;
}

Result<Answer> report_script(Service&, const Call&) {
  Answer out;
  out.body = report::page_script();
  return out;
}

Result<Answer> page_script(Service&, const Call&) {
  Answer out;
  out.body = kServeScript;
  return out;
}

}  // namespace ridge::lab::serve
