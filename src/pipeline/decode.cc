// SPDX-License-Identifier: Apache-2.0
#include "pipeline/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "pipeline/exif.h"
#include "pipeline/png.h"

namespace ridge::pipeline {
namespace {

template <std::size_t kCount>
bool begins_with(std::span<const std::byte> file, const std::array<unsigned char, kCount>& magic) {
  return file.size() >= kCount &&
         std::equal(magic.begin(), magic.end(), file.begin(), [](unsigned char a, std::byte b) {
           return a == std::to_integer<unsigned char>(b);
         });
}

Error unknown(std::span<const std::byte> file) {
  std::string bytes;
  for (const std::byte b : file.first(std::min<std::size_t>(file.size(), 8)))
    bytes += fmt::format(" {:02x}", std::to_integer<unsigned>(b));
  return input_error("RIDGE-PIPE-0002", "the file is neither JPEG nor PNG")
      .evidence(file.empty() ? "it is empty" : fmt::format("it begins with{}", bytes))
      .hint("convert it to PNG, which loses nothing");
}

}  // namespace

std::optional<FileFormat> recognize(std::span<const std::byte> file) {
  constexpr std::array<unsigned char, 3> kJpegMagic{0xFF, 0xD8, 0xFF};
  constexpr std::array<unsigned char, 8> kPngMagic{0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  if (begins_with(file, kJpegMagic)) return FileFormat::kJpeg;
  if (begins_with(file, kPngMagic)) return FileFormat::kPng;
  return std::nullopt;
}

Result<Image> decode(std::span<const std::byte> file, const Decode& step, const Warned& warned) {
  const auto format = recognize(file);
  if (!format) return unknown(file);
  const bool luma = step.color == Color::kGray && step.gray == GrayBy::kOpencv;
  const Channels channels = luma ? Channels::kLuma : Channels::kOfFile;
  Photo photo = *format == FileFormat::kJpeg ? TRY(decode_jpeg(file, step.jpeg, channels))
                                             : TRY(decode_png(file, channels));
  if (warned && !photo.warning.empty()) warned(photo.warning);
  if (step.turn == Turn::kExif) photo.image = turned(std::move(photo.image), photo.orientation);
  return recolored(std::move(photo.image), step.color);
}

}  // namespace ridge::pipeline
