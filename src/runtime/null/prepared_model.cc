// SPDX-License-Identifier: Apache-2.0
#include "runtime/null/prepared_model.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "runtime/sized.h"

namespace ridge::null {
namespace {

constexpr std::uint64_t kAlignment = 64;

}  // namespace

Result<PreparedModel> PreparedModel::make(const RidgeModel& model) {
  PreparedModel prepared;
  prepared.model_.assign(static_cast<const char*>(model.data), model.bytes);
  const RidgeTensors& given = model.weights;
  std::uint64_t end = 0;
  for (std::uint64_t i = 0; i < given.count; ++i) {
    const RidgeTensor tensor = runtime::row(given.items, given.stride, i);
    const std::uint64_t offset = (end + kAlignment - 1) / kAlignment * kAlignment;
    prepared.weights_.add(tensor.name, tensor.type, {tensor.dims, tensor.dims + tensor.rank},
                          offset, tensor.bytes);
    end = offset + tensor.bytes;
  }
  if (given.count == 0) return prepared;
  ipc::SharedMemory memory = TRY(ipc::SharedMemory::make(static_cast<std::size_t>(end)));
  for (std::uint64_t i = 0; i < given.count; ++i) {
    const RidgeTensor tensor = runtime::row(given.items, given.stride, i);
    const auto* from = static_cast<const std::byte*>(tensor.data);
    std::copy_n(from, tensor.bytes, memory.bytes().data() + prepared.weights_.rows()[i].offset);
  }
  prepared.elements_ = std::move(memory.descriptor);
  return prepared;
}

}  // namespace ridge::null
