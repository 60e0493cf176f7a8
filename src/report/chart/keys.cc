// SPDX-License-Identifier: Apache-2.0
#include "report/chart/keys.h"

#include <fmt/format.h>

#include "base/numeral.h"
#include "base/text.h"

namespace ridge::report {

std::string short_duration(double ns) {
  if (ns == 0) return "0";
  std::string out = duration(ns);
  const std::size_t point = out.find('.'), unit = out.find(' ');
  if (point == std::string::npos || unit == std::string::npos) return out;
  std::size_t end = unit;
  while (out[end - 1] == '0') --end;
  if (out[end - 1] == '.') --end;
  return out.erase(end, unit - end);
}

std::string count_text(std::int64_t count) { return significant(static_cast<double>(count), 1); }

std::string color_keys(const std::vector<NamedColor>& keys) {
  if (keys.empty()) return "";
  std::string out = "<p class=\"keys\">";
  for (const NamedColor& k : keys)
    out += fmt::format("<span><span class=\"key\" style=\"color:{}\"></span>{}</span>", k.color,
                       html_escape(k.name));
  return out + "</p>\n";
}

}  // namespace ridge::report
