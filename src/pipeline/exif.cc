// SPDX-License-Identifier: Apache-2.0
#include "pipeline/exif.h"

#include <cstdint>
#include <cstring>

namespace ridge::pipeline {
namespace {

/// Integers of a TIFF file at a position; 0 beyond its end.
class Tiff {
 public:
  explicit Tiff(std::span<const std::byte> bytes)
      : bytes_(bytes), big_endian_(!bytes.empty() && bytes[0] == std::byte{'M'}) {}

  std::uint32_t read(std::size_t at, std::size_t width) const {
    if (at > bytes_.size() || bytes_.size() - at < width) return 0;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < width; ++i) {
      const std::size_t place = big_endian_ ? i : width - 1 - i;
      value = value << 8 | std::to_integer<std::uint32_t>(bytes_[at + place]);
    }
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
  bool big_endian_;
};

constexpr std::uint32_t kOrientationTag = 0x0112, kShort = 3;

}  // namespace

int exif_orientation(std::span<const std::byte> bytes) {
  const Tiff tiff(bytes);
  if (bytes.size() < 8 || bytes[0] != bytes[1] || tiff.read(2, 2) != 42) return 1;
  if (bytes[0] != std::byte{'M'} && bytes[0] != std::byte{'I'}) return 1;
  const std::size_t directory = tiff.read(4, 4);
  const std::uint32_t entries = tiff.read(directory, 2);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + 12 * i;
    if (tiff.read(entry, 2) != kOrientationTag) continue;
    const std::uint32_t value = tiff.read(entry + 8, 2);
    const bool valid = tiff.read(entry + 2, 2) == kShort && value >= 1 && value <= 8;
    return valid ? static_cast<int>(value) : 1;
  }
  return 1;
}

Image turned(Image image, int orientation) {
  if (orientation < 2 || orientation > 8) return image;
  const bool transposed = orientation >= 5;
  // Position in the file of the upright pixel (0, 0), and the steps to the right and down from it.
  const bool from_right =
      orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool from_below =
      orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  Image out{image.width, image.height, image.channels, std::vector<std::uint8_t>()};
  if (transposed) std::swap(out.width, out.height);
  out.data.resize(image.data.size());
  const auto channels = static_cast<std::size_t>(image.channels);
  std::uint8_t* to = out.data.data();
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x, to += channels) {
      const int across = transposed ? y : x, down = transposed ? x : y;
      const int from_x = from_right ? image.width - 1 - across : across;
      const int from_y = from_below ? image.height - 1 - down : down;
      std::memcpy(to, image.row(from_y) + static_cast<std::size_t>(from_x) * channels, channels);
    }
  return out;
}

}  // namespace ridge::pipeline
