// SPDX-License-Identifier: Apache-2.0
#include "advice/outputs/further_sizes.h"

#include <algorithm>
#include <array>
#include <set>

#include "profile/sweep.h"
#include "rewrite/rule.h"

namespace ridge::advice {
namespace {

constexpr std::size_t kTrials = 7;  // of each size

/// Small sizes are mostly batches; of large ones, factors that leave many powers of 2.
std::array<std::int64_t, kTrials> others(std::int64_t bound) {
  if (bound <= 8)
    return {bound + 1, bound + 2, 2 * bound + 3, 4 * bound, bound + 7, 8 * bound, 16 * bound};
  return {bound / 2, bound * 3 / 4, bound * 2, bound * 6 / 7, bound * 8 / 7, bound - 1, bound + 1};
}

}  // namespace

std::vector<std::string> free_sizes(const analysis::Resolved& resolved) {
  const std::optional<analysis::Resolved> free = rewrite::for_any_size(resolved);
  std::set<std::string> names;
  if (!free) return {};
  for (const graph::ValueId v : free->model().main().inputs)
    for (const ops::Dim d : free->type(v).shape.span())
      for (std::string& name : free->dims().symbols(d))
        if (resolved.bindings().contains(name)) names.insert(std::move(name));
  return {names.begin(), names.end()};
}

std::vector<SizeTrial> trials(const analysis::Resolved& resolved,
                              const std::vector<std::string>& free) {
  analysis::BoundSizes bound;
  for (const std::string& name : free) bound.emplace(name, resolved.bindings().at(name));
  std::vector<SizeTrial> out;
  for (std::size_t i = 0; i < kTrials; ++i) {
    SizeTrial all{bound, free};
    for (auto& [name, size] : all.sizes) size.value = others(size.value)[i];
    out.push_back(std::move(all));
  }
  if (free.size() < 2) return out;
  for (std::size_t i = 0; i < kTrials; ++i)
    for (const std::string& name : free) {
      SizeTrial one{bound, {name}};
      one.sizes[name].value = others(one.sizes[name].value)[i];
      out.push_back(std::move(one));
    }
  return out;
}

std::string sizes_text(const analysis::BoundSizes& sizes) {
  return sizes.empty() ? "as declared" : profile::sizes_text(sizes);
}

}  // namespace ridge::advice
