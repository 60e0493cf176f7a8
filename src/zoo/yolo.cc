// SPDX-License-Identifier: Apache-2.0
// YOLOv5 v6/v7 and YOLOv8 detectors for 80 classes (ultralytics/yolov5 and ultralytics/ultralytics,
// their yaml tables). YOLOv5's own head has three anchors per cell; YOLOv5u has the head of YOLOv8.
// Outputs are taken before decoding with the anchor grid: raw maps, or the four distances (an
// expectation over 16 bins) and the class scores of every cell.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

constexpr std::int64_t kClasses = 80, kBins = 16, kAnchors = 3;
/// Gain after SiLU. Of large inputs it keeps half of the mean square, as ReLU does; with a larger
/// gain activations grow from layer to layer (2.8: to 600), until Softmax gives subnormal numbers.
constexpr float kYoloSiluGain = 2;

struct YoloScale {
  std::string_view name;  ///< size letter of the model name
  double depth, width;
  std::int64_t widest;
};
constexpr YoloScale kScales5[] = {{"n", 0.33, 0.25, 1024},
                                  {"s", 0.33, 0.5, 1024},
                                  {"m", 0.67, 0.75, 1024},
                                  {"l", 1, 1, 1024},
                                  {"x", 1.33, 1.25, 1024}};
constexpr YoloScale kScales8[] = {{"n", 0.33, 0.25, 1024},
                                  {"s", 0.33, 0.5, 1024},
                                  {"m", 0.67, 0.75, 768},
                                  {"l", 1, 1, 512},
                                  {"x", 1, 1.25, 512}};

/// Convolution, normalization, SiLU.
Tensor yolo_conv(Builder& b, const std::string& leaf, Tensor x, std::int64_t out,
                 std::int64_t kernel = 1, std::int64_t stride = 1) {
  const auto scope = b.module(leaf);
  const ConvOptions o{.out = out,
                      .kernel = kernel,
                      .stride = stride,
                      .pad = kernel == 6 ? 2 : kernel / 2,
                      .gain = kYoloSiluGain};
  return b.silu("act", b.batch_norm("bn", b.conv("conv", x, o)));
}

Tensor yolo_bottleneck(Builder& b, int index, Tensor x, std::int64_t first_kernel, bool shortcut) {
  const auto scope = b.module(fmt::format("m.{}", index));
  const Tensor y = yolo_conv(b, "cv2", yolo_conv(b, "cv1", x, x.width, first_kernel), x.width, 3);
  return shortcut ? b.add(x, y) : y;
}

/// Stages of one detector, numbered as in its yaml table.
class Detector {
 public:
  Detector(Builder& b, bool split_blocks, const YoloScale& scale)
      : b_(b), split_blocks_(split_blocks), scale_(scale) {}

  std::int64_t width(std::int64_t channels) const {
    // Example: 1024 channels are min(1024, 768) * 0.75 = 576 in YOLOv8m and 256 in YOLOv5n. The
    // widths of all scales are multiples of 8.
    const double wanted = static_cast<double>(std::min(channels, scale_.widest)) * scale_.width;
    return static_cast<std::int64_t>(std::ceil(wanted / 8)) * 8;
  }
  std::string next() { return fmt::format("model.{}", index_++); }

  Tensor reduce(Tensor x, std::int64_t channels, std::int64_t kernel = 3, std::int64_t stride = 2) {
    return yolo_conv(b_, next(), x, width(channels), kernel, stride);
  }

  /// CSP block: half of the channels pass through bottlenecks (YOLOv5), or the outputs of all
  /// bottlenecks are concatenated (YOLOv8).
  Tensor block(Tensor x, std::int64_t channels, int repeat, bool shortcut) {
    const auto scope = b_.module(next());
    const std::int64_t out = width(channels);
    const int count = std::max(1, static_cast<int>(std::lround(repeat * scale_.depth)));
    if (!split_blocks_) {
      Tensor y = yolo_conv(b_, "cv1", x, out / 2);
      for (int i = 0; i < count; ++i) y = yolo_bottleneck(b_, i, y, 1, shortcut);
      return yolo_conv(b_, "cv3", b_.concat({y, yolo_conv(b_, "cv2", x, out / 2)}), out);
    }
    std::vector<Tensor> made =
        b_.op_many("Split", {yolo_conv(b_, "cv1", x, out)}, {{"axis", 1}}, 2, out / 2);
    for (int i = 0; i < count; ++i)
      made.push_back(yolo_bottleneck(b_, i, made.back(), 3, shortcut));
    return yolo_conv(b_, "cv2", b_.concat(made), out);
  }

  Tensor pyramid_pool(Tensor x) {
    const auto scope = b_.module(next());
    // SPPF of Ultralytics: windows of 5, one after the other, see 5, 9 and 13 pixels, as three
    // pools of those sizes side by side would.
    std::vector<Tensor> made{yolo_conv(b_, "cv1", x, x.width / 2)};
    for (int i = 0; i < 3; ++i)
      made.push_back(b_.max_pool("m", made.back(), {.kernel = 5, .stride = 1, .pad = 2}));
    return yolo_conv(b_, "cv2", b_.concat(made), x.width);
  }

  /// Upsamples x to `cells` cells per side, and concatenates it with `other`.
  Tensor enlarged_beside(Tensor x, Tensor other, std::int64_t cells) {
    {
      const auto scope = b_.module(next());
      const Tensor size =
          b_.op("Concat", {b_.size_of(x, 0), b_.ints({x.width, cells, cells})}, {{"axis", 0}});
      x = b_.op("Resize", {x, {}, {}, size});
    }
    return beside(x, other);
  }
  Tensor beside(Tensor x, Tensor other) {
    const auto scope = b_.module(next());
    return b_.concat({x, other});
  }

 private:
  Builder& b_;
  bool split_blocks_;
  const YoloScale& scale_;
  int index_ = 0;
};

struct Maps {
  Tensor small, medium, large;  ///< at strides 8, 16, 32
};

Maps backbone_and_neck(Builder& b, Detector& d, Tensor x, bool five, std::int64_t side) {
  x = d.reduce(d.reduce(x, 64, five ? 6 : 3), 128);
  x = d.reduce(d.block(x, 128, 3, true), 256);
  const Tensor p3 = d.block(x, 256, 6, true);
  const Tensor p4 = d.block(d.reduce(p3, 512), 512, five ? 9 : 6, true);
  Tensor p5 = d.pyramid_pool(d.block(d.reduce(p4, 1024), 1024, 3, true));
  if (five) p5 = yolo_conv(b, d.next(), p5, d.width(512));
  Tensor n4 = d.block(d.enlarged_beside(p5, p4, side / 16), 512, 3, false);
  if (five) n4 = yolo_conv(b, d.next(), n4, d.width(256));
  Maps maps;
  maps.small = d.block(d.enlarged_beside(n4, p3, side / 8), 256, 3, false);
  maps.medium = d.block(d.beside(d.reduce(maps.small, 256), n4), 512, 3, false);
  maps.large = d.block(d.beside(d.reduce(maps.medium, 512), p5), 1024, 3, false);
  return maps;
}

void anchor_head(Builder& b, Detector& d, const Maps& maps, std::int64_t side) {
  const auto scope = b.module(d.next());
  int level = 0;
  for (const Tensor& map : {maps.small, maps.medium, maps.large}) {
    const std::int64_t cells = side / (8 << level), out = kAnchors * (kClasses + 5);
    const Tensor y = b.conv(fmt::format("m.{}", level), map, {.out = out, .bias = true, .gain = 1});
    b.output(fmt::format("map{}", level++), y, {"batch", out, cells, cells});
  }
}

/// Two 3x3 convolutions and a 1x1, as children of the module `branch`.
Tensor yolo_branch(Builder& b, const std::string& name, int level, Tensor x, std::int64_t hidden,
                   std::int64_t out) {
  const auto scope = b.module(fmt::format("{}.{}", name, level));
  const auto child = [&](int i) { return fmt::format("{}.{}.{}", name, level, i); };
  x = yolo_conv(b, child(1), yolo_conv(b, child(0), x, hidden, 3), hidden, 3);
  return b.conv(child(2), x, {.out = out, .bias = true, .gain = 1});
}

void distance_head(Builder& b, Detector& d, const Maps& maps, std::int64_t side) {
  const auto scope = b.module(d.next());
  const std::int64_t box = std::max<std::int64_t>({16, maps.small.width / 4, 4 * kBins});
  const std::int64_t score = std::max(maps.small.width, kClasses);
  std::vector<Tensor> boxes, scores;
  std::int64_t cells = 0;
  for (const Tensor& map : {maps.small, maps.medium, maps.large}) {
    const int level = static_cast<int>(boxes.size());
    const std::int64_t here = (side / (8 << level)) * (side / (8 << level));
    const Tensor distances = yolo_branch(b, "cv2", level, map, box, 4 * kBins);
    const Tensor classes = yolo_branch(b, "cv3", level, map, score, kClasses);
    boxes.push_back(b.reshape(distances, {0, 4 * kBins, here}, 0));
    scores.push_back(b.reshape(classes, {0, kClasses, here}, 0));
    cells += here;
  }
  Tensor y = b.op("Concat", boxes, {{"axis", 2}});
  y = b.transpose(b.reshape(y, {0, 4, kBins, cells}, kBins), {0, 2, 1, 3});
  {
    const auto expectation = b.module("dfl");
    y = b.conv("conv", b.op("Softmax", {y}, {{"axis", 1}}), {.out = 1, .gain = 1});
  }
  b.output("distances", b.reshape(y, {0, 4, cells}, 0), {"batch", 4, cells});
  const Tensor likely = b.op("Sigmoid", {b.op("Concat", scores, {{"axis", 2}})});
  b.output("scores", likely, {"batch", kClasses, cells});
}

onnx::Document build_yolo(const Request& request) {
  const bool five = request.network.starts_with("yolov5");
  const std::string_view letter = request.network.substr(6, 1);
  Builder b(request.network, request.batch_norm);
  Detector d(b, !five, five ? row_of(kScales5, letter) : row_of(kScales8, letter));
  const Maps maps = backbone_and_neck(b, d, image_input(b, request.side), five, request.side);
  const bool anchors = five && !request.network.ends_with("u");
  (anchors ? anchor_head : distance_head)(b, d, maps, request.side);
  return std::move(b).finish();
}

constexpr Entry yolo_entry(std::string_view name, std::string_view description) {
  return {name,        "YOLO",
          description, "Jocher et al., github.com/ultralytics",
          kOneImage,   {.side = 640, .step = 32},
          build_yolo};
}
constexpr std::string_view k5 = "YOLOv5: C3 blocks, three anchors a cell",
                           k5u = "YOLOv5u: YOLOv5 with the head of YOLOv8",
                           k8 = "YOLOv8: C2f blocks, distances and scores a cell";
constexpr Entry kYoloEntries[] = {
    yolo_entry("yolov5n", k5),   yolo_entry("yolov5s", k5),   yolo_entry("yolov5m", k5),
    yolo_entry("yolov5l", k5),   yolo_entry("yolov5x", k5),   yolo_entry("yolov5nu", k5u),
    yolo_entry("yolov5su", k5u), yolo_entry("yolov5mu", k5u), yolo_entry("yolov5lu", k5u),
    yolo_entry("yolov5xu", k5u), yolo_entry("yolov8n", k8),   yolo_entry("yolov8s", k8),
    yolo_entry("yolov8m", k8),   yolo_entry("yolov8l", k8),   yolo_entry("yolov8x", k8)};

}  // namespace

Family yolo() { return kYoloEntries; }

}  // namespace ridge::zoo
