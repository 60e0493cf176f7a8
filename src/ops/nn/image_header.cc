// SPDX-License-Identifier: Apache-2.0
#include "ops/nn/image_header.h"

#include <string_view>

namespace ridge::ops {
namespace {

enum class Order : std::uint8_t { kBig, kLittle };

// Byte access for parsing; reads past the end return 0, so parsers need no bounds checks.
class HeaderBytes {
 public:
  explicit HeaderBytes(std::span<const Dim> bytes) : bytes_(bytes) {}

  std::size_t size() const { return bytes_.size(); }
  std::int64_t at(std::size_t i) const {
    return i < bytes_.size() && bytes_[i].known() ? bytes_[i].value() & 0xff : 0;
  }
  std::int64_t number(std::size_t i, std::size_t width, Order order) const {
    std::int64_t out = 0;
    for (std::size_t k = 0; k < width; ++k)
      out = out << 8 | at(order == Order::kBig ? i + k : i + width - 1 - k);
    return out;
  }
  bool says(std::size_t i, std::string_view text) const {
    for (std::size_t k = 0; k < text.size(); ++k)
      if (at(i + k) != static_cast<unsigned char>(text[k])) return false;
    return true;
  }

 private:
  std::span<const Dim> bytes_;
};

ImageSize sized(std::int64_t height, std::int64_t width) {
  if (height <= 0 || width <= 0) return {};
  return {Dim(height), Dim(width)};
}

// JPEG is a chain of segments; the start-of-frame segment contains the size.
ImageSize jpeg(const HeaderBytes& b) {
  for (std::size_t i = 2; i + 9 < b.size() && b.at(i) == 0xff;) {
    const std::int64_t kind = b.at(i + 1);
    const bool frame = kind >= 0xc0 && kind <= 0xcf && kind != 0xc4 && kind != 0xc8 && kind != 0xcc;
    if (frame) return sized(b.number(i + 5, 2, Order::kBig), b.number(i + 7, 2, Order::kBig));
    i += 2 + static_cast<std::size_t>(b.number(i + 2, 2, Order::kBig));
  }
  return {};
}

// PNM: two decimal numbers after the magic, width first; comments extend to the end of the line.
ImageSize pnm(const HeaderBytes& b) {
  std::int64_t numbers[2] = {};
  std::size_t i = 2;
  for (std::int64_t& n : numbers) {
    while (i < b.size() && (b.at(i) < '0' || b.at(i) > '9'))
      if (b.at(i++) == '#')
        while (i < b.size() && b.at(i) != '\n') ++i;
    for (; i < b.size() && b.at(i) >= '0' && b.at(i) <= '9'; ++i)
      if (n < INT32_MAX) n = n * 10 + b.at(i) - '0';
  }
  return sized(numbers[1], numbers[0]);
}

// TIFF: in the first directory, tag 256 is the width and 257 the height, as 16 (type 3) or 32 bits.
ImageSize tiff(const HeaderBytes& b, Order order) {
  const auto directory = static_cast<std::size_t>(b.number(4, 4, order));
  const std::int64_t entries = b.number(directory, 2, order);
  std::int64_t sizes[2] = {};
  for (std::int64_t k = 0; k < entries; ++k) {
    const std::size_t entry = directory + 2 + 12 * static_cast<std::size_t>(k);
    if (entry >= b.size()) break;
    const std::int64_t tag = b.number(entry, 2, order);
    if (tag != 256 && tag != 257) continue;
    const std::size_t width = b.number(entry + 2, 2, order) == 3 ? 2 : 4;
    sizes[tag - 256] = b.number(entry + 8, width, order);
  }
  return sized(sizes[1], sizes[0]);
}

ImageSize webp(const HeaderBytes& b) {
  if (b.says(12, "VP8 "))
    return sized(b.number(28, 2, Order::kLittle) & 0x3fff,
                 b.number(26, 2, Order::kLittle) & 0x3fff);
  if (b.says(12, "VP8L")) {
    const std::int64_t bits = b.number(21, 4, Order::kLittle);
    return sized((bits >> 14 & 0x3fff) + 1, (bits & 0x3fff) + 1);
  }
  if (b.says(12, "VP8X"))
    return sized(b.number(27, 3, Order::kLittle) + 1, b.number(24, 3, Order::kLittle) + 1);
  return {};
}

// JPEG 2000: the image header box is among the first boxes.
ImageSize jpeg2000(const HeaderBytes& b) {
  for (std::size_t i = 0; i + 12 < b.size() && i < 512; ++i)
    if (b.says(i, "ihdr"))
      return sized(b.number(i + 4, 4, Order::kBig), b.number(i + 8, 4, Order::kBig));
  return {};
}

}  // namespace

ImageSize image_size(std::span<const Dim> bytes) {
  const HeaderBytes b(bytes);
  if (b.says(0, "\x89PNG"))
    return sized(b.number(20, 4, Order::kBig), b.number(16, 4, Order::kBig));
  if (b.says(0, "BM")) {
    const std::int64_t height = b.number(22, 4, Order::kLittle);
    // BMP: the height is negative if rows are stored top to bottom.
    return sized(height > INT32_MAX ? (std::int64_t{1} << 32) - height : height,
                 b.number(18, 4, Order::kLittle));
  }
  if (b.at(0) == 0xff && b.at(1) == 0xd8) return jpeg(b);
  if (b.at(0) == 'P' && b.at(1) >= '1' && b.at(1) <= '6') return pnm(b);
  if (b.says(0, "II")) return tiff(b, Order::kLittle);
  if (b.says(0, "MM")) return tiff(b, Order::kBig);
  if (b.says(0, "RIFF") && b.says(8, "WEBP")) return webp(b);
  if (b.says(4, "jP")) return jpeg2000(b);
  return {};
}

}  // namespace ridge::ops
