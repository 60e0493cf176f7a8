// The names that TensorRT gives to layers, taken apart.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "import/recorded.h"

namespace ridge::imports {

/// "conv1 + relu1" -> parts conv1, relu1; "{ForeignNode[a...b]}" -> the region from a to b;
/// "PWN(PWN(sigmoid), mul)" -> sigmoid, mul; "a || b" (run side by side) -> a, b; " [profile 1]"
/// behind it is left out. What TensorRT puts in (reshapes before and after a node) is no part.
/// False, and nothing: longer than kLongestName bytes, or lists in lists deeper than kDeepestName,
/// each of which takes another look at the whole.
bool split_name(std::string_view name, std::vector<std::string>& parts,
                std::vector<RecordedRegion>& regions);

inline constexpr std::size_t kLongestName = 4 << 10;
inline constexpr int kDeepestName = 16;

/// Says how many names split_name refused.
void note_unsplit(std::int64_t names, std::vector<std::string>& notes);

/// The engine inspector's "Metadata": "[ONNX Layer: a | f (F)]\x1f[ONNX Layer: b]" -> a, b.
std::vector<std::string> metadata_nodes(std::string_view metadata);

}  // namespace ridge::imports
