// Reference networks built in code: known to everybody, no download, no licence, the same on every
// machine.
//
//   Result<onnx::Document> doc = zoo::make("resnet50");
//   zoo::make("resnet50,folded");     BatchNormalization folded into convolutions, as exporters do
//   zoo::make("resnet50,size=320");   images of 320 x 320
//
// Weights are recipes (base/recipe.h): making a network takes microseconds and no memory to speak
// of. MACs and parameters equal those that PyTorch's dispatcher counts for the originals
// (tests/data/zoo.csv holds the integers). Errors: an unknown name or option is a usage error that
// lists the near ones.
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

/// Images that a network takes: `side` x `side` pixels where nobody says otherwise.
struct Images {
  std::int64_t side = 0;    ///< 0: it takes none
  std::int64_t step = 1;    ///< other sides are multiples of it; 0: there is no other
  std::int64_t least = 32;  ///< the smallest that its strides leave something of
};

/// One network, as asked for.
struct Request {
  std::string_view network;
  std::int64_t side = 0;  ///< of its images, in pixels
  BatchNorm batch_norm = BatchNorm::kKept;
};

struct Entry {
  std::string_view name;
  std::string_view family;  ///< "ResNet"
  std::string_view description;
  std::string_view paper;
  std::span<const DefaultSize> sizes;  ///< what its free sizes are where the user says nothing
  Images images;
  onnx::Document (*build)(const Request&);
};

/// Sorted by name.
std::span<const Entry> entries();
/// `spec`: a name, options after it do not matter. nullptr where there is none of that name.
const Entry* find(std::string_view spec);

Result<onnx::Document> make(std::string_view spec);

}  // namespace ridge::zoo
