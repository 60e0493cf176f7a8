// SPDX-License-Identifier: Apache-2.0
// Column labels of a comparison, as short as possible while distinct.
//
//   ort, openvino            if only the runtime differs
//   1 thread, 2 threads      if only the thread count differs
//   batch=1 ort, ...         if several facts differ
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace ridge::compare {

/// Facts about one run, as the table of columns prints them.
struct RunFacts {
  std::string runtime;                             ///< "ONNX Runtime 1.31.1"
  std::string sizes;                               ///< "batch=8, sequence=128"
  std::string threads;                             ///< "2 threads"; "" if unknown
  std::string options;                             ///< other options: "optimization=all, pinned=0"
  std::string model;                               ///< its path
  std::string machine;                             ///< profile::machine_name
  std::map<std::string, std::string> values = {};  ///< the options of `options`, by name
};

RunFacts facts_of(const profile::Profile& profile);

/// True if both runs name their machines, and the names differ.
bool on_different_machines(const profile::Profile& a, const profile::Profile& b);

/// Removes the options that all runs share from each run's `options` and returns them as text.
std::string take_shared_options(std::span<RunFacts> facts);

/// One fact of all runs, with its title.
struct FactColumn {
  std::string title;
  std::vector<std::string> texts;  ///< by run
};
/// Facts that all runs share, and facts that differ; options are split the same way.
struct FactsApart {
  std::vector<FactColumn> shared, differing;
};
FactsApart part_facts(std::vector<RunFacts> facts);

/// Texts of the facts that all runs share, in the order of their titles; empty facts and the fact
/// titled `without` are omitted.
std::vector<std::string> shared_texts(std::vector<RunFacts> facts, std::string_view without = "");

/// Labels by run; duplicates get a number.
std::vector<std::string> distinguishing_labels(std::span<const RunFacts> facts);

/// Like distinguishing_labels() if all labels are distinct and nonempty and have at most `longest`
/// bytes; else the first single fact for which that holds; else empty.
std::vector<std::string> brief_labels(std::span<const RunFacts> facts, std::size_t longest);

}  // namespace ridge::compare
