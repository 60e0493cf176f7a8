// What the columns of a comparison are called, in the fewest words that tell them apart.
//
//   ort, openvino            where only the runtime differs
//   1 thread, 2 threads      where only that does
//   batch=1 ort, ...         where several do
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace ridge::compare {

/// What one run was, in the words of the table of columns.
struct RunFacts {
  std::string runtime;                             ///< "ONNX Runtime 1.31.1"
  std::string sizes;                               ///< "batch=8, sequence=128"
  std::string threads;                             ///< "2 threads"; "" where it is not said
  std::string options;                             ///< the others: "optimization=all, pinned=0"
  std::string model;                               ///< its path
  std::string machine;                             ///< profile::machine_name
  std::map<std::string, std::string> values = {};  ///< of those options, by name
};

RunFacts facts_of(const profile::Profile& profile);

/// Leaves in each run's `options` those that differ; those that all share, in the same words.
std::string take_shared_options(std::span<RunFacts> facts);

/// One fact of all runs, under its title.
struct FactColumn {
  std::string title;
  std::vector<std::string> texts;  ///< by run
};
/// Facts that all runs share, and those that differ; of options each.
struct FactsApart {
  std::vector<FactColumn> shared, differing;
};
FactsApart part_facts(std::vector<RunFacts> facts);

/// The facts that all runs share, as texts in the order of their titles; empty facts and the fact
/// titled `without` are left out.
std::vector<std::string> shared_texts(std::vector<RunFacts> facts, std::string_view without = "");

/// By run; numbered where nothing tells two apart.
std::vector<std::string> distinguishing_labels(std::span<const RunFacts> facts);

/// The same where every label is one run's alone and has at most `longest` bytes; else the first
/// fact of which that holds, by itself; else nothing.
std::vector<std::string> brief_labels(std::span<const RunFacts> facts, std::size_t longest);

}  // namespace ridge::compare
