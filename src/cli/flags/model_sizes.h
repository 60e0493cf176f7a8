// SPDX-License-Identifier: Apache-2.0
// Sizes for one of several models: "MODEL:" in front of a name in --bind or an input in --shape.
//
//   --bind batch=1,4 --bind resnet50:batch=2,height=224 --shape bert:ids=1x64
//
// MODEL is a model as given, or its stem: "nets/resnet50.onnx" and "zoo:resnet50" have the stem
// resnet50. Within one --bind it applies until the next MODEL. Sizes for one model override those
// for all. Pure.
//
// Example: of the flags above, zoo:resnet50 gets "batch=2" and "height=224" ("batch=1,4" is
// overridden), zoo:bert gets "batch=1,4" and the shape "ids=1x64".
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace ridge::cli {

/// Items of --bind that apply to `model`, one of `models`, without the model prefix.
std::vector<std::string> binds_of(const std::string& model, const std::vector<std::string>& models,
                                  const std::vector<std::string>& binds);
/// Values of --shape that apply to `model`, one of `models`, without the model prefix.
std::vector<std::string> shapes_of(const std::string& model, const std::vector<std::string>& models,
                                   const std::vector<std::string>& shapes);

/// Usage error if a prefix "NAME:" of a size or an input is not a model but similar to one. A
/// prefix similar to no model is accepted, because names of sizes may contain colons.
Result<void> check_model_names(const std::vector<std::string>& models,
                               const std::vector<std::string>& binds,
                               const std::vector<std::string>& shapes);

}  // namespace ridge::cli
