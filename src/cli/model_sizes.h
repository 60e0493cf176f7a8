// Sizes for one of several models: "MODEL:" before a name of --bind or an input of --shape.
//
//   --bind batch=1,4 --bind resnet50:batch=2,height=224 --shape bert:ids=1x64
//
// A model is called as it was given, or by its stem: "nets/resnet50.onnx" and "zoo:resnet50" are
// resnet50. In one --bind it holds until the next model. What is for one model stands in place of
// what is for all. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace ridge::cli {

/// What `model`, one of `models`, gets of --bind, without names of models.
std::vector<std::string> binds_of(const std::string& model, const std::vector<std::string>& models,
                                  const std::vector<std::string>& binds);
/// The same of --shape.
std::vector<std::string> shapes_of(const std::string& model, const std::vector<std::string>& models,
                                   const std::vector<std::string>& shapes);

/// Usage error for a "NAME:" in front of a size or an input that is no model's name but close to
/// one. A name that resembles no model is left alone: colons may be part of the names of sizes.
Result<void> check_model_names(const std::vector<std::string>& models,
                               const std::vector<std::string>& binds,
                               const std::vector<std::string>& shapes);

}  // namespace ridge::cli
