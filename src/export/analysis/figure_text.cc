// SPDX-License-Identifier: Apache-2.0
#include "export/analysis/figure_text.h"

#include <fmt/format.h>

#include "base/percent.h"
#include "base/text.h"

namespace ridge::exports {

using analysis::Resolved;

std::string file_name(const Resolved& r) {
  const std::string& path = r.model().document().path;
  return path.substr(path.rfind('/') + 1);
}

std::string readable(std::int64_t value, std::string_view unit) {
  return fmt::format("{}{}{}", si(static_cast<double>(value)),
                     !unit.empty() && value < 1000 ? " " : "", unit);
}

std::string readable(const Resolved& r, ops::Dim d, std::string_view unit) {
  return d.known() ? readable(d.value(), unit) : r.dims().text(d);
}

std::string readable_or_dash(std::int64_t value) { return value == 0 ? "-" : readable(value); }

std::string sum_text(const Resolved& r, ops::Dim sum, bool incomplete, std::string_view unit) {
  if (!incomplete) return readable(r, sum, unit);
  return sum.is(0) || sum.unknown() ? "?" : ">= " + readable(r, sum, unit);
}

std::string sum_or_dash(const Resolved& r, ops::Dim sum, bool incomplete) {
  if (incomplete) return sum_text(r, sum, true);
  return sum.is(0) ? "-" : readable(r, sum);
}

std::string plain_sum(const Resolved& r, ops::Dim sum, bool incomplete) {
  return incomplete ? "" : plain(r, sum);
}

std::string convention_title(const analysis::ConventionCount& count) {
  return fmt::format("{} {}", count.convention->name, count.convention->unit);
}

std::string count_text(std::optional<std::int64_t> count) { return count ? readable(*count) : "?"; }

std::string giga_text(std::optional<double> per_second) {
  return per_second ? fmt::format("{:.1f}", *per_second / 1e9) : "?";
}

std::string percent_text(double share) { return percent(share); }

std::string share(ops::Dim part, ops::Dim whole) {
  if (!part.known() || part.is(0) || !whole.known() || whole.is(0)) return "-";
  return fmt::format(
      "{:.1f} %", 100.0 * static_cast<double>(part.value()) / static_cast<double>(whole.value()));
}

std::string plain(const Resolved& r, ops::Dim d) { return d.unknown() ? "" : r.dims().text(d); }

}  // namespace ridge::exports
