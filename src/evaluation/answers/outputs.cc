// SPDX-License-Identifier: Apache-2.0
#include "evaluation/answers/outputs.h"

#include <algorithm>
#include <cstring>

#include "onnx/half.h"

namespace ridge::evaluation {
namespace {

/// Sets that run in one call, so that outputs in memory stay few.
constexpr std::uint32_t kRunTogether = 64;

template <typename T>
float as_float(T value) {
  return static_cast<float>(value);
}

template <typename T>
std::vector<float> as_floats(std::span<const std::byte> bytes, float (*to_float)(T) = as_float<T>) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  std::vector<float> out;
  out.reserve(values.size());
  for (const T value : values) out.push_back(to_float(value));
  return out;
}

std::vector<float> floats_of(onnx::DataType type, std::span<const std::byte> bytes) {
  switch (type) {
    case onnx::DataType::kFloat:
      return as_floats<float>(bytes);
    case onnx::DataType::kDouble:
      return as_floats<double>(bytes);
    case onnx::DataType::kInt64:
      return as_floats<std::int64_t>(bytes);
    case onnx::DataType::kInt32:
      return as_floats<std::int32_t>(bytes);
    case onnx::DataType::kUint8:
    case onnx::DataType::kBool:
      return as_floats<std::uint8_t>(bytes);
    case onnx::DataType::kFloat16:
      return as_floats<std::uint16_t>(bytes, onnx::float_of_float16);
    case onnx::DataType::kBfloat16:
      return as_floats<std::uint16_t>(bytes, onnx::float_of_bfloat16);
    case onnx::DataType::kInt8:
      return as_floats<std::int8_t>(bytes);
    default:
      return {};
  }
}

pipeline::OutputValues output_row(const runtime::OutputTensor& output, std::size_t batch,
                                  std::size_t row) {
  pipeline::OutputValues out{output.type.name, output.type.dims, {}};
  const bool split = !out.dims.empty() && out.dims[0] == static_cast<std::int64_t>(batch);
  if (!split && batch > 1) return out;
  std::span<const std::byte> bytes = output.bytes;
  if (split) {
    out.dims.erase(out.dims.begin());
    bytes = bytes.subspan(row * (bytes.size() / batch), bytes.size() / batch);
  }
  out.values = floats_of(output.type.type, bytes);
  return out;
}

}  // namespace

SampleOutputs sample_outputs(const runtime::Outputs& of_set, std::size_t batch, std::size_t row) {
  SampleOutputs out;
  for (const runtime::OutputTensor& output : of_set.tensors)
    out.push_back(output_row(output, batch, row));
  return out;
}

Result<void> each_sample(const LoadedModel& loaded, const VisitSample& visit) {
  const auto sets = static_cast<std::uint32_t>(loaded.data.samples.sets.size());
  const std::size_t batch = loaded.data.batch;
  std::size_t sample = 0;
  for (std::uint32_t first = 0; first < sets; first += kRunTogether) {
    const std::uint32_t count = std::min(kRunTogether, sets - first);
    const std::vector<runtime::Outputs> all =
        TRY(loaded.runtime.outputs_of(loaded.session, first, count));
    for (const runtime::Outputs& outputs : all)
      for (std::size_t row = 0; row < batch && sample < loaded.data.names.size(); ++row)
        TRY(visit(sample++, sample_outputs(outputs, batch, row)));
  }
  return {};
}

}  // namespace ridge::evaluation
