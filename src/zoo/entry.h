// SPDX-License-Identifier: Apache-2.0
// Entry of the zoo: a network's name, origin, sizes, and the function that builds it. Plain data,
// static.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "onnx/document.h"
#include "zoo/builder.h"

namespace ridge::zoo {

struct DefaultSize {
  std::string_view name;
  std::int64_t value;
};

/// Image sizes that a network accepts: `side` x `side` pixels by default.
struct Images {
  std::int64_t side = 0;    ///< default side; 0: no image input
  std::int64_t step = 1;    ///< other sides must be multiples of it; 0: only `side` is possible
  std::int64_t least = 32;  ///< smallest side that all strides reduce to at least one position
};

/// A network with its options.
struct Request {
  std::string_view network;
  std::int64_t side = 0;  ///< side of its images, in pixels
  BatchNorm batch_norm = BatchNorm::kKept;
};

struct Entry {
  std::string_view name;
  std::string_view family;  ///< such as "ResNet"
  std::string_view description;
  std::string_view paper;
  std::span<const DefaultSize> sizes;  ///< default values of its free sizes
  Images images;
  onnx::Document (*build)(const Request&);
};

}  // namespace ridge::zoo
