// SPDX-License-Identifier: Apache-2.0
// Input positions that Resize and Upsample read along one axis.
//
//   const auto runs = resized_positions(Form(resolved, node), 2);
//
// Positions with weight zero are not read; of the four points of cubic mode only the inner two are
// counted, so the set never exceeds what is read. Formulas: ONNX Resize,
// coordinate_transformation_mode and nearest_mode.
// nullopt if a size is unknown, or in mode tf_crop_and_resize. Cost: O(outputs), at most a million.
#pragma once

#include <cstddef>
#include <optional>

#include "analysis/bounds/touched.h"
#include "analysis/form.h"

namespace ridge::analysis {

std::optional<Runs> resized_positions(const Form& form, std::size_t axis);

}  // namespace ridge::analysis
