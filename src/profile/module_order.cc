// SPDX-License-Identifier: Apache-2.0
#include "profile/module_order.h"

#include <algorithm>

#include "base/number.h"

namespace ridge::profile {
namespace {

/// Returns the leading digits of `text`, without leading zeros.
std::string_view number(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  const std::string_view digits = text.substr(0, end);
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

}  // namespace

bool ModuleOrder::operator()(std::string_view left, std::string_view right) const {
  std::string_view a = left, b = right;
  while (!a.empty() && !b.empty()) {
    if (is_digit(a[0]) && is_digit(b[0])) {
      const std::string_view x = number(a), y = number(b);
      if (x != y) return x.size() != y.size() ? x.size() < y.size() : x < y;
      a.remove_prefix(std::min(a.find_first_not_of("0123456789"), a.size()));
      b.remove_prefix(std::min(b.find_first_not_of("0123456789"), b.size()));
      continue;
    }
    if (a[0] != b[0]) return a[0] == '/' || (b[0] != '/' && a[0] < b[0]);
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  // layer.1 and layer.01 are distinct modules.
  return a.empty() && b.empty() ? left < right : a.empty();
}

}  // namespace ridge::profile
