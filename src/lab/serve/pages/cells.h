// SPDX-License-Identifier: Apache-2.0
// Cells of the tables of pages, beside those of report/kit/markup.h.
//
//   rows += "<tr>" + count_cell(host.runs) + date_cell(host.last_s);
//
// Thread rule: pure.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/date_text.h"
#include "report/kit/markup.h"

namespace ridge::lab::serve {

inline std::string count_cell(std::int64_t n) {
  return report::number_cell(static_cast<double>(n), fmt::format("{}", n));
}

/// Number of a result or experiment, as a link to its page below `folder`.
inline std::string link_cell(std::string_view folder, std::int64_t id) {
  return fmt::format("<td class=\"n\" data-v=\"{0}\"><a href=\"/{1}/{0}\">{0}</a></td>", id,
                     folder);
}

/// `text` of a time, sorted by its seconds since 1970 (UTC).
inline std::string date_cell(std::int64_t seconds, std::string_view text) {
  return fmt::format("<td class=\"date\" data-v=\"{}\">{}</td>", seconds, text);
}
inline std::string date_cell(std::int64_t seconds) {
  return date_cell(seconds, date_text(seconds));
}

}  // namespace ridge::lab::serve
