#include "runtime/inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/checked.h"
#include "base/recipe.h"
#include "onnx/weights.h"
#include "runtime/npy.h"
#include "stats/random.h"

namespace ridge::runtime {
namespace {

constexpr std::int64_t kAlignment = 64;
constexpr float kUnitDeviation = 1.7320508F;  // a uniform number in ±sqrt(3) has deviation 1
constexpr std::int64_t kDefaultBound = 2;     // masks and segment numbers

Result<std::int64_t> bytes_of(const InputSpec& spec) {
  std::optional<std::int64_t> elements = 1;
  for (const std::int64_t dim : spec.dims) {
    if (dim < 0) return bug("an input has an open dimension", "Inputs::make");
    if (elements) elements = checked_mul(*elements, dim);
  }
  const auto bytes = elements ? onnx::storage_bytes(spec.type, *elements) : std::nullopt;
  if (bytes) return *bytes;
  return input_error("RIDGE-RT-0041",
                     fmt::format("an array of {} with shape [{}] cannot be made",
                                 onnx::name(spec.type), fmt::join(spec.dims, ", ")))
      .hint("choose smaller sizes with --bind or --shape; inputs of strings are not supported");
}

/// How many different values an integer type has from 0 on.
std::int64_t range_of(int bits, bool is_signed) {
  const int usable = is_signed ? bits - 1 : bits;
  return usable >= 63 ? std::numeric_limits<std::int64_t>::max() : std::int64_t{1} << usable;
}

bool is_signed(onnx::DataType type) {
  using onnx::DataType;
  return type == DataType::kInt8 || type == DataType::kInt16 || type == DataType::kInt32 ||
         type == DataType::kInt64;
}

void fill_integers(std::uint64_t seed, std::int64_t bound, std::size_t width,
                   std::span<std::byte> out) {
  stats::Random random(seed);
  const auto n = static_cast<std::uint64_t>(bound);
  for (std::size_t at = 0; at < out.size(); at += width) {
    const std::uint64_t value = bound <= (std::int64_t{1} << 31)
                                    ? random.below(static_cast<std::size_t>(n))
                                    : random.next() % n;
    std::memcpy(&out[at], &value, width);  // little-endian: the low bytes are the value
  }
}

Result<void> read_array(const InputSpec& spec, std::span<std::byte> out) {
  const Npy array = TRY(Npy::open(spec.npy));
  if (array.header.type == spec.type && array.header.dims == spec.dims) {
    return array.file.read_at(array.offset, out);
  }
  return input_error("RIDGE-RT-0042",
                     fmt::format("holds {} [{}], the input is {} [{}]",
                                 onnx::name(array.header.type), fmt::join(array.header.dims, ", "),
                                 onnx::name(spec.type), fmt::join(spec.dims, ", ")))
      .hint("convert the array, or choose the input's sizes with --shape")
      .in_file(spec.npy);
}

}  // namespace

Result<void> fill_input(const InputSpec& spec, std::span<std::byte> out) {
  const onnx::DataTypeInfo* type = onnx::info(spec.type);
  const bool whole =
      type != nullptr && type->bits >= 8 && (type->integer || spec.type == onnx::DataType::kBool);
  if (!whole) return onnx::generate({spec.seed, 0, kUnitDeviation}, spec.type, 0, out);
  const bool boolean = spec.type == onnx::DataType::kBool;
  const std::int64_t bound = boolean ? 2 : spec.bound.value_or(kDefaultBound);
  if (bound <= 0) return bug("an input's bound is not positive", "fill_input");
  fill_integers(spec.seed, std::min(bound, range_of(type->bits, is_signed(spec.type))),
                static_cast<std::size_t>(type->bits) / 8, out);
  return {};
}

Result<Inputs> Inputs::make(const std::vector<InputSpec>& specs) {
  Inputs inputs;
  std::optional<std::int64_t> total = 0;
  for (const InputSpec& spec : specs) {
    const std::int64_t bytes = TRY_IN(fmt::format("input '{}'", spec.name), bytes_of(spec));
    inputs.tensors.push_back({spec.name, spec.type, spec.dims, total.value_or(0), bytes});
    if (total) total = checked_add(*total, bytes);
    if (total) total = checked_add(*total, (kAlignment - *total % kAlignment) % kAlignment);
  }
  if (!total) {
    return input_error("RIDGE-RT-0043", "the inputs together exceed what memory can hold");
  }
  inputs.memory = TRY(SharedMemory::make(static_cast<std::size_t>(*total)));
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const std::span<std::byte> out =
        inputs.memory.bytes().subspan(static_cast<std::size_t>(inputs.tensors[i].offset),
                                      static_cast<std::size_t>(inputs.tensors[i].bytes));
    InputSpec spec = specs[i];
    spec.seed += i;  // equal inputs would hide mistakes in their order
    TRY_IN(fmt::format("input '{}'", spec.name),
           spec.npy.empty() ? fill_input(spec, out) : read_array(spec, out));
  }
  return inputs;
}

}  // namespace ridge::runtime
