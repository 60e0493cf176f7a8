// SPDX-License-Identifier: Apache-2.0
#include "pipeline/jpeg.h"

#include <fmt/format.h>

#include <algorithm>
#include <csetjmp>
#include <cstdio>  // before jpeglib.h, which uses FILE
#include <cstring>
#include <string_view>

#include <jpeglib.h>  // NOLINT(llvm-include-order)

#include <jerror.h>

#include "base/text.h"
#include "pipeline/exif.h"

namespace ridge::pipeline {
namespace {

/// Progressive files repeat passes over the whole image; encoders write about ten.
constexpr int kMaxScans = 100;
/// Coefficients of a progressive file of kMaxPixels in three components, 2 bytes each.
constexpr long kMaxLibraryBytes = 600L << 20;

enum class Failure : std::uint8_t { kNone, kLibrary, kTruncated, kScans };

/// The library's error manager. It reports errors by a callback that must not return; ours jumps
/// out of the call.
struct ErrorManager {
  jpeg_error_mgr base{};  // first: the library hands its address back
  std::jmp_buf jump{};
  Failure failure = Failure::kNone;
  char message[JMSG_LENGTH_MAX] = "";
  char warning[JMSG_LENGTH_MAX] = "";  ///< the first
};

[[noreturn]] void leave(j_common_ptr info, Failure failure) {
  auto* manager = reinterpret_cast<ErrorManager*>(info->err);
  manager->failure = failure;
  manager->base.format_message(info, manager->message);
  std::longjmp(manager->jump, 1);
}

void on_jpeg_error(j_common_ptr info) { leave(info, Failure::kLibrary); }

void on_message(j_common_ptr info, int level) {
  // The library would invent the missing part.
  if (level < 0 && info->err->msg_code == JWRN_JPEG_EOF) leave(info, Failure::kTruncated);
  auto* manager = reinterpret_cast<ErrorManager*>(info->err);
  if (level < 0 && manager->warning[0] == 0) manager->base.format_message(info, manager->warning);
}

void on_progress(j_common_ptr info) {
  if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number > kMaxScans)
    leave(info, Failure::kScans);
}

class Decompressor {
 public:
  Decompressor() {
    info_.err = jpeg_std_error(&errors_.base);
    errors_.base.error_exit = on_jpeg_error;
    errors_.base.emit_message = on_message;
    progress_.progress_monitor = on_progress;
  }
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;
  ~Decompressor() { jpeg_destroy_decompress(&info_); }

  jpeg_decompress_struct& info() { return info_; }

  /// Calls `step`, which must own nothing that a jump out of it would leak.
  template <typename Step>
  Result<void> run(Step step) {
    if (setjmp(errors_.jump) != 0) return failure();
    step(info_);
    return {};
  }

  void watch() { info_.progress = &progress_; }
  std::string warning() const { return printable(errors_.warning); }

 private:
  Error failure() const {
    if (errors_.failure == Failure::kTruncated) return ended_early("JPEG");
    Error error = input_error("RIDGE-PIPE-0004", "the file is no valid JPEG image");
    if (errors_.failure == Failure::kScans)
      return std::move(error).evidence(fmt::format("it has more than {} scans", kMaxScans));
    return std::move(error).evidence(fmt::format("libjpeg-turbo: {}", printable(errors_.message)));
  }

  jpeg_decompress_struct info_{};
  ErrorManager errors_;
  jpeg_progress_mgr progress_{};
};

/// Every block of a Huffman-coded file has a DC code of at least one bit.
bool too_short(const jpeg_decompress_struct& info, std::size_t bytes) {
  if (info.arith_code != FALSE) return false;
  std::uint64_t blocks = 0;
  for (int i = 0; i < info.num_components; ++i)
    blocks += std::uint64_t{info.comp_info[i].width_in_blocks} * info.comp_info[i].height_in_blocks;
  return std::uint64_t{bytes} * 8 < blocks;
}

Result<void> check_jpeg_header(const jpeg_decompress_struct& info, std::size_t bytes) {
  TRY(check_size(info.image_width, info.image_height));
  const int components = info.num_components;
  if (components != 1 && components != 3 && components != 4)
    return input_error(
        "RIDGE-PIPE-0005",
        fmt::format("the JPEG file has {} components, 1, 3 and 4 have a meaning", components));
  if (!too_short(info, bytes)) return {};
  return too_short_for("JPEG", bytes, info.image_width, info.image_height);
}

/// Bytes of an APP1 segment after "Exif\0\0".
int jpeg_orientation(const jpeg_decompress_struct& info) {
  constexpr std::string_view kName("Exif\0\0", 6);
  for (auto marker = info.marker_list; marker != nullptr; marker = marker->next) {
    if (marker->marker != JPEG_APP0 + 1 || marker->data_length <= kName.size()) continue;
    if (std::memcmp(marker->data, kName.data(), kName.size()) != 0) continue;
    return exif_orientation(
        std::as_bytes(std::span(marker->data, marker->data_length)).subspan(kName.size()));
  }
  return 1;
}

void configure_jpeg(jpeg_decompress_struct& info, const JpegOptions& options, Channels channels) {
  const bool four = info.num_components == 4;
  info.out_color_space = four ? JCS_CMYK : JCS_RGB;
  if (info.num_components == 1 || (channels == Channels::kLuma && !four))
    info.out_color_space = JCS_GRAYSCALE;
  info.dct_method = options.dct == Dct::kIslow ? JDCT_ISLOW : JDCT_IFAST;
  info.do_fancy_upsampling = options.upsampling == Upsampling::kFancy ? TRUE : FALSE;
}

/// Product of two bytes over 255, rounded.
int over_255(int a, int b) {
  const int product = a * b + 128;
  return (product + (product >> 8)) >> 8;
}

/// The inverted CMYK pixels of `image` as RGB, in place.
void to_rgb(Image& image) {
  const std::uint8_t* from = image.data.data();
  std::uint8_t* to = image.data.data();
  for (std::size_t left = image.data.size() / 4; left > 0; --left, from += 4, to += 3) {
    const int k = from[3];
    for (int c = 0; c < 3; ++c)
      to[c] = static_cast<std::uint8_t>(std::clamp(k - over_255(255 - from[c], k), 0, 255));
  }
  image.channels = 3;
  image.data.resize(image.data.size() / 4 * 3);
}

/// The inverted CMYK pixels of `image` as gray, by OpenCV's arithmetic.
void to_gray(Image& image) {
  const std::uint8_t* from = image.data.data();
  std::uint8_t* to = image.data.data();
  for (std::size_t left = image.data.size() / 4; left > 0; --left, from += 4) {
    const int k = from[3];
    const auto color = [&](int c) { return k - (((255 - from[c]) * k) >> 8); };
    *to++ = static_cast<std::uint8_t>(
        (color(0) * 4899 + color(1) * 9617 + color(2) * 1868 + (1 << 13)) >> 14);
  }
  image.channels = 1;
  image.data.resize(image.data.size() / 4);
}

}  // namespace

Result<Photo> decode_jpeg(std::span<const std::byte> file, const JpegOptions& options,
                          Channels channels) {
  Decompressor decompressor;
  jpeg_decompress_struct& info = decompressor.info();
  const auto* bytes = reinterpret_cast<const unsigned char*>(file.data());
  TRY(decompressor.run([&](jpeg_decompress_struct& d) {
    jpeg_create_decompress(&d);
    d.mem->max_memory_to_use = kMaxLibraryBytes;
    jpeg_mem_src(&d, bytes, file.size());
    jpeg_save_markers(&d, JPEG_APP0 + 1, 0xFFFF);
    jpeg_read_header(&d, TRUE);
  }));
  TRY(check_jpeg_header(info, file.size()));
  decompressor.watch();
  TRY(decompressor.run([&](jpeg_decompress_struct& d) {
    configure_jpeg(d, options, channels);
    jpeg_start_decompress(&d);
  }));
  Photo photo{TRY(make_raster<std::uint8_t>(
                  {static_cast<int>(info.output_width), static_cast<int>(info.output_height)},
                  info.output_components)),
              jpeg_orientation(info),
              {}};
  TRY(decompressor.run([&](jpeg_decompress_struct& d) {
    while (d.output_scanline < d.output_height) {
      JSAMPROW row = photo.image.row(static_cast<int>(d.output_scanline));
      jpeg_read_scanlines(&d, &row, 1);
    }
  }));
  photo.warning = decompressor.warning();
  if (photo.image.channels == 4)
    channels == Channels::kLuma ? to_gray(photo.image) : to_rgb(photo.image);
  return photo;
}

}  // namespace ridge::pipeline
