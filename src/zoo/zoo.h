// Well-known reference networks built in code: no download, no license issues, identical on every
// machine.
//
//   Result<onnx::Document> doc = zoo::make("resnet50");
//   zoo::make("resnet50,folded");     BatchNormalization folded into convolutions, as exporters do
//   zoo::make("resnet50,size=320");   images of 320 x 320
//
// Weights are recipes (base/recipe.h): building a network takes microseconds and hardly any memory.
// MACs and parameters equal those that PyTorch's dispatcher counts for the originals (integers in
// tests/data/zoo.csv). Errors: an unknown name or option is a usage error with suggestions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"
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

/// All networks, sorted by name.
std::span<const Entry> entries();
/// `spec`: a name, optionally followed by options, which are ignored. nullptr if the name is
/// unknown.
const Entry* find(std::string_view spec);

Result<onnx::Document> make(std::string_view spec);

}  // namespace ridge::zoo
