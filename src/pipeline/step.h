// SPDX-License-Identifier: Apache-2.0
// Steps of a pipeline from a file to the inputs of a model, as plain data. The arithmetic of each
// is stated where it is computed:
//
//   Decode           pipeline/decode.h      first, and only there
//   ReverseChannels  pipeline/color.h
//   Resize           pipeline/size.h, then resize_pillow.h, resize_opencv.h or resize_float.h
//   Crop, Pad        pipeline/crop.h
//   Cast, Compute, Normalize   pipeline/normalize.h
//   Arrange          pipeline/layout.h      last, and only there; without it the result is HWC
//   ByteWindow       text/byte_window.h     the only step, from a text
//   Tokens           text/tokenizer.h       the only step, from a text
//
// Values are 8-bit until a step computes with them (Cast, Compute, Normalize, a float resize); the
// resizers of Pillow take 8-bit images alone, OpenCV's linear and nearest both (opencv_float.h).
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "pipeline/crop.h"
#include "pipeline/decode.h"
#include "pipeline/layout.h"
#include "pipeline/normalize.h"
#include "pipeline/resize_float.h"
#include "pipeline/resize_opencv.h"
#include "pipeline/resize_pillow.h"
#include "pipeline/size.h"
#include "text/byte_window.h"
#include "text/token_step.h"

namespace ridge::pipeline {

struct ReverseChannels {
  bool operator==(const ReverseChannels&) const = default;
};

struct PillowResize {
  PillowFilter filter = PillowFilter::kBilinear;
  PillowRelease release = PillowRelease::kSince13;

  bool operator==(const PillowResize&) const = default;
};

struct OpencvResize {
  OpencvFilter filter = OpencvFilter::kLinear;

  bool operator==(const OpencvResize&) const = default;
};

struct Resize {
  Target target;
  std::variant<PillowResize, OpencvResize, FloatResize> by;

  bool operator==(const Resize&) const = default;
};

enum class ElementType : std::uint8_t { kUint8, kFloat32 };

struct Cast {
  ElementType type = ElementType::kFloat32;

  bool operator==(const Cast&) const = default;
};

struct Arrange {
  Layout layout = Layout::kNchw;

  bool operator==(const Arrange&) const = default;
};

using text::ByteWindow;
using text::Tokens;

using Step = std::variant<Decode, ReverseChannels, Resize, Crop, Pad, Cast, Compute, Normalize,
                          Arrange, ByteWindow, Tokens>;

/// True for a step from a text.
inline bool takes_text(const Step& step) {
  return std::holds_alternative<ByteWindow>(step) || std::holds_alternative<Tokens>(step);
}

}  // namespace ridge::pipeline
