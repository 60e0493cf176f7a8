#include "advice/kernel_change.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

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

}  // namespace ridge::advice
