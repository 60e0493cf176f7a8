// SPDX-License-Identifier: Apache-2.0
#include "bricks/sequences.h"

#include <algorithm>

#include "bricks/form/form.h"

namespace ridge::bricks {

std::vector<LayerKey> layer_keys(const Network& network, const Cutter& cutter) {
  std::vector<LayerKey> out;
  for (std::uint32_t layer = 0; layer < network.layers.size(); ++layer) {
    const Result<Form> form = canonical_form(network, cutter.piece(layer, layer + 1));
    const std::vector<std::uint32_t> sources = cutter.sources(layer);
    out.push_back({.key = form.ok() ? form->key : std::string(),
                   .follows = layer > 0 && std::ranges::binary_search(sources, layer - 1)});
  }
  return out;
}

void Sequences::add(const std::vector<LayerKey>& model) {
  for (std::size_t i = 0; i < model.size(); ++i) {
    const bool followed = i + 1 < model.size() && model[i + 1].follows;
    const std::string& next = followed ? model[i + 1].key : std::string();
    const std::string& previous = model[i].follows ? model[i - 1].key : std::string();
    const auto [at, first] = neighbors_.try_emplace(model[i].key, Neighbors{next, previous});
    if (first) continue;
    at->second.next_varies |= at->second.next != next;
    at->second.previous_varies |= at->second.previous != previous;
  }
}

bool Sequences::joined(const LayerKey& first, const LayerKey& second) const {
  if (!second.follows || first.key.empty() || second.key.empty()) return false;
  const auto a = neighbors_.find(first.key), b = neighbors_.find(second.key);
  return a != neighbors_.end() && b != neighbors_.end() && !a->second.next_varies &&
         !b->second.previous_varies && a->second.next == second.key &&
         b->second.previous == first.key;
}

std::vector<std::uint32_t> Sequences::ends(const std::vector<LayerKey>& model) const {
  const auto layers = static_cast<std::uint32_t>(model.size());
  std::vector<std::uint32_t> out(layers);
  for (std::uint32_t begin = 0, end = 0; begin < layers; begin = end) {
    for (end = begin + 1; end < layers && joined(model[end - 1], model[end]);) ++end;
    const std::uint32_t most = std::max(most_, 1U), parts = (end - begin + most - 1) / most;
    for (std::uint32_t i = begin; i < end; ++i) {
      // Part p has the layers [size * p / parts, size * (p + 1) / parts) of the sequence.
      const std::uint64_t size = end - begin,
                          part = ((i - begin + 1) * std::uint64_t{parts} - 1) / size;
      out[i] = begin + static_cast<std::uint32_t>(size * (part + 1) / parts);
    }
  }
  return out;
}

}  // namespace ridge::bricks
