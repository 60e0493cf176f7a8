// SPDX-License-Identifier: Apache-2.0
#include "import/ort_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace ridge::imports {
namespace {

constexpr std::uint32_t kNoRow = 0xffffffff;
constexpr int kDeepestArgs = 8;  // nameless nodes in bodies of each other

}  // namespace

std::vector<std::uint32_t> rows_around(std::span<const OrtRow> rows, RowNesting nesting) {
  std::vector<std::uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto rank = [&](std::uint32_t i) {
    const profile::OrtInterval& at = rows[i].interval;
    return std::pair(at.start_us + at.duration_us + (at.holds_events ? 1 : 0), -at.start_us);
  };
  if (!nesting.in_order) std::ranges::stable_sort(order, {}, rank);
  std::vector<profile::OrtInterval> intervals;
  for (const std::uint32_t i : order) {
    intervals.push_back(rows[i].interval);
    intervals.back().holds_events |= nesting.sessions && rows[i].session;
  }
  const std::vector<std::uint32_t> found = profile::enclosing(intervals);
  std::vector<std::uint32_t> out(rows.size(), profile::kNotEnclosed);
  for (std::size_t i = 0; i < order.size(); ++i)
    if (found[i] != profile::kNotEnclosed) out[order[i]] = order[found[i]];
  return out;
}

std::vector<NamelessName> nameless_names(std::span<const OrtNameless> kernels,
                                         std::span<const OrtRow> rows, const OrtRuns& runs,
                                         bool in_order) {
  std::vector<NamelessName> out(kernels.size());
  if (kernels.empty()) return out;
  const std::vector<std::uint32_t> scope = rows_around(rows, {true, in_order}),
                                   owner = rows_around(rows, {false, in_order});
  std::map<std::tuple<std::uint32_t, std::size_t, std::string_view>, std::size_t> seen;
  std::unordered_map<std::size_t, std::uint32_t> kernel_of;  // by row
  for (std::uint32_t i = 0; i < kernels.size(); ++i) {
    const std::size_t row = kernels[i].row;
    kernel_of.emplace(row, i);
    const OrtRun* run = runs.of(rows[row].interval);
    out[i].ordinal =
        seen[{scope[row], run == nullptr ? SIZE_MAX : run->index, kernels[i].op_type}]++;
    out[i].in_body = owner[row] != profile::kNotEnclosed;
  }
  const auto owner_of = [&](std::uint32_t i) {
    const auto at = kernel_of.find(owner[kernels[i].row]);
    return at == kernel_of.end() ? kNoRow : at->second;
  };
  for (std::uint32_t i = 0; i < kernels.size(); ++i) {
    std::uint32_t at = i;
    for (int depth = 0; at != kNoRow && depth < kDeepestArgs; ++depth, at = owner_of(at))
      out[i].text += fmt::format("{}nameless {} {}", depth == 0 ? "" : " in ", kernels[at].op_type,
                                 out[at].ordinal + 1);
  }
  return out;
}

}  // namespace ridge::imports
