// SPDX-License-Identifier: Apache-2.0
#include "pipeline/color.h"

#include <utility>

namespace ridge::pipeline {
namespace {

Image repeated(const Image& gray) {
  Image out{gray.width, gray.height, 3, std::vector<std::uint8_t>(gray.data.size() * 3)};
  std::uint8_t* to = out.data.data();
  for (const std::uint8_t value : gray.data) {
    to[0] = to[1] = to[2] = value;
    to += 3;
  }
  return out;
}

Image luma(const Image& rgb) {
  Image out{rgb.width, rgb.height, 1, std::vector<std::uint8_t>(rgb.data.size() / 3)};
  const std::uint8_t* from = rgb.data.data();
  for (std::uint8_t& value : out.data) {
    const unsigned sum = 19595U * from[0] + 38470U * from[1] + 7471U * from[2] + 32768U;
    value = static_cast<std::uint8_t>(sum >> 16);
    from += 3;
  }
  return out;
}

template <typename T>
void reverse(Raster<T>& image) {
  const auto channels = static_cast<std::size_t>(image.channels);
  if (channels < 3) return;
  for (std::size_t i = 0; i + channels <= image.data.size(); i += channels)
    std::swap(image.data[i], image.data[i + 2]);
}

}  // namespace

void reverse_channels(Image& image) { reverse(image); }
void reverse_channels(FloatImage& image) { reverse(image); }

Image recolored(Image image, Color color) {
  if (color == Color::kGray) return image.channels == 1 ? std::move(image) : luma(image);
  if (image.channels == 1) return repeated(image);
  if (color == Color::kBgr) reverse_channels(image);
  return image;
}

}  // namespace ridge::pipeline
