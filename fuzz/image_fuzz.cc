// SPDX-License-Identifier: Apache-2.0
// Image files: nothing crashes or allocates beyond the bound; what is decoded has the size that it
// states, and turning it keeps its pixels.
#include <cstdint>
#include <span>

#include "check.h"
#include "pipeline/decode.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ridge::pipeline;
  if (size == 0) return 0;
  // The last byte chooses the options; decoders do not need the end of a file.
  const std::uint8_t choice = data[size - 1];
  Decode step;
  step.jpeg.dct = (choice & 1) != 0 ? Dct::kIfast : Dct::kIslow;
  step.jpeg.upsampling = (choice & 2) != 0 ? Upsampling::kBox : Upsampling::kFancy;
  step.turn = (choice & 4) != 0 ? Turn::kExif : Turn::kNever;
  step.color = (choice & 8) != 0 ? Color::kGray : Color::kBgr;
  const auto image = decode(std::as_bytes(std::span(data, size)), step);
  if (!image.ok()) return 0;
  ridge::fuzz::check(check_size(image->width, image->height).ok());
  ridge::fuzz::check(image->channels == (step.color == Color::kGray ? 1 : 3));
  ridge::fuzz::check(image->data.size() ==
                     image->row_elements() * static_cast<std::size_t>(image->height));
  return 0;
}
