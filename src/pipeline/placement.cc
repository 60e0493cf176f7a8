// SPDX-License-Identifier: Apache-2.0
#include "pipeline/placement.h"

namespace ridge::pipeline {
namespace {

void move(Placement& p, int x, int y) {
  p.offset_x += x;
  p.offset_y += y;
}

}  // namespace

Box Placement::undone(const Box& box) const {
  const auto x = [&](float at) { return static_cast<float>((at - offset_x) / scale_x); };
  const auto y = [&](float at) { return static_cast<float>((at - offset_y) / scale_y); };
  return {x(box.left), y(box.top), x(box.right), y(box.bottom)};
}

Result<Placement> placement_of(std::span<const Step> steps, Size image) {
  Placement p;
  p.input = image;
  for (const Step& step : steps) {
    if (const auto* resize = std::get_if<Resize>(&step)) {
      const Size to = TRY(resized(p.input, resize->target));
      const double across = static_cast<double>(to.width) / p.input.width;
      const double down = static_cast<double>(to.height) / p.input.height;
      p = {p.scale_x * across, p.scale_y * down, p.offset_x * across, p.offset_y * down, to};
    } else if (const auto* crop = std::get_if<Crop>(&step)) {
      TRY(check_crop(p.input, *crop));
      if (crop->anchor == Anchor::kCenter) {
        const Offset at = centered(p.input, crop->size, crop->rounding);
        move(p, -at.x, -at.y);
      }
      p.input = crop->size;
    } else if (const auto* pad = std::get_if<Pad>(&step)) {
      TRY(check_pad(p.input, *pad));
      if (pad->anchor == Anchor::kCenter) {
        const Offset at = centered(pad->size, p.input, CropRounding::kDown);
        move(p, at.x, at.y);
      }
      p.input = pad->size;
    }
  }
  return p;
}

}  // namespace ridge::pipeline
