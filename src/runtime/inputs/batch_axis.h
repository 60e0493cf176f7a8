// SPDX-License-Identifier: Apache-2.0
// The axis of an input along which samples of a model are put together to a batch. Pure function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "runtime/inputs/inputs.h"

namespace ridge::runtime {

/// The axis along which `batch` has `size` times the length of `one`; nullopt if it differs in
/// another way.
std::optional<std::size_t> batch_axis(const InputTensor& one, const InputTensor& batch,
                                      std::uint32_t size);

}  // namespace ridge::runtime
