// SPDX-License-Identifier: Apache-2.0
// Golden documents: tests/golden/NAME.json is what a command prints for data/schema/NAME.json, so
// that a key which other programs read cannot disappear or change its type unseen.
//
//   EXPECT_EQ(golden_findings("ridge.diff.1.json", printed, Figures::kComputed), Findings());
//
// Two documents are compared by the paths of their keys and the types there, not by values: a time
// or a name may be another one on each run. What stands in an array has one path
// ("layers/[]/name"). null fits every type, and nothing is asked below an array that is empty or an
// object that is null. scripts/approve.sh writes the files; an array keeps its first two elements
// and those with a key or a type that none before has. Of measured documents, each figure is
// written as 1, and what describes the host or names a library as "host" or "library".
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::tests {

enum class Figures : std::uint8_t {
  kComputed,  ///< equal on every run and host
  kMeasured,
};

/// Keys that a printed document lacks, or has of another type, compared with the golden one:
/// "layers/[]: 'name' is missing". With RIDGE_APPROVE in the environment it first becomes the
/// golden one.
std::vector<std::string> golden_findings(const std::string& name, std::string_view printed,
                                         Figures figures);

/// Keys in which two documents differ.
std::vector<std::string> key_findings(const nlohmann::json& golden, const nlohmann::json& printed);

/// The text of the golden document that `printed` would become.
std::string golden_text(std::string_view printed, Figures figures);

}  // namespace ridge::tests
