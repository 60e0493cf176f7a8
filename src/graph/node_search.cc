// SPDX-License-Identifier: Apache-2.0
#include "graph/node_search.h"

#include <algorithm>

#include "base/suggest.h"

namespace ridge::graph {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool has_part(std::string_view name, std::string_view part) {
  return !std::ranges::search(name, part, {}, lower, lower).empty();
}

std::string lowered(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), lower);
  return out;
}

/// Last component of a path: "/fc/MatMul" -> "MatMul".
std::string_view last_step(std::string_view path) { return path.substr(path.rfind('/') + 1); }

template <typename Matches>
Found gather(std::span<const SearchName> names, Found::By by, Matches matches) {
  Found out{.by = by, .numbers = {}};
  for (const SearchName& n : names)
    if (matches(n.name)) out.numbers.push_back(n.number);
  std::ranges::sort(out.numbers);
  const auto repeated = std::ranges::unique(out.numbers);
  out.numbers.erase(repeated.begin(), repeated.end());
  if (out.numbers.empty()) out.by = Found::By::kNothing;
  return out;
}

}  // namespace

Found search_whole(std::string_view text, std::span<const SearchName> names) {
  if (text.empty()) return {};
  return gather(names, Found::By::kName, [&](std::string_view name) { return name == text; });
}

Found search(std::string_view text, std::span<const SearchName> names) {
  Found whole = search_whole(text, names);
  if (text.empty() || !whole.numbers.empty()) return whole;
  return gather(names, Found::By::kPart,
                [&](std::string_view name) { return has_part(name, text); });
}

std::vector<std::string> near(std::string_view text, std::span<const SearchName> names) {
  constexpr std::size_t kMax = 8;
  std::vector<std::string> whole, steps;
  for (const SearchName& n : names)
    if (!n.name.empty()) whole.emplace_back(n.name);
  std::vector<std::string> out = near_names(text, whole, kMax);
  for (const std::string& name : whole) steps.push_back(lowered(last_step(name)));
  const std::vector<std::string> near_steps = near_names(lowered(last_step(text)), steps, 1);
  for (std::size_t i = 0; i < whole.size() && out.size() < kMax; ++i)
    if (!near_steps.empty() && steps[i] == near_steps[0] &&
        std::ranges::find(out, whole[i]) == out.end())
      out.push_back(whole[i]);
  return out;
}

}  // namespace ridge::graph
