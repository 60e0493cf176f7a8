// SPDX-License-Identifier: Apache-2.0
#include "pipeline/png.h"

#include <fmt/format.h>
#include <png.h>

#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/text.h"
#include "pipeline/exif.h"

namespace ridge::pipeline {
namespace {

/// Most bytes that one byte of deflate can become.
constexpr std::uint64_t kMaxExpansion = 1032;

/// Chunks that no pixel depends on; compressed ones cost time that has nothing to do with the size
/// of the image.
constexpr png_byte kSkipped[] = "iCCP\0iTXt\0tEXt\0zTXt\0sPLT\0hIST\0pCAL\0sCAL";

struct Source {
  std::span<const std::byte> left;
  bool ended = false;
  char message[200] = "";
};

void on_read(png_structp png, png_bytep out, std::size_t wanted) {
  auto* source = static_cast<Source*>(png_get_io_ptr(png));
  if (source->left.size() < wanted) {
    source->ended = true;
    png_error(png, "the file ends");
  }
  std::memcpy(out, source->left.data(), wanted);
  source->left = source->left.subspan(wanted);
}

[[noreturn]] void on_png_error(png_structp png, png_const_charp message) {
  auto* source = static_cast<Source*>(png_get_error_ptr(png));
  std::strncpy(source->message, message, sizeof source->message - 1);
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

class Reader {
 public:
  explicit Reader(std::span<const std::byte> file) : source_{file} {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source_, on_png_error, on_warning);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() { png_destroy_read_struct(&png_, &info_, nullptr); }

  png_structp png() const { return png_; }
  png_infop info() const { return info_; }

  /// Calls `step`, which must own nothing that a jump out of it would leak.
  template <typename Step>
  Result<void> run(Step step) {
    if (info_ == nullptr) return failure();
    if (setjmp(png_jmpbuf(png_)) != 0) return failure();
    step();
    return {};
  }

  void start() {
    png_set_read_fn(png_, &source_, on_read);
    png_set_user_limits(png_, 0x7fffffff,
                        0x7fffffff);  // check_size() has the bound and the message
    constexpr int kCount = sizeof kSkipped / 5;
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, kSkipped, kCount);
    png_read_info(png_, info_);
  }

 private:
  Error failure() const {
    if (source_.ended) return ended_early("PNG");
    return input_error("RIDGE-PIPE-0006", "the file is no valid PNG image")
        .evidence(fmt::format("libpng: {}", printable(source_.message)));
  }

  Source source_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

Result<void> check_png_header(const Reader& reader, std::size_t bytes) {
  const std::uint64_t width = png_get_image_width(reader.png(), reader.info());
  const std::uint64_t height = png_get_image_height(reader.png(), reader.info());
  TRY(check_size(static_cast<std::int64_t>(width), static_cast<std::int64_t>(height)));
  const std::uint64_t bits = width * png_get_bit_depth(reader.png(), reader.info()) *
                             png_get_channels(reader.png(), reader.info());
  if ((bits / 8 + 1) * height / kMaxExpansion <= bytes) return {};
  return too_short_for("PNG", bytes, width, height);
}

/// Asks for 8-bit gray or RGB.
void configure_png(const Reader& reader, Channels channels) {
  const png_byte type = png_get_color_type(reader.png(), reader.info());
  if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(reader.png());
  if (type == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(reader.png());
  if (channels == Channels::kLuma && type != PNG_COLOR_TYPE_GRAY &&
      type != PNG_COLOR_TYPE_GRAY_ALPHA)
    png_set_rgb_to_gray(reader.png(), PNG_ERROR_ACTION_NONE, 0.299, 0.587);
  png_set_strip_16(reader.png());
  png_set_strip_alpha(reader.png());
}

int png_orientation(const Reader& reader) {
  png_uint_32 size = 0;
  png_bytep exif = nullptr;
  if (png_get_eXIf_1(reader.png(), reader.info(), &size, &exif) == 0) return 1;
  return exif_orientation(std::as_bytes(std::span(exif, size)));
}

}  // namespace

Result<Photo> decode_png(std::span<const std::byte> file, Channels channels) {
  Reader reader(file);
  TRY(reader.run([&] { reader.start(); }));
  TRY(check_png_header(reader, file.size()));
  int passes = 1;
  TRY(reader.run([&] {
    configure_png(reader, channels);
    passes = png_set_interlace_handling(reader.png());
    png_read_update_info(reader.png(), reader.info());
  }));
  Photo photo;
  photo.image = TRY(make_raster<std::uint8_t>(
      {static_cast<int>(png_get_image_width(reader.png(), reader.info())),
       static_cast<int>(png_get_image_height(reader.png(), reader.info()))},
      png_get_channels(reader.png(), reader.info())));
  if (png_get_rowbytes(reader.png(), reader.info()) != photo.image.row_elements())
    return bug("libpng's rows have another length than the image's", "decode_png");
  TRY(reader.run([&] {
    for (int pass = 0; pass < passes; ++pass)
      for (int y = 0; y < photo.image.height; ++y)
        png_read_row(reader.png(), photo.image.row(y), nullptr);
    png_read_end(reader.png(), reader.info());  // an eXIf chunk may follow the pixels
  }));
  photo.orientation = png_orientation(reader);
  return photo;
}

}  // namespace ridge::pipeline
