// SPDX-License-Identifier: Apache-2.0
// Position of the channel axis of images: [N, C, positions...] as in ONNX, or [N, positions..., C]
// as in some fused operators.
#pragma once

#include <cstdint>

namespace ridge::ops {

enum class Layout : std::uint8_t { kChannelsFirst, kChannelsLast };

}  // namespace ridge::ops
