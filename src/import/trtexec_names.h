// SPDX-License-Identifier: Apache-2.0
// Parses the layer names of TensorRT.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "import/recorded.h"

namespace ridge::imports {

/// Splits a layer name into node names. "conv1 + relu1" -> parts conv1, relu1;
/// "{ForeignNode[a...b]}" -> the region from a to b; "PWN(PWN(sigmoid), mul)" -> sigmoid, mul; "a
/// || b" (run side by side) -> a, b. A trailing " [profile 1]" is dropped, and so are parts that
/// TensorRT inserted (reshapes before and after a node). Returns false and no parts if the name is
/// longer than kLongestName bytes or nests lists deeper than kDeepestName, each level of which
/// rescans the text.
bool split_name(std::string_view name, std::vector<std::string>& parts,
                std::vector<RecordedRegion>& regions);

inline constexpr std::size_t kLongestName = 4 << 10;
inline constexpr int kDeepestName = 16;

/// Adds a note with the number of names that split_name refused.
void note_unsplit(std::int64_t names, std::vector<std::string>& notes);

/// Parses the engine inspector's "Metadata": "[ONNX Layer: a | f (F)]\x1f[ONNX Layer: b]" -> a, b.
std::vector<std::string> metadata_nodes(std::string_view metadata);

}  // namespace ridge::imports
