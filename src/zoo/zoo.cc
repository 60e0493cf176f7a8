#include "zoo/zoo.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/suggest.h"
#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

constexpr std::array kImage = {DefaultSize{"batch", 1}};
constexpr std::array kText = {DefaultSize{"batch", 1}, DefaultSize{"sequence", 128}};

constexpr std::array kEntries = {
    Entry{"bert_base", "BERT-base, uncased, with pooler: 12 layers of 768",
          "Devlin et al. 2019, arXiv:1810.04805", kText, bert_base},
    Entry{"efficientnet_b0", "EfficientNet-B0: mobile inverted bottlenecks with squeeze-excitation",
          "Tan and Le 2019, arXiv:1905.11946", kImage, efficientnet_b0},
    Entry{"gpt2", "GPT-2 small with language-model head: 12 layers of 768", "Radford et al. 2019",
          kText, gpt2},
    Entry{"mobilenet_v2", "MobileNetV2 1.0: inverted residuals, depthwise convolutions",
          "Sandler et al. 2018, arXiv:1801.04381", kImage, mobilenet_v2},
    Entry{"resnet50", "ResNet-50 v1.5: residual bottlenecks", "He et al. 2016, arXiv:1512.03385",
          kImage, resnet50},
    Entry{"vit_b_16", "ViT-B/16: vision transformer on 16x16 patches",
          "Dosovitskiy et al. 2021, arXiv:2010.11929", kImage, vit_b_16},
};
static_assert(std::is_sorted(kEntries.begin(), kEntries.end(),
                             [](const Entry& a, const Entry& b) { return a.name < b.name; }));

}  // namespace

std::span<const Entry> entries() { return kEntries; }

const Entry* find(std::string_view name) {
  const auto at = std::find_if(kEntries.begin(), kEntries.end(),
                               [&](const Entry& e) { return e.name == name; });
  return at == kEntries.end() ? nullptr : &*at;
}

Result<onnx::Document> make(std::string_view name) {
  if (const Entry* entry = find(name)) return entry->build();
  std::vector<std::string> all;
  for (const Entry& e : kEntries) all.emplace_back(e.name);
  const std::vector<std::string> near = near_names(name, all);
  return usage_error("RIDGE-ZOO-0001", fmt::format("the zoo has no network '{}'", name))
      .evidence(fmt::format("it has {}", fmt::join(all, ", ")))
      .hint(near.empty() ? "see ridge zoo list"
                         : fmt::format("did you mean {}?", fmt::join(near, " or ")));
}

}  // namespace ridge::zoo
