// SPDX-License-Identifier: Apache-2.0
#include "runtime/inputs/run_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>

#include "runtime/inputs/doubles.h"
#include "runtime/inputs/inputs.h"

namespace ridge::runtime {
namespace {

using onnx::DataType;

constexpr double kLowestHalf = -65504;

template <typename T>
void put_element(std::span<std::byte> out, std::size_t i, T value) {
  std::memcpy(&out[i * sizeof(T)], &value, sizeof(T));
}

/// Writes element `i`; false for a type without such numbers.
bool write(DataType type, std::span<std::byte> out, std::size_t i, double value) {
  switch (type) {
    case DataType::kInt64:
      put_element(out, i, static_cast<std::int64_t>(value));
      return true;
    case DataType::kInt32:
      put_element(out, i, static_cast<std::int32_t>(value));
      return true;
    case DataType::kInt8:
    case DataType::kUint8:
    case DataType::kBool:
      put_element(out, i, static_cast<std::uint8_t>(value));
      return true;
    case DataType::kFloat:
      put_element(out, i, static_cast<float>(value));
      return true;
    case DataType::kDouble:
      put_element(out, i, value);
      return true;
    case DataType::kFloat16:
      put_element(out, i, float16_of(value));
      return true;
    case DataType::kBfloat16:  // all numbers written here are exact in it, but its lowest one
      put_element(out, i,
                  static_cast<std::uint16_t>(
                      std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16));
      return true;
    default:
      return false;
  }
}

/// Elements of a mask for keys that are seen, and that are not.
struct MaskValues {
  double seen = 1, unseen = 0;
};

MaskValues mask_values(DataType type) {
  switch (type) {
    case DataType::kFloat:
    case DataType::kBfloat16:
      return {0, std::numeric_limits<float>::lowest()};
    case DataType::kDouble:
      return {0, std::numeric_limits<double>::lowest()};
    case DataType::kFloat16:
      return {0, kLowestHalf};
    default:
      return {};
  }
}

std::vector<std::int64_t> run_dims(const RunInput& input, const RunState& s) {
  std::vector<std::int64_t> out = input.dims;
  for (std::int64_t& size : out) {
    if (size == kBatchAxis) size = s.batch;
    if (size == kTokensAxis) size = s.tokens;
    if (size == kKeysAxis) size = s.cache + s.tokens;
  }
  return out;
}

/// Value of a mask by its element. With two axes, [batch, keys], it is the one of the last token.
std::function<double(std::int64_t)> mask(const RunInput& input, const RunState& s,
                                         std::span<const std::int64_t> dims) {
  const MaskValues values = mask_values(input.type);
  const std::int64_t keys = dims.back(), rows = dims.size() > 2 ? dims[dims.size() - 2] : 1;
  const std::int64_t before = input.newest_last ? keys - s.tokens : s.cache;
  const std::int64_t empty = input.newest_last ? before - std::min(s.seen, before) : 0;
  const bool each_token = dims.size() > 2 && rows == s.tokens;
  return [=](std::int64_t i) {
    const std::int64_t key = i % keys;
    const std::int64_t last = before + (each_token ? i / keys % rows : s.tokens - 1);
    return key >= empty && key <= last ? values.seen : values.unseen;
  };
}

std::function<double(std::int64_t)> values_of(const RunInput& input, const RunState& s,
                                              std::span<const std::int64_t> dims) {
  const auto constant = [](std::int64_t value) {
    return [value](std::int64_t) { return static_cast<double>(value); };
  };
  switch (input.means) {
    case RunMeaning::kIds:
      return [&s](std::int64_t i) {
        return static_cast<double>(s.ids[static_cast<std::size_t>(i) % s.ids.size()]);
      };
    case RunMeaning::kPlaces:
      return [&s](std::int64_t i) { return static_cast<double>(s.seen + i % s.tokens); };
    case RunMeaning::kMask:
      return mask(input, s, dims);
    case RunMeaning::kOnes:
      return constant(1);
    case RunMeaning::kCount:
      return [](std::int64_t i) { return static_cast<double>(i); };
    case RunMeaning::kHasCache:
      return constant(s.seen > 0 ? 1 : 0);
    case RunMeaning::kCacheLength:
      return constant(s.cache);
    case RunMeaning::kLastPlace:
      return constant(s.cache + s.tokens - 1);
    case RunMeaning::kTotalLength:
      return constant(s.cache + s.tokens);
    default:
      return constant(0);
  }
}

/// A row for each token, the same wherever the id occurs.
Result<void> embed(const RunInput& input, const RunState& s, RunArray& out) {
  const std::vector<std::int64_t> row = {out.dims.back()};
  const auto bytes = static_cast<std::size_t>(array_bytes(input.type, row));
  for (std::size_t i = 0; i < s.ids.size() && (i + 1) * bytes <= out.elements.size(); ++i) {
    InputSpec spec{.name = input.name, .type = input.type, .dims = row, .bound = {}};
    spec.seed = s.seed + static_cast<std::uint64_t>(s.ids[i]);
    TRY(fill_input(spec, std::span(out.elements).subspan(i * bytes, bytes)));
  }
  return {};
}

}  // namespace

std::int64_t array_bytes(DataType type, std::span<const std::int64_t> dims) {
  const onnx::DataTypeInfo* info = onnx::info(type);
  const std::int64_t elements =
      std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
  return info == nullptr ? 0 : elements * info->bits / 8;
}

Result<RunArray> array_of(const RunInput& input, const RunState& state) {
  RunArray out{.dims = run_dims(input, state), .elements = {}};
  if (input.means == RunMeaning::kGiven) {
    const auto given = std::as_bytes(std::span(input.elements));
    out.elements.assign(given.begin(), given.end());
    return out;
  }
  out.elements.resize(static_cast<std::size_t>(array_bytes(input.type, out.dims)));
  if (input.means == RunMeaning::kEmbeddings) {
    TRY(embed(input, state, out));
    return out;
  }
  const onnx::DataTypeInfo* info = onnx::info(input.type);
  const auto value = values_of(input, state, out.dims);
  const std::size_t each = info == nullptr ? 0 : static_cast<std::size_t>(info->bits) / 8;
  for (std::size_t i = 0; each > 0 && i < out.elements.size() / each; ++i)
    if (!write(input.type, out.elements, i, value(static_cast<std::int64_t>(i))))
      return input_error("RIDGE-RT-0063",
                         fmt::format("the input '{}' has elements of type {}, which ids, places, "
                                     "masks and lengths do not have",
                                     input.name, info->name))
          .hint(fmt::format("give its value: --input {}=FILE.npy", input.name));
  return out;
}

}  // namespace ridge::runtime
