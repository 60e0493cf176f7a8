// SPDX-License-Identifier: Apache-2.0
#include "runtime/ort/values.h"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/sized.h"

namespace ridge::ort {
namespace {

/// Element types with different numbers in ONNX Runtime and onnx.
struct Renumbered {
  std::int32_t onnx;
  ONNXTensorElementDataType runtime;
};
constexpr Renumbered kRenumbered[] = {{24, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E8M0},
                                      {25, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT2},
                                      {26, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT2}};

ONNXTensorElementDataType element_type(std::int32_t onnx_type) {
  for (const Renumbered& row : kRenumbered)
    if (row.onnx == onnx_type) return row.runtime;
  return static_cast<ONNXTensorElementDataType>(onnx_type);
}

/// Encodes a length-delimited field of protobuf, shorter than 128 bytes.
std::string bytes_field(int number, std::string_view content) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(content.size())} +
         std::string(content);
}
std::string number_field(int number, int value) {
  return {static_cast<char>(number << 3), static_cast<char>(value)};
}

/// Returns a model without inputs whose output is an empty sequence or an optional without a value,
/// which the C interface cannot create. Fields as in onnx/onnx.proto.
std::string model_of_nothing(RidgeValueKind kind, int type) {
  const std::string tensor = bytes_field(1, number_field(1, type));     // TypeProto
  const std::string sequence = bytes_field(4, bytes_field(1, tensor));  // TypeProto
  const std::string held = kind == RIDGE_ABSENT_SEQUENCE ? sequence : tensor;
  const std::string optional = bytes_field(9, bytes_field(1, held));  // TypeProto
  const bool empty = kind == RIDGE_SEQUENCE;
  const std::string kind_of_attribute = {static_cast<char>(0xa0), 0x01};  // AttributeProto.type
  const std::string attribute =
      empty ? bytes_field(1, "dtype") + number_field(3, type) + kind_of_attribute + char{2}
            : bytes_field(1, "type") + bytes_field(14, held) + kind_of_attribute + char{13};
  const std::string node = bytes_field(2, "v") +
                           bytes_field(4, empty ? "SequenceEmpty" : "Optional") +
                           bytes_field(5, attribute);
  const std::string output = bytes_field(1, "v") + bytes_field(2, empty ? sequence : optional);
  const std::string graph = bytes_field(1, node) + bytes_field(2, "g") + bytes_field(12, output);
  return number_field(1, 8) + bytes_field(7, graph) + bytes_field(8, number_field(2, 17));
}

Result<Handle<OrtValue>> make_nothing(const Library& library, const OrtEnv* env,
                                      const RidgeTensor& input) {
  const OrtApi& api = library.api();
  const std::string model = model_of_nothing(static_cast<RidgeValueKind>(input.kind), input.type);
  OrtSessionOptions* raw_options = nullptr;
  TRY(library.check(api.CreateSessionOptions(&raw_options), Phase::kSetUp));
  const auto options = own(library, raw_options);
  TRY(library.check(api.SetIntraOpNumThreads(raw_options, 1), Phase::kSetUp));
  OrtSession* raw_session = nullptr;
  TRY(library.check(
      api.CreateSessionFromArray(env, model.data(), model.size(), raw_options, &raw_session),
      Phase::kInputs));
  const auto session = own(library, raw_session);
  const char* const names[] = {"v"};
  OrtValue* value = nullptr;
  TRY(library.check(api.Run(raw_session, nullptr, nullptr, nullptr, 0, names, 1, &value),
                    Phase::kInputs));
  return own(library, value);
}

/// Elements are laid out as described in abi.h.
Result<Handle<OrtValue>> make_text(const Library& library, const RidgeTensor& input) {
  const OrtApi& api = library.api();
  OrtAllocator* allocator = nullptr;
  TRY(library.check(api.GetAllocatorWithDefaultOptions(&allocator), Phase::kSetUp));
  OrtValue* raw = nullptr;
  TRY(library.check(api.CreateTensorAsOrtValue(allocator, input.dims, input.rank,
                                               ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING, &raw),
                    Phase::kInputs));
  Handle<OrtValue> value = own(library, raw);
  std::size_t elements = 1;
  for (std::uint32_t i = 0; i < input.rank; ++i)
    elements *= static_cast<std::size_t>(input.dims[i]);
  const char* const ends = static_cast<const char*>(input.data);
  const char* const text = ends + elements * sizeof(std::int64_t);
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < elements; ++i) {
    std::int64_t end = 0;
    std::memcpy(&end, ends + i * sizeof(end), sizeof(end));
    const std::string element(text + begin, text + end);
    TRY(library.check(api.FillStringTensorElement(raw, element.c_str(), i), Phase::kInputs));
    begin = end;
  }
  return value;
}

Result<Handle<OrtValue>> make_sequence(const Library& library, const OrtEnv* env,
                                       const OrtMemoryInfo* memory, const RidgeTensor& input) {
  const auto& members = *static_cast<const RidgeTensors*>(input.data);
  if (members.count == 0) return make_nothing(library, env, input);
  std::vector<Handle<OrtValue>> owned;
  std::vector<const OrtValue*> values;
  for (std::uint64_t i = 0; i < members.count; ++i) {
    const RidgeTensor member = runtime::row(members.items, members.stride, i);
    owned.push_back(TRY(make_input(library, env, memory, member)));
    values.push_back(owned.back().get());
  }
  OrtValue* sequence = nullptr;
  TRY(library.check(
      library.api().CreateValue(values.data(), values.size(), ONNX_TYPE_SEQUENCE, &sequence),
      Phase::kInputs));
  return own(library, sequence);
}

}  // namespace

std::int32_t onnx_type(ONNXTensorElementDataType type) {
  for (const Renumbered& row : kRenumbered)
    if (row.runtime == type) return row.onnx;
  return type;
}

Result<Handle<OrtValue>> wrap_tensor(const Library& library, const OrtMemoryInfo* memory,
                                     const RidgeTensor& tensor, Phase phase) {
  OrtValue* value = nullptr;
  TRY(library.check(library.api().CreateTensorWithDataAsOrtValue(
                        memory, const_cast<void*>(tensor.data), tensor.bytes, tensor.dims,
                        tensor.rank, element_type(tensor.type), &value),
                    phase));
  return own(library, value);
}

Result<Handle<OrtValue>> make_input(const Library& library, const OrtEnv* env,
                                    const OrtMemoryInfo* memory, const RidgeTensor& input) {
  switch (static_cast<RidgeValueKind>(input.kind)) {
    case RIDGE_TENSOR:
      break;
    case RIDGE_SEQUENCE:
      return make_sequence(library, env, memory, input);
    case RIDGE_ABSENT:
    case RIDGE_ABSENT_SEQUENCE:
      return make_nothing(library, env, input);
  }
  if (input.type == ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING) return make_text(library, input);
  return wrap_tensor(library, memory, input, Phase::kInputs);
}

}  // namespace ridge::ort
