// SPDX-License-Identifier: Apache-2.0
#include "bricks/whole.h"

#include <algorithm>

#include "bricks/suite_times.h"

namespace ridge::bricks {
namespace {

bool is_brief(const Network& network) {
  const ops::Dim macs = network.resolved.totals().macs;
  if (!macs.known()) return false;
  std::size_t kernels = 0;
  for (const FusedLayer& layer : network.layers) kernels += layer.kernels.size();
  const double ns = std::max(static_cast<double>(macs.value()) / kMacsPerNs,
                             static_cast<double>(resident_bytes(network.resolved)) / kBytesPerNs);
  return kernels > 0 && ns < kBriefKernelNs * static_cast<double>(kernels);
}

}  // namespace

std::optional<Piece> whole_piece(const Network& network, const Cutter& cutter) {
  if (!network.left_over.empty() || !is_brief(network)) return std::nullopt;
  Piece piece = cutter.piece(0, static_cast<std::uint32_t>(network.layers.size()));
  piece.whole = true;
  for (auto* ports : {&piece.inputs, &piece.outputs})
    for (CrossingTensor& t : *ports) t.donor = false;
  return piece;
}

}  // namespace ridge::bricks
