// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "report/bricks/sections.h"
#include "report/chart/keys.h"
#include "report/kit/markup.h"
#include "report/kit/terms.h"

namespace ridge::report {

std::string estimates_section(const BricksView& view) {
  if (view.estimates.empty()) return "";
  std::string rows;
  for (const bricks::ModelProgress& m : view.estimates) {
    const bool known = std::isfinite(m.estimate.value);
    rows += "<tr>" + text_cell(printable(m.name)) +
            number_cell(known ? std::optional(m.estimate.value) : std::nullopt,
                        known ? duration(m.estimate.value) : "?") +
            half_width_cell(bricks::relative_half_width(m.estimate)) +
            half_width_cell(m.half_width) +
            number_cell(static_cast<double>(m.unmeasured), std::to_string(m.unmeasured)) +
            fmt::format("<td>{}</td></tr>\n", m.reached ? "yes" : "no");
  }
  std::string sub =
      "Sum of the times of the pieces and of the time outside kernels; nodes left over "
      "are not part of it. ± is half of the 95 % interval; more processes narrow only the part "
      "that the measurement adds.";
  if (view.times != nullptr && view.times->processes() > 0) {
    sub += fmt::format(" {} runs of bricks in {}",
                       count_text(static_cast<std::int64_t>(view.times->runs())),
                       counted(static_cast<std::int64_t>(view.times->processes()), "process"));
    sub += view.times->disturbed() > 0
               ? fmt::format("; {} dropped, because other programs used the processor.",
                             count_text(static_cast<std::int64_t>(view.times->disturbed())))
               : std::string(".");
  }
  return section("Estimates", "<p class=\"sub\">" + html_escape(sub) + "</p>\n" +
                                  legend({"piece", "brick", "left over"}) +
                                  "<div class=\"scroll\"><table class=\"sortable packed\" "
                                  "id=\"estimates\"><thead><tr>" +
                                  column("model", false) + column("estimate", true) +
                                  column("±", true) + column("of it measuring", true) +
                                  column("bricks not measured", true) +
                                  column("width reached", false) + "</tr></thead><tbody>\n" + rows +
                                  "</tbody></table></div>\n");
}

}  // namespace ridge::report
