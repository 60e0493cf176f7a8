// SPDX-License-Identifier: Apache-2.0
// JPEG and PNG files for tests, made in memory.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstdio>  // before jpeglib.h, which uses FILE
#include <cstdlib>
#include <string>

#include <jpeglib.h>  // NOLINT(llvm-include-order)

#include "pipeline/image.h"

namespace ridge::pipeline::testing {

inline Image waves(int width, int height, int channels) {
  Image image{width, height, channels, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c)
        image.data.push_back(static_cast<std::uint8_t>((x * (5 + c) + y * (3 + 2 * c)) % 256));
  return image;
}

enum class Scans { kOne, kProgressive };

/// Quality 90, chroma at half resolution in RGB files.
inline std::string jpeg_file(const Image& image, Scans scans = Scans::kOne) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* out = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &out, &size);
  info.image_width = static_cast<JDIMENSION>(image.width);
  info.image_height = static_cast<JDIMENSION>(image.height);
  info.input_components = image.channels;
  info.in_color_space = image.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 90, TRUE);
  if (scans == Scans::kProgressive) jpeg_simple_progression(&info);
  jpeg_start_compress(&info, TRUE);
  for (int y = 0; y < image.height; ++y) {
    auto* row = const_cast<JSAMPROW>(image.row(y));
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  std::string file(reinterpret_cast<const char*>(out), size);
  std::free(out);
  return file;
}

inline std::string big_endian(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16),
          static_cast<char>(value >> 8), static_cast<char>(value)};
}

inline std::string chunk(const std::string& name_and_data) {
  const auto* bytes = reinterpret_cast<const Bytef*>(name_and_data.data());
  const auto size = static_cast<uInt>(name_and_data.size());
  return big_endian(size - 4) + name_and_data +
         big_endian(static_cast<std::uint32_t>(crc32(0, bytes, size)));
}

/// 8-bit gray or RGB; the header may state another size than the pixels have.
inline std::string png_file(const Image& image, Size stated) {
  std::string raw;
  for (int y = 0; y < image.height; ++y) {
    raw += '\0';
    raw.append(reinterpret_cast<const char*>(image.row(y)), image.row_elements());
  }
  uLongf size = compressBound(static_cast<uLong>(raw.size()));
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(raw.data()), static_cast<uLong>(raw.size()));
  packed.resize(size);
  const std::string header = std::string("IHDR") +
                             big_endian(static_cast<std::uint32_t>(stated.width)) +
                             big_endian(static_cast<std::uint32_t>(stated.height)) + '\x08' +
                             (image.channels == 1 ? '\0' : '\x02') + std::string(3, '\0');
  return "\x89PNG\r\n\x1a\n" + chunk(header) + chunk("IDAT" + packed) + chunk("IEND");
}

inline std::string png_file(const Image& image) { return png_file(image, image.size()); }

}  // namespace ridge::pipeline::testing
