// SPDX-License-Identifier: Apache-2.0
#include "advice/kernel_change.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace ridge::advice {
namespace {

/// Kinds that are named; of more, only the number of kernels.
constexpr std::size_t kNamed = 4;

/// Example: "3 Exp, 2 Neg". `sorted`: equal ones are neighbors.
std::string list(const std::vector<std::string>& sorted) {
  std::vector<std::pair<std::size_t, std::string>> kinds;
  for (const std::string& text : sorted) {
    if (kinds.empty() || kinds.back().second != text) kinds.emplace_back(0, text);
    ++kinds.back().first;
  }
  std::ranges::stable_sort(kinds, std::ranges::greater{}, [](const auto& k) { return k.first; });
  std::vector<std::string> texts;
  std::size_t rest = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (i < kNamed)
      texts.push_back(fmt::format("{} {}", kinds[i].first, kinds[i].second));
    else
      rest += kinds[i].first;
  }
  if (rest > 0) texts.push_back(fmt::format("{} others", rest));
  return fmt::format("{}", fmt::join(texts, ", "));
}

constexpr std::array<std::string_view, 5> kViews = {"Flatten", "Identity", "Reshape", "Squeeze",
                                                    "Unsqueeze"};

/// Kernels that compute. A text begins with the operator: "Reshape of 2 inputs".
std::int64_t working(const std::vector<std::string>& kernels) {
  return std::ranges::count_if(kernels, [](std::string_view text) {
    const std::string_view op = text.substr(0, text.find(' '));
    return op.find("Reorder") == op.npos && std::ranges::find(kViews, op) == kViews.end();
  });
}

}  // namespace

std::string kernel_change(std::vector<std::string> before, std::vector<std::string> after) {
  std::ranges::sort(before);
  std::ranges::sort(after);
  std::vector<std::string> less, more;
  std::ranges::set_difference(before, after, std::back_inserter(less));
  std::ranges::set_difference(after, before, std::back_inserter(more));
  if (less.empty() && more.empty()) return {};
  if (more.empty()) return list(less) + (less.size() == 1 ? " is gone" : " are gone");
  if (less.empty()) return list(more) + (more.size() == 1 ? " is added" : " are added");
  return fmt::format("{} {} instead of {}", list(more), more.size() == 1 ? "runs" : "run",
                     list(less));
}

std::int64_t more_kernels(const std::vector<std::string>& before,
                          const std::vector<std::string>& after) {
  return working(after) - working(before);
}

}  // namespace ridge::advice
