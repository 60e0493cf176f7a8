// SPDX-License-Identifier: Apache-2.0
// Text of pipeline steps: what is read prints to text that reads as the same, and runs on a small
// image without a crash.
#include <cstdint>
#include <string_view>

#include "check.h"
#include "pipeline/pipeline.h"
#include "pipeline/shape.h"
#include "pipeline/step_text.h"

namespace {

/// True if no step makes an image that takes long to fill.
bool small(const std::vector<ridge::pipeline::Step>& steps) {
  using namespace ridge::pipeline;
  std::vector<Step> so_far;
  for (const Step& step : steps) {
    so_far.push_back(step);
    const auto shape = infer_shape_from({Size{9, 7}, 3, ElementType::kUint8, Layout::kHwc}, so_far);
    if (!shape.ok()) return true;
    if (shape->size->width * std::int64_t{shape->size->height} > 100'000) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ridge::pipeline;
  const auto steps = parse_steps({reinterpret_cast<const char*>(data), size});
  if (!steps.ok()) return 0;
  const std::string text = print_steps(*steps);
  const auto again = parse_steps(text);
  ridge::fuzz::check(again.ok());
  ridge::fuzz::check(*again == *steps);
  if (!small(*steps)) return 0;
  const Image image{9, 7, 3, std::vector<std::uint8_t>(9 * 7 * 3, 100)};
  const auto tensor = preprocess(image, *steps);
  const auto shape = infer_shape_from({image.size(), 3, ElementType::kUint8, Layout::kHwc}, *steps);
  ridge::fuzz::check(!tensor.ok() || (shape.ok() && shape->dims() == tensor->dims));
  return 0;
}
