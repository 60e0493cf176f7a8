// SPDX-License-Identifier: Apache-2.0
#include "manifest/image_steps.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ridge::manifest {
namespace {

constexpr std::array<std::string_view, 3> kOperations{"divide", "mean", "std"};

std::size_t rank(std::string_view operation) {
  return static_cast<std::size_t>(std::find(kOperations.begin(), kOperations.end(), operation) -
                                  kOperations.begin());
}

}  // namespace

ImageSteps::ImageSteps(Library library, Place place) : bgr_(library == Library::kOpencv) {
  const bool opencv = library == Library::kOpencv;
  steps_.push_back({"decode",
                    {{"library", opencv ? "opencv" : "pillow"},
                     {"color_mode", ""},
                     {"orientation", opencv ? "exif" : "stored"}},
                    place});
}

bool ImageSteps::normalized() const {
  return std::any_of(steps_.begin(), steps_.end(),
                     [](const StepSpec& s) { return s.name == "normalize"; });
}

void ImageSteps::cast(Type to, Place place) {
  // A normalize has rounded its result to float32 already.
  const bool rounds = type_ == Type::kFloat64 && to == Type::kFloat32;
  if (type_ != to && !rounds)
    steps_.push_back({"cast", {{"type", to == Type::kUint8 ? "uint8" : "float32"}}, place});
  type_ = to;
}

bool ImageSteps::joins(const StepParameter& operation, std::string_view arithmetic) const {
  const StepSpec& last = steps_.back();
  if (last.name != "normalize" || *last.find("arithmetic") != arithmetic) return false;
  // In float64, only operations between which nothing is rounded to float32 belong together.
  if (arithmetic == "float64" && type_ != Type::kFloat64) return false;
  return std::all_of(last.parameters.begin(), last.parameters.end(), [&](const StepParameter& p) {
    return p.name == "arithmetic" || rank(p.name) < rank(operation.name);
  });
}

void ImageSteps::normalize(StepParameter operation, std::string_view arithmetic, Place place) {
  if (!joins(operation, arithmetic))
    steps_.push_back({"normalize", {{"arithmetic", std::string(arithmetic)}}, place});
  std::vector<StepParameter>& parameters = steps_.back().parameters;
  parameters.insert(parameters.end() - 1, std::move(operation));
}

std::vector<StepSpec> ImageSteps::steps() && {
  steps_[0].parameters[1].value = bgr_ ? "BGR" : "RGB";
  steps_.push_back({"layout", {{"order", channels_first_ ? "CHW" : "HWC"}}, steps_.back().place});
  return std::move(steps_);
}

}  // namespace ridge::manifest
