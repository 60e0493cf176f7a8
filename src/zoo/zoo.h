// SPDX-License-Identifier: Apache-2.0
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

#include <span>
#include <string_view>

#include "base/result.h"
#include "onnx/document.h"
#include "zoo/entry.h"

namespace ridge::zoo {

/// All networks, sorted by name.
std::span<const Entry> entries();
/// `spec`: a name, optionally followed by options, which are ignored. nullptr if the name is
/// unknown.
const Entry* find(std::string_view spec);

Result<onnx::Document> make(std::string_view spec);

}  // namespace ridge::zoo
