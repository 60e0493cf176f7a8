// What the columns of a comparison are called, in the fewest words that tell them apart.
//
//   ort, openvino            where only the runtime differs
//   1 thread, 2 threads      where only that does
//   batch=1 ort, ...         where several do
#pragma once

#include <span>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace ridge::compare {

/// What one run was, in the words of the table of columns.
struct RunFacts {
  std::string runtime;  ///< "ONNX Runtime 1.31.1"
  std::string sizes;    ///< "batch=8, sequence=128"
  std::string threads;  ///< "2 threads"; "" where it is not said
  std::string options;  ///< the others: "optimization=all, pinned=0"
  std::string model;    ///< its path
  std::string machine;  ///< profile::machine_name
};

RunFacts facts_of(const profile::Profile& profile);

/// By run; numbered where nothing tells two apart.
std::vector<std::string> distinguishing_labels(std::span<const RunFacts> facts);

}  // namespace ridge::compare
