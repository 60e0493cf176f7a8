// SPDX-License-Identifier: Apache-2.0
#include "zoo/zoo.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/list.h"
#include "base/number.h"
#include "base/suggest.h"
#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

constexpr Family (*kFamilies[])() = {
    alexnet,
    bert,
    clip,
    convnext,
    densenet,
    distilbert,
    dlrm,
    efficientnet,
    efficientnet_lite,
    efficientnet_v2,
    googlenet,
    gpt,
    inception,
    inception_resnet,
    llama,
    lstm,
    mixer,
    mobilenet_v1,
    mobilenet_v2,
    mobilenet_v3,
    resnet,
    sd_unet,
    shufflenet_v2,
    squeezenet,
    swin,
    vgg,
    vision_transformer,
    vision_transformer_timm,
    yolo,
};

/// Limit on pixels per side: activations of larger images exceed any memory.
constexpr std::int64_t kMaxPixels = 8192;

std::vector<Entry> collected() {
  std::vector<Entry> all;
  for (const auto family : kFamilies)
    for (const Entry& e : family()) all.push_back(e);
  std::sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return all;
}

Error unknown_network(std::string_view name) {
  std::vector<std::string> all;
  for (const Entry& e : entries()) all.emplace_back(e.name);
  const std::vector<std::string> near = near_names(name, all);
  return usage_error("RIDGE-ZOO-0001", fmt::format("the zoo has no network '{}'", name))
      .hint(near.empty() ? "see ridge zoo list"
                         : fmt::format("did you mean {}?", fmt::join(near, " or ")));
}

Result<std::int64_t> side_of(std::string_view text, const Entry& entry) {
  const auto number = whole_number(text);
  const std::int64_t side = number.value_or(0);
  const Images& images = entry.images;
  const bool fits = side == images.side || (images.step > 0 && side % images.step == 0 &&
                                            side >= images.least && side <= kMaxPixels);
  if (number && images.side > 0 && fits) return side;
  Error error = usage_error(
      "RIDGE-ZOO-0003", fmt::format("{} does not accept images of size '{}'", entry.name, text));
  if (images.side == 0) return std::move(error).evidence("it has no image input");
  if (images.step == 0)
    return std::move(error).evidence(
        fmt::format("{} pixels is the only accepted size", images.side));
  return std::move(error).evidence(fmt::format("it accepts multiples of {} from {} to {} pixels",
                                               images.step, images.least, kMaxPixels));
}

}  // namespace

std::span<const Entry> entries() {
  static const std::vector<Entry> all = collected();
  return all;
}

const Entry* find(std::string_view spec) {
  const std::string_view name = spec.substr(0, spec.find(','));
  const auto all = entries();
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const Entry& e) { return e.name == name; });
  return at == all.end() ? nullptr : &*at;
}

Result<onnx::Document> make(std::string_view spec) {
  const Entry* entry = find(spec);
  if (entry == nullptr) return unknown_network(spec.substr(0, spec.find(',')));
  Request request{.network = entry->name, .side = entry->images.side};
  for (const std::string_view option : split(spec)) {
    if (option.data() == spec.data()) continue;  // the name
    if (option == "folded") {
      request.batch_norm = BatchNorm::kFolded;
    } else if (option.starts_with("size=")) {
      request.side = TRY(side_of(option.substr(5), *entry));
    } else {
      return usage_error("RIDGE-ZOO-0002",
                         fmt::format("unknown option '{}' of a zoo network", option))
          .hint("options: folded (BatchNormalization folded into convolutions) and size=PIXELS");
    }
  }
  onnx::Document document = entry->build(request);
  document.path = fmt::format("zoo:{}", spec);
  return document;
}

}  // namespace ridge::zoo
