// SPDX-License-Identifier: Apache-2.0
// Steps of image code under construction: what the code has done to the image so far.
//
//   ImageSteps image(Library::kOpencv, place);
//   image.swap_channels();                                   // BGR to RGB
//   image.normalize({"mean", "104, 117, 123"}, "float64", place);
//   std::vector<StepSpec> steps = std::move(image).steps();  // decode first, layout last
//
// Plain data, no thread rule.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "manifest/step_spec.h"

namespace ridge::manifest {

class ImageSteps {
 public:
  enum class Library : std::uint8_t { kPillow, kOpencv };
  enum class Type : std::uint8_t { kUint8, kFloat32, kFloat64 };

  ImageSteps(Library library, Place place);

  Type type() const { return type_; }
  void set_type(Type type) { type_ = type; }
  bool normalized() const;

  /// Exchanges red and blue; before any normalize.
  void swap_channels() { bgr_ = !bgr_; }
  void move_channels_first() { channels_first_ = true; }
  bool channels_first() const { return channels_first_; }
  void add(StepSpec step) { steps_.push_back(std::move(step)); }
  /// Converts the elements, with a step if that changes the type.
  void cast(Type to, Place place);
  /// Adds one operation (divide, mean or std): to the last step if that computes the same.
  void normalize(StepParameter operation, std::string_view arithmetic, Place place);

  std::vector<StepSpec> steps() &&;

 private:
  bool joins(const StepParameter& operation, std::string_view arithmetic) const;

  std::vector<StepSpec> steps_;  ///< the first is the decoder
  Type type_ = Type::kUint8;
  bool bgr_ = false, channels_first_ = false;
};

}  // namespace ridge::manifest
