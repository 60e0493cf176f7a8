// SPDX-License-Identifier: Apache-2.0
// Models that are one brick: models of kernels so short that their time cannot be seen in events.
//
//   if (const auto piece = whole_piece(network, cutter)) ...        // nullopt: cut the model
//
// Recording a kernel takes some microseconds, which are measured and subtracted; where kernels take
// less, what remains is mostly the error of that. The bricks of DLRM, 39 kernels of 1.2 us each,
// added up to twice its latency. Such a model is run as it is, without donors and without events,
// again and again as when it is measured (suite_runner.h): its time includes what a run spends
// outside kernels. It repeats in no other model, and measuring it costs next to nothing.
//
// Thread rule: pure.
#pragma once

#include <optional>

#include "bricks/piece.h"

namespace ridge::bricks {

/// Estimated mean time of a kernel below which a model is not cut: about the cost of an event.
inline constexpr double kBriefKernelNs = 4000;
/// Rates of a fast core for that estimate, from caches.
inline constexpr double kMacsPerNs = 20, kBytesPerNs = 40;

/// All layers of a network of brief kernels, with bare ports.
std::optional<Piece> whole_piece(const Network& network, const Cutter& cutter);

}  // namespace ridge::bricks
