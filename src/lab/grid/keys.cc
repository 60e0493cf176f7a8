// SPDX-License-Identifier: Apache-2.0
#include "lab/grid/keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "base/list.h"
#include "base/number.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/trim.h"

namespace ridge::lab {
namespace {

Error unknown_key(std::string_view word, std::string_view flag) {
  const std::vector<std::string> all = words<Key>();
  const std::vector<std::string> near = near_names(word, all);
  return usage_error("RIDGE-GRID-0001", fmt::format("{}: unknown key '{}'", flag, printable(word)))
      .hint(near.empty() ? fmt::format("keys: {}", fmt::join(all, ", "))
                         : fmt::format("did you mean '{}'?", near[0]));
}

/// Kind of a value, then the value.
std::tuple<int, std::int64_t, std::string_view> order_of(const std::string& value) {
  if (value == kNotKnown) return {2, 0, value};
  if (const auto number = whole_number(value)) return {0, *number, value};
  return {1, 0, value};
}

}  // namespace

Result<std::vector<Key>> read_keys(std::string_view list, std::string_view flag) {
  std::vector<Key> out;
  for (const std::string_view part : split(list)) {
    const std::string_view word = trimmed(part);
    const auto key = find_word<Key>(word);
    if (!key) return unknown_key(word, flag);
    if (std::ranges::find(out, *key) != out.end())
      return usage_error("RIDGE-GRID-0002", fmt::format("{}: '{}' stands there twice", flag, word))
          .hint("name each key once");
    out.push_back(*key);
  }
  return out;
}

std::vector<std::string> values_of(const KeyFacts& facts, const std::vector<Key>& keys) {
  std::vector<std::string> out;
  for (const Key key : keys) out.push_back(fact(facts, key));
  return out;
}

std::string name_of(const std::vector<std::string>& values) {
  return fmt::format("{}", fmt::join(values, ", "));
}

bool values_before(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::lexicographical_compare(
      a, b, [](const std::string& x, const std::string& y) { return order_of(x) < order_of(y); });
}

}  // namespace ridge::lab
