// Where images have their channels: [N, C, positions...] as ONNX has them, or [N, positions..., C]
// as some fused operators do.
#pragma once

#include <cstdint>

namespace ridge::ops {

enum class Layout : std::uint8_t { kChannelsFirst, kChannelsLast };

}  // namespace ridge::ops
