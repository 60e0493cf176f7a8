// SPDX-License-Identifier: Apache-2.0
#include "runtime/inputs/batch_axis.h"

namespace ridge::runtime {

std::optional<std::size_t> batch_axis(const InputTensor& one, const InputTensor& batch,
                                      std::uint32_t size) {
  if (one.dims.size() != batch.dims.size()) return std::nullopt;
  std::optional<std::size_t> axis;
  for (std::size_t i = 0; i < one.dims.size(); ++i) {
    if (one.dims[i] == batch.dims[i]) continue;
    if (axis || one.dims[i] <= 0 || batch.dims[i] % one.dims[i] != 0 ||
        batch.dims[i] / one.dims[i] != size)
      return std::nullopt;
    axis = i;
  }
  return axis;
}

}  // namespace ridge::runtime
