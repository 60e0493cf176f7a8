#include "pipeline/layout.h"

#include <fmt/format.h>

#include <utility>

namespace ridge::pipeline {
namespace {

constexpr std::size_t kBatchedRank = 4;

template <typename T>
std::vector<T> planes(const Raster<T>& image) {
  const auto channels = static_cast<std::size_t>(image.channels);
  const std::size_t pixels = image.data.size() / channels;
  std::vector<T> out(image.data.size());
  for (std::size_t c = 0; c < channels; ++c) {
    T* to = out.data() + c * pixels;
    const T* from = image.data.data() + c;
    for (std::size_t i = 0; i < pixels; ++i) to[i] = from[i * channels];
  }
  return out;
}

template <typename T>
Tensor arrange(const Raster<T>& image, Layout layout) {
  const bool interleaved = layout == Layout::kHwc || layout == Layout::kNhwc;
  return {arranged_dims(image.width, image.height, image.channels, layout),
          interleaved ? image.data : planes(image)};
}

Error unlike(std::size_t sample, const Tensor& first, const Tensor& other) {
  const auto text = [](const Tensor& tensor) {
    return fmt::format("{} [{}]", tensor.is_float() ? "float32" : "uint8",
                       fmt::join(tensor.dims, ", "));
  };
  return input_error("RIDGE-PIPE-0011", fmt::format("sample {} is {}, the first of the batch is {}",
                                                    sample + 1, text(other), text(first)))
      .hint("resize or crop to a fixed size, or use batches of one sample");
}

}  // namespace

Tensor arranged(const Image& image, Layout layout) { return arrange(image, layout); }
Tensor arranged(const FloatImage& image, Layout layout) { return arrange(image, layout); }

std::vector<std::int64_t> arranged_dims(std::int64_t width, std::int64_t height,
                                        std::int64_t channels, Layout layout) {
  switch (layout) {
    case Layout::kHwc:
      return {height, width, channels};
    case Layout::kChw:
      return {channels, height, width};
    case Layout::kNhwc:
      return {1, height, width, channels};
    case Layout::kNchw:
      break;
  }
  return {1, channels, height, width};
}

Result<Tensor> batched(std::vector<Tensor> samples) {
  if (samples.empty()) return input_error("RIDGE-PIPE-0012", "a batch of no samples");
  Tensor out = std::move(samples.front());
  const Tensor first{out.dims, out.is_float() ? decltype(out.elements)(std::vector<float>())
                                              : std::vector<std::uint8_t>()};
  std::int64_t count = first.dims.size() == kBatchedRank ? first.dims.front() : 1;
  const std::int64_t each = count;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    const Tensor& next = samples[i];
    if (next.dims != first.dims || next.is_float() != first.is_float())
      return unlike(i, first, next);
    std::visit(
        [&](auto& all) {
          const auto& more = std::get<std::decay_t<decltype(all)>>(next.elements);
          all.reserve(more.size() * samples.size());
          all.insert(all.end(), more.begin(), more.end());
        },
        out.elements);
    count += each;
  }
  if (out.dims.size() == kBatchedRank)
    out.dims.front() = count;
  else
    out.dims.insert(out.dims.begin(), count);
  return out;
}

}  // namespace ridge::pipeline
