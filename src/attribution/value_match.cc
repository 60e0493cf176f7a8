// SPDX-License-Identifier: Apache-2.0
#include "attribution/value_match.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "onnx/half.h"

namespace ridge::attribution {
namespace {

using onnx::DataType;

constexpr std::size_t kMinElements = 16;
constexpr double kSmallestMagnitude = 1e-6;
constexpr double kRefutes = 0.1;

template <typename T>
T stored(const Elements& e, std::size_t i) {
  T x;
  std::memcpy(&x, e.bytes.data() + i * sizeof(T), sizeof(T));
  return x;
}

/// Returns the bytes of an element that at() reads; 0 for types that it does not read.
std::size_t width(DataType type) {
  switch (type) {
    case DataType::kDouble:
    case DataType::kInt64:
      return 8;
    case DataType::kFloat:
    case DataType::kInt32:
      return 4;
    case DataType::kFloat16:
    case DataType::kBfloat16:
      return 2;
    case DataType::kUint8:
    case DataType::kInt8:
    case DataType::kBool:
      return 1;
    default:
      return 0;
  }
}

double at(const Elements& e, std::size_t i) {
  switch (e.type) {
    case DataType::kFloat:
      return static_cast<double>(stored<float>(e, i));
    case DataType::kDouble:
      return stored<double>(e, i);
    case DataType::kFloat16:
      return static_cast<double>(onnx::float_of_float16(stored<std::uint16_t>(e, i)));
    case DataType::kBfloat16:
      return static_cast<double>(onnx::float_of_bfloat16(stored<std::uint16_t>(e, i)));
    case DataType::kInt64:
      return static_cast<double>(stored<std::int64_t>(e, i));
    case DataType::kInt32:
      return stored<std::int32_t>(e, i);
    case DataType::kInt8:
      return stored<std::int8_t>(e, i);
    default:
      return stored<std::uint8_t>(e, i);
  }
}

std::size_t count(const Elements& e) {
  const std::size_t bytes = width(e.type);
  return bytes == 0 ? 0 : e.bytes.size() / bytes;
}

/// Difference that counts as equal. Requantization may round to either neighbor, which is a whole
/// step of an 8-bit integer.
double allowed(DataType type, double magnitude) {
  const bool quantized = type == DataType::kUint8 || type == DataType::kInt8;
  return std::max(tolerance(type) * magnitude, quantized ? 1.0 : 0.0);
}

double largest_magnitude(const Elements& e) {
  double most = kSmallestMagnitude;
  for (std::size_t i = 0; i < count(e); ++i)
    if (const double x = at(e, i); std::isfinite(x)) most = std::max(most, std::abs(x));
  return most;
}

/// Place of each element of an original in a tensor of another layout. The original is
/// [batch, channels, pixels], for kToFirst [batch, pixels, channels].
struct Layout {
  enum Kind : std::uint8_t { kInOrder, kToLast, kToFirst, kBlocks };
  Kind kind = kInOrder;
  std::size_t channels = 1, pixels = 1;
  std::size_t padded = 1, block = 1;  // kBlocks: channels in memory, and in a block
  Agreement how = Agreement::kInOrder;

  // Example: 3 channels in blocks of 2 and 4 pixels; channel 2 of pixel 1 of the first batch is
  // element 2 * 4 + 1 = 9 of the original, the first of its block of the second group: memory has
  // 4 channels, so it lies at (0 * 2 + 1) * 4 * 2 + 1 * 2 + 0 = 10.
  std::size_t place(std::size_t i) const {
    if (kind == kInOrder) return i;
    if (kind == kToFirst) {
      const std::size_t c = i % channels, p = i / channels % pixels, n = i / channels / pixels;
      return (n * channels + c) * pixels + p;
    }
    const std::size_t p = i % pixels, c = i / pixels % channels, n = i / pixels / channels;
    if (kind == kToLast) return (n * pixels + p) * channels + c;
    return ((n * (padded / block) + c / block) * pixels + p) * block + c % block;
  }
};

std::size_t product(std::span<const std::int64_t> dims) {
  std::size_t out = 1;
  for (const std::int64_t d : dims) out *= static_cast<std::size_t>(d);
  return out;
}

/// True if moving the second dimension of `first` to the end gives `last`.
bool moves_channels(std::span<const std::int64_t> first, std::span<const std::int64_t> last) {
  return first.size() > 2 && first.size() == last.size() && first[0] == last[0] &&
         first[1] == last.back() &&
         std::ranges::equal(first.subspan(2), last.subspan(1, last.size() - 2));
}

/// Returns the layouts that the sizes allow, the closest to the original first.
std::vector<Layout> layouts(const Elements& original, const Elements& optimized) {
  std::vector<Layout> out;
  const std::span<const std::int64_t> from = original.dims, to = optimized.dims;
  const std::size_t elements = count(original);
  if (width(original.type) == 0 || original.type != optimized.type || elements == 0) return out;
  if (count(optimized) == elements) out.emplace_back();
  const auto permuted = [&](Layout::Kind kind, std::int64_t channels, std::size_t pixels) {
    out.push_back({.kind = kind,
                   .channels = static_cast<std::size_t>(channels),
                   .pixels = pixels,
                   .how = Agreement::kPermuted});
  };
  if (count(optimized) == elements && moves_channels(from, to))
    permuted(Layout::kToLast, from[1], product(from.subspan(2)));
  if (count(optimized) == elements && moves_channels(to, from))
    permuted(Layout::kToFirst, to[1], product(to.subspan(2)));
  // ONNX Runtime gives a blocked tensor the sizes [batch, padded channels, ...].
  if (from.size() < 3 || from.size() != to.size() || from[0] != to[0] ||
      !std::ranges::equal(from.subspan(2), to.subspan(2)))
    return out;
  for (const std::size_t block : {std::size_t{8}, std::size_t{16}}) {
    const auto channels = static_cast<std::size_t>(from[1]);
    const std::size_t padded = (channels + block - 1) / block * block;
    if (static_cast<std::size_t>(to[1]) != padded) continue;
    permuted(Layout::kBlocks, from[1], product(from.subspan(2)));
    out.back().padded = padded;
    out.back().block = block;
  }
  return out;
}

/// Returns the largest difference; one above `enough` ends the comparison.
double difference(const Elements& original, const Elements& optimized, const Layout& layout,
                  double enough = HUGE_VAL) {
  double worst = 0;
  for (std::size_t i = 0; i < count(original) && worst <= enough; ++i) {
    const double a = at(original, i), b = at(optimized, layout.place(i));
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    const double apart = std::abs(a - b);
    worst = std::max(worst, std::isnan(apart) ? HUGE_VAL : apart);
  }
  return worst;
}

/// Returns how the tensors agree in every run; nullopt if they do not.
std::optional<Agreement> agreement(const FetchedTensor& tensor, const FetchedTensor& original) {
  if (tensor.runs.empty() || tensor.runs.size() != original.runs.size()) return std::nullopt;
  for (const Layout& layout : layouts(original.runs[0], tensor.runs[0])) {
    bool equal = true;
    for (std::size_t r = 0; equal && r < tensor.runs.size(); ++r) {
      const Elements& wanted = original.runs[r];
      equal = std::ranges::equal(wanted.dims, original.runs[0].dims) &&
              std::ranges::equal(tensor.runs[r].dims, tensor.runs[0].dims);
      const double enough = allowed(wanted.type, original.magnitude[r]);
      equal = equal && difference(wanted, tensor.runs[r], layout, enough) <= enough;
    }
    if (equal) return layout.how;
  }
  return std::nullopt;
}

/// True if the tensors differ beyond doubt in some run, whatever the layout.
bool refutes(const FetchedTensor& tensor, const FetchedTensor& original) {
  for (std::size_t r = 0; r < std::min(tensor.runs.size(), original.runs.size()); ++r) {
    const std::optional<double> least = min_difference(original.runs[r], tensor.runs[r]);
    if (least && *least > kRefutes) return true;
  }
  return false;
}

bool varies(const Elements& e, double magnitude) {
  if (count(e) < kMinElements) return false;
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (std::size_t i = 0; i < count(e); ++i) {
    const double x = at(e, i);
    if (!std::isfinite(x)) return false;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  return high - low > 4 * allowed(e.type, magnitude);
}

}  // namespace

double tolerance(DataType type) {
  switch (type) {
    case DataType::kFloat:
      return 0x1p-13;
    case DataType::kDouble:
      return 0x1p-42;
    case DataType::kFloat16:
      return 0x1p-8;
    case DataType::kBfloat16:
      return 0x1p-5;
    default:
      return 0;
  }
}

std::optional<double> min_difference(const Elements& original, const Elements& optimized) {
  std::optional<double> least;
  for (const Layout& layout : layouts(original, optimized)) {
    const double d = difference(original, optimized, layout);
    least = least ? std::min(*least, d) : d;
  }
  if (least) *least /= largest_magnitude(original);
  return least;
}

FetchedTensor fetched(graph::ValueId value, std::vector<Elements> runs) {
  FetchedTensor out{.value = value, .runs = std::move(runs)};
  out.decisive = !out.runs.empty();
  for (const Elements& e : out.runs) {
    out.magnitude.push_back(largest_magnitude(e));
    out.decisive = out.decisive && varies(e, out.magnitude.back());
  }
  if (out.decisive && out.runs.size() > 1) {
    const double enough = allowed(out.runs[0].type, out.magnitude[0]);
    out.decisive = count(out.runs[0]) == count(out.runs[1]) &&
                   difference(out.runs[0], out.runs[1], {}, enough) > enough;
  }
  return out;
}

void try_values(const FetchedTensor& tensor, graph::ValueId claimed,
                std::span<const FetchedTensor> originals, ValueTrial& trial) {
  trial.decisive = tensor.decisive;
  if (!tensor.decisive) return;
  const auto known = [&](graph::ValueId v) {
    return std::ranges::find(trial.equal, v, &EqualTensor::value) != trial.equal.end();
  };
  for (const FetchedTensor& original : originals) {
    if (const auto how = agreement(tensor, original)) {
      if (!known(original.value)) trial.equal.push_back({original.value, *how});
    } else if (original.value == claimed && refutes(tensor, original)) {
      trial.refuted = true;
    }
  }
}

}  // namespace ridge::attribution
