// SPDX-License-Identifier: Apache-2.0
// Objects of an image as Pascal VOC annotates them, an XML file for each image.
//
//   for (const VocObject& object : TRY(parse_voc_annotation(xml))) object.name, object.box
//
// Format: the VOC2012 development kit, section 4: annotation/object with name, bndbox and an
// optional difficult; parts of objects and all else are passed over. Files are untrusted
// (base/xml.h). Errors: input class, RIDGE-WB-0207, with the line. Thread rule: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "accuracy/box.h"
#include "base/result.h"

namespace ridge::evaluation {

struct VocObject {
  std::string name;
  accuracy::Box box;  ///< in pixels from 1; both corners of the file belong to it
  bool difficult = false;
};

/// The box between two corners that both belong to it.
accuracy::Box box_between(double x_min, double y_min, double x_max, double y_max);

Result<std::vector<VocObject>> parse_voc_annotation(std::string_view xml);

}  // namespace ridge::evaluation
