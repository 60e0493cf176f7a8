// SPDX-License-Identifier: Apache-2.0
#include "report/bricks/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "export/analysis/figure_text.h"
#include "report/kit/markup.h"

namespace ridge::report {
namespace {

/// Length of the prefix, up to a slash or colon, that all names have in common and that none
/// consists of.
std::size_t common_prefix(const bricks::Plan& plan) {
  if (plan.models.size() < 2) return 0;
  const std::string& first = plan.models[0].name;
  std::size_t common = first.size();
  for (const bricks::PlannedModel& m : plan.models) {
    const auto [own, other] = std::ranges::mismatch(first, m.name);
    common = std::min(common, static_cast<std::size_t>(own - first.begin()));
  }
  const std::size_t last = first.substr(0, common).find_last_of("/:");
  const std::size_t length = last == std::string::npos ? 0 : last + 1;
  const bool whole = std::ranges::any_of(
      plan.models, [&](const bricks::PlannedModel& m) { return m.name.size() == length; });
  return whole ? 0 : length;
}

}  // namespace

BricksView::BricksView(const BricksPage& page)
    : BricksPage(page), sharing(bricks::sharing_of(*page.plan)) {
  const std::size_t prefix = common_prefix(*plan);
  for (const bricks::PlannedModel& m : plan->models)
    names.push_back(printable(std::string_view(m.name).substr(prefix)));
}

std::string half_width_cell(double relative) {
  if (!std::isfinite(relative)) return number_cell(std::nullopt, "?");
  return number_cell(relative, "±" + exports::percent_text(relative));
}

std::string parts_bar(const std::vector<BarPart>& parts) {
  std::string out = "<span class=\"stack\">";
  for (const BarPart& part : parts)
    if (part.share > 0)
      out += fmt::format("<i class=\"{}\" style=\"width:{:.3f}%\" title=\"{}\"></i>", part.css,
                         100 * part.share, html_escape(part.title));
  return out + "</span>";
}

}  // namespace ridge::report
