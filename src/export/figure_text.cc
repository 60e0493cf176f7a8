#include "export/figure_text.h"

#include <fmt/format.h>

#include "base/text.h"

namespace ridge::exports {

using analysis::Resolved;

std::string dims_text(const Resolved& r, const ops::Type& type) {
  if (!type.shape.ranked()) return "of unknown rank";
  std::string text;
  for (const ops::Dim& d : type.shape.span()) text += (text.empty() ? "" : ", ") + r.dims().text(d);
  return "[" + text + "]";
}

std::string readable(const Resolved& r, ops::Dim d, std::string_view unit) {
  if (d.known())
    return si(static_cast<double>(d.value())) + (unit.empty()       ? ""
                                                 : d.value() < 1000 ? fmt::format(" {}", unit)
                                                                    : std::string(unit));
  return r.dims().text(d);
}

std::string readable_or_dash(std::int64_t value) {
  return value == 0 ? "-" : si(static_cast<double>(value));
}

std::string readable_or_dash(const Resolved& r, ops::Dim d) {
  return d.is(0) ? "-" : readable(r, d);
}

std::string share(ops::Dim part, ops::Dim whole) {
  if (!part.known() || part.is(0) || !whole.known() || whole.is(0)) return "-";
  return fmt::format(
      "{:.1f} %", 100.0 * static_cast<double>(part.value()) / static_cast<double>(whole.value()));
}

std::string plain(const Resolved& r, ops::Dim d) { return d.unknown() ? "" : r.dims().text(d); }

}  // namespace ridge::exports
