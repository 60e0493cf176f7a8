// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/tensor_rows.h"

#include <cstring>
#include <utility>

#include "runtime/sized.h"

namespace ridge::runtime {
namespace {

constexpr std::size_t kRowAlignment = 64;
constexpr std::byte kNoElements[1] = {};

}  // namespace

std::vector<TensorType> types_of(const RidgeTensors& tensors) {
  std::vector<TensorType> types;
  for (std::uint64_t i = 0; i < tensors.count; ++i) {
    const RidgeTensor t = row(tensors.items, tensors.stride, i);
    types.push_back({text_or_empty(t.name), static_cast<onnx::DataType>(t.type),
                     std::vector<std::int64_t>(t.dims, t.dims + t.rank)});
  }
  return types;
}

Result<RidgeTensors> InputRows::of(const std::vector<InputTensor>& inputs) {
  std::vector<RidgeTensor> rows;
  for (const InputTensor& input : inputs) rows.push_back(TRY(row_of(input)));
  const std::vector<RidgeTensor>& kept = rows_.emplace_back(std::move(rows));
  return RidgeTensors{kept.data(), kept.size(), sizeof(RidgeTensor)};
}

Result<RidgeTensor> InputRows::row_of(const InputTensor& input) {
  const auto size = static_cast<std::int64_t>(memory_.size());
  if (input.offset < 0 || input.bytes < 0 || input.bytes > size - input.offset)
    return bug("an input lies outside its memory", "set_inputs");
  RidgeTensor tensor{};
  tensor.size = sizeof(tensor);
  tensor.type = static_cast<std::int32_t>(input.type);
  tensor.name = input.name.c_str();
  tensor.dims = input.dims.data();
  tensor.rank = static_cast<std::uint32_t>(input.dims.size());
  tensor.kind = input.kind;
  // Runtimes refuse a null pointer even for zero elements.
  tensor.data = input.bytes > 0 ? memory_.data() + input.offset : kNoElements;
  tensor.bytes = static_cast<std::uint64_t>(input.bytes);
  if (input.kind == RIDGE_SEQUENCE) tensor.data = &lists_.emplace_back(TRY(of(input.members)));
  return tensor;
}

OutputsReply OutputCopy::add(const RidgeTensors& outputs) {
  OutputsReply reply;
  std::vector<TensorType> types = types_of(outputs);
  for (std::uint64_t i = 0; i < outputs.count; ++i) {
    const RidgeTensor tensor = row(outputs.items, outputs.stride, i);
    const std::size_t offset = (bytes_.size() + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
    const std::size_t size = tensor.data != nullptr ? tensor.bytes : 0;
    reply.tensors.push_back({std::move(types[i].name), types[i].type, std::move(types[i].dims),
                             static_cast<std::int64_t>(offset),
                             static_cast<std::int64_t>(tensor.bytes)});
    bytes_.resize(offset + tensor.bytes);
    if (size > 0) std::memcpy(bytes_.data() + offset, tensor.data, size);
  }
  reply.bytes = static_cast<std::int64_t>(bytes_.size());
  return reply;
}

Result<ipc::SharedMemory> OutputCopy::memory() const {
  ipc::SharedMemory memory = TRY(ipc::SharedMemory::make(bytes_.size()));
  if (!bytes_.empty()) std::memcpy(memory.bytes().data(), bytes_.data(), bytes_.size());
  return memory;
}

}  // namespace ridge::runtime
