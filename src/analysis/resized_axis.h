// Which positions of an input Resize and Upsample read along one axis.
//
//   const auto runs = resized_positions(Form(resolved, node), 2);
//
// Positions whose weight is zero are not read; of four points (cubic) only the inner two are
// counted, so the set is never larger than what is read. Formulas: ONNX Resize,
// coordinate_transformation_mode and nearest_mode.
// nullopt where a size, a factor or a region is not known. Cost: O(outputs), at most a million.
#pragma once

#include <cstddef>
#include <optional>

#include "analysis/form.h"
#include "analysis/touched.h"

namespace ridge::analysis {

std::optional<Runs> resized_positions(const Form& form, std::size_t axis);

}  // namespace ridge::analysis
