// SPDX-License-Identifier: Apache-2.0
#include "evaluation/data/ground_truth.h"

#include <fmt/format.h>

#include "base/file.h"
#include "base/lines.h"
#include "pipeline/decode.h"
#include "pipeline/normalize.h"
#include "runtime/inputs/npy.h"

namespace ridge::evaluation {
namespace {

constexpr std::int64_t kMaxTruthBytes = std::int64_t{256} << 20;

Error faulty_file(const std::string& path, std::string message) {
  return faulty_truth(std::move(message)).in_file(path);
}

Result<pipeline::FloatImage> read_array(const std::string& path) {
  const runtime::Npy npy = TRY(runtime::Npy::open(path));
  const std::vector<std::int64_t>& d = npy.header.dims;
  if (npy.header.type != onnx::DataType::kFloat || (d.size() != 2 && d.size() != 3))
    return faulty_file(path, "a reference is height x width x channels of float32");
  TRY(pipeline::check_size(d[1], d[0]));
  const std::int64_t channels = d.size() == 3 ? d[2] : 1;
  if (channels < 1 || channels > 4) return faulty_file(path, "a reference has 1 to 4 channels");
  auto out = TRY(pipeline::make_raster<float>({static_cast<int>(d[1]), static_cast<int>(d[0])},
                                              static_cast<int>(channels)));
  TRY(npy.file.read_at(npy.offset, std::as_writable_bytes(std::span(out.data))));
  return out;
}

/// True for a PNG whose pixels are 8-bit gray values, by its header.
bool is_gray_png(std::string_view bytes) {
  constexpr std::size_t kDepth = 24, kColor = 25;
  return bytes.size() > kColor && bytes[kDepth] == 8 && bytes[kColor] == 0;
}

}  // namespace

Error faulty_truth(std::string message) { return input_error("RIDGE-WB-0118", std::move(message)); }

Result<std::string> text_of(const std::string& path, const std::string* bytes, std::int64_t limit) {
  if (bytes == nullptr) return read_text_file(path, limit);
  return text_of_file(*bytes, path);
}

Result<TrueMask> read_mask_truth(const std::string& folder, const std::string& name) {
  const std::string path = fmt::format("{}/{}.png", folder, stem(name));
  const std::string bytes = TRY(read_file(path, kMaxTruthBytes));
  if (!is_gray_png(bytes))
    return faulty_file(path, "a mask is a PNG of 8-bit gray values, the class of each pixel")
        .hint("convert palettes to their indices, without colors");
  const pipeline::Image image = TRY_IN(
      path, pipeline::decode(std::as_bytes(std::span(bytes)), {.color = pipeline::Color::kGray}));
  TrueMask out{image.size(), {}};
  out.classes.assign(image.data.begin(), image.data.end());
  return out;
}

Result<pipeline::FloatImage> read_image_truth(const std::string& folder, const std::string& name,
                                              int channels) {
  const std::string base = fmt::format("{}/{}", folder, stem(name));
  if (file_exists(base + ".npy")) return read_array(base + ".npy");
  for (const char* ending : {".png", ".jpg", ".jpeg"}) {
    if (!file_exists(base + ending)) continue;
    const std::string bytes = TRY(read_file(base + ending, kMaxTruthBytes));
    const auto color = channels == 1 ? pipeline::Color::kGray : pipeline::Color::kRgb;
    std::string damage;
    const pipeline::Image image =
        TRY_IN(base + ending, pipeline::decode(std::as_bytes(std::span(bytes)), {.color = color},
                                               [&](const std::string& w) { damage = w; }));
    if (!damage.empty())
      return faulty_file(base + ending, "the reference is damaged")
          .evidence("libjpeg-turbo: " + damage)
          .hint("give an undamaged one");
    return pipeline::as_float(image);
  }
  return faulty_file(folder, fmt::format("sample '{}' has no reference", name))
      .hint("it needs a .png, .jpg or .npy of the same name");
}

}  // namespace ridge::evaluation
