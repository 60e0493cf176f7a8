// Reference networks built in code: known to everybody, no download, no licence, the same on every
// machine.
//
//   Result<onnx::Document> doc = zoo::make("resnet50");
//
// Weights are recipes (base/recipe.h): making a network takes microseconds and no memory to speak
// of. MACs and parameters equal those that PyTorch's dispatcher counts for the originals
// (zoo_test.cc holds the integers). Errors: an unknown name is a usage error that lists the near
// ones.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"
#include "onnx/document.h"

namespace ridge::zoo {

struct DefaultSize {
  std::string_view name;
  std::int64_t value;
};

struct Entry {
  std::string_view name;
  std::string_view description;
  std::string_view paper;
  std::span<const DefaultSize> sizes;  ///< what its free sizes are where the user says nothing
  onnx::Document (*build)();
};

/// Sorted by name.
std::span<const Entry> entries();
/// nullptr where there is none of that name.
const Entry* find(std::string_view name);

Result<onnx::Document> make(std::string_view name);

}  // namespace ridge::zoo
