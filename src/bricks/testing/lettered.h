// SPDX-License-Identifier: Apache-2.0
// Plans from words, without a runtime: each letter is a piece, equal letters are one brick.
//
//   const Plan plan = lettered({"xyy", "yzzz"});   // models m0 and m1 of 3 and 4 pieces; 3 bricks
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bricks/plan.h"

namespace ridge::bricks::testing {

/// The letter's place in the alphabet.
inline std::int64_t macs_of(char letter) { return letter - 'a' + 1; }

/// Bricks have macs_of() MACs, their letter as key and the file "x.onnx". Nodes are numbered in the
/// order of the letters.
inline Plan lettered(const std::vector<std::string>& words) {
  Plan plan;
  std::map<char, std::size_t> bricks;
  for (std::size_t m = 0; m < words.size(); ++m) {
    PlannedModel model{.name = "m" + std::to_string(m)};
    const std::size_t before = plan.bricks.size();
    for (std::uint32_t node = 0; node < words[m].size(); ++node) {
      const char letter = words[m][node];
      const auto [at, added] = bricks.emplace(letter, plan.bricks.size());
      if (added) {
        const std::string key(1, letter);
        plan.bricks.push_back(
            {.key = key, .file = key + ".onnx", .macs = macs_of(letter), .kernels = {"Conv"}});
      }
      plan.bricks[at->second].occurrences.push_back({model.name, {node}});
      model.macs += macs_of(letter);
    }
    model.bricks = static_cast<std::uint32_t>(words[m].size());
    model.unique =
        static_cast<std::uint32_t>(std::set<char>(words[m].begin(), words[m].end()).size());
    model.added = static_cast<std::uint32_t>(plan.bricks.size() - before);
    plan.models.push_back(std::move(model));
  }
  return plan;
}

}  // namespace ridge::bricks::testing
