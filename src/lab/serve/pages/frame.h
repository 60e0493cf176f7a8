// SPDX-License-Identifier: Apache-2.0
// What all pages of the server have around their content.
//
//   return page_answer("runs", {"ridge: runs", markup, kServedFooter});
//
// Thread rule: pure.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "lab/serve/exchange.h"
#include "report/kit/page.h"

namespace ridge::lab::serve {

inline constexpr std::string_view kServedFooter =
    "<footer>From the run database that ridge serve was given.</footer>\n";

/// `here`: the page of the navigation that this is or belongs to.
Answer page_answer(std::string_view here, const report::PageContent& content,
                   unsigned status = kOk);

Answer error_page(const Error& error, unsigned status);

}  // namespace ridge::lab::serve
