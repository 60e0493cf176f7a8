// SPDX-License-Identifier: Apache-2.0
#include "export/accelerator/profile.h"

#include <fmt/format.h>

#include "export/accelerator/words.h"
#include "export/analysis/figure_text.h"

namespace ridge::exports {
namespace {

using accelerator::LayerProfile;

/// Profile of a layer; nullptr where no figure is known.
const LayerProfile* known(const accelerator::StudyNetwork& network,
                          const accelerator::Layer& layer) {
  const LayerProfile* found = network.memory.find(layer.node);
  return found != nullptr && found->reason.empty() ? found : nullptr;
}

std::string_view profile_difference(const LayerProfile* profile) {
  if (profile == nullptr) return "no loop nest is known";
  return profile->reason.empty() ? profile->remark : profile->reason;
}

}  // namespace

std::string profile_heading(const accelerator::StudyNetwork& network) {
  std::size_t layers = 0, equal = 0;
  for (const accelerator::Layer& layer : network.lowered.layers) {
    if (layer.macs == 0) continue;
    ++layers;
    const LayerProfile* profile = known(network, layer);
    equal += profile != nullptr && profile->macs == layer.macs ? 1 : 0;
  }
  return fmt::format(
      "Loop nests ({}): multiply-accumulates of {} of {} layers equal the closed form; bytes {}",
      name(network.memory.source), equal, layers, stored_text(network));
}

Table profile_table(const accelerator::StudyNetwork& network, std::size_t top) {
  constexpr std::size_t kWide = 160;
  Table out({{"layer"},
             {"MACs", Align::kRight},
             {"parameters", Align::kRight},
             {"allocated", Align::kRight},
             {"in the loop nest", Align::kLeft, kWide}});
  std::size_t rows = 0;
  for (const accelerator::Layer& layer : network.lowered.layers) {
    if (layer.macs == 0 || (top != 0 && rows++ >= top)) continue;
    const LayerProfile* profile = known(network, layer);
    out.add({layer.name, profile == nullptr ? "?" : fmt::format("{}", profile->macs),
             profile == nullptr ? "?" : readable(profile->param_bytes, "B"),
             profile == nullptr ? "?" : readable(profile->allocated_bytes, "B"),
             std::string(profile_difference(network.memory.find(layer.node)))});
  }
  return out;
}

}  // namespace ridge::exports
