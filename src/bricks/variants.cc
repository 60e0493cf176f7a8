// SPDX-License-Identifier: Apache-2.0
#include "bricks/variants.h"

namespace ridge::bricks {

std::vector<Piece> variants(const Network& network, const Piece& piece) {
  const auto plain = [](const CrossingTensor& t) { return t.layout == Layout::kPlain; };
  const auto image = [&](const CrossingTensor& t) {
    const ops::Shape& shape = network.resolved.type(network.value.at(t.name)).shape;
    return plain(t) && shape.known() && shape.rank == 4;
  };
  const auto last = [](CrossingTensor& t) { t.layout = Layout::kChannelsLast; };
  const auto bare = [](CrossingTensor& t) { t.donor = false; };
  std::vector<Piece> out = {piece};
  // Adds what `change` makes of the first `count` pieces at their ports of a kind.
  const auto add = [&](std::size_t count, bool inputs, bool outputs, const auto& of,
                       const auto& change) {
    for (std::size_t i = 0; i < count; ++i) {
      Piece other = out[i];
      bool any = false;
      for (auto* ports : {inputs ? &other.inputs : nullptr, outputs ? &other.outputs : nullptr})
        if (ports != nullptr)
          for (CrossingTensor& t : *ports)
            if (of(t)) change(t), any = true;
      if (any) out.push_back(std::move(other));
    }
  };
  add(1, false, true, plain, bare);
  add(1, true, false, plain, bare);
  add(1, true, true, plain, bare);
  const std::size_t as_shown = out.size();
  add(as_shown, true, true, image, last);
  add(as_shown, true, false, image, last);
  add(as_shown, false, true, image, last);
  return out;
}

}  // namespace ridge::bricks
