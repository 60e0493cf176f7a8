// SPDX-License-Identifier: Apache-2.0
#include "accelerator/nests/layer_profile.h"

#include <algorithm>
#include <array>

namespace ridge::accelerator {
namespace {

constexpr std::array<std::string_view, 3> kSources = {"closed-form", "nest", "tir"};

}  // namespace

std::string_view name(ProfileSource source) { return kSources[static_cast<std::size_t>(source)]; }

std::optional<ProfileSource> profile_source(std::string_view name) {
  const auto found = std::find(kSources.begin(), kSources.end(), name);
  if (found == kSources.end()) return std::nullopt;
  return static_cast<ProfileSource>(found - kSources.begin());
}

const LayerProfile* Profiles::find(graph::NodeId node) const {
  const auto found =
      std::lower_bound(layers.begin(), layers.end(), node,
                       [](const LayerProfile& layer, graph::NodeId id) { return layer.node < id; });
  return found != layers.end() && found->node == node ? &*found : nullptr;
}

}  // namespace ridge::accelerator
