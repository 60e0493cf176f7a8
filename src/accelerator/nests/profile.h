// SPDX-License-Identifier: Apache-2.0
// Builds profiles of layers by walking loop nests.
//
//   ProfileCollector all;
//   TRY(all.add(nest, parameters));          // any number of nests
//   Profiles p = TRY(all.finish(ProfileSource::kNest));
//
// The figures of a node sum the blocks that belong to it; a nest may contain blocks of several
// nodes, as a fused kernel does. A buffer that a node writes and others read is its output, one
// that only this node accesses is an intermediate. Buffers with equal name, shape and memory are
// one buffer in all nests. A layer whose number of multiply-accumulates depends on the data has a
// `reason` and no figures.
// Thread rule: one thread. Cost: as count(). Errors: as count(), sums above 64 bits, a
// block that belongs to no node.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "accelerator/nests/layer_profile.h"
#include "accelerator/nests/walk.h"

namespace ridge::accelerator {

/// Buffer that exists before or after the nest runs.
struct NestParameter {
  BufferId buffer = kNothing;
  bool weight = false;    ///< a constant of the model
  bool result = false;    ///< result for the caller
  std::string name = {};  ///< replaces the buffer's own name
  /// Equal numbers in several nests mean the same memory: one nest writes it, others read it.
  std::optional<std::int64_t> memory = std::nullopt;
};

class ProfileCollector {
 public:
  explicit ProfileCollector(WalkLimits limits = {}) : limits_(limits) {}

  struct Added {
    std::vector<graph::NodeId> nodes;  ///< nodes that the nest's blocks belong to
  };
  /// Adds the figures of a nest that runs `repeat` times.
  Result<Added> add(const Nest& nest, std::span<const NestParameter> parameters,
                    std::int64_t repeat = 1);
  Profiles finish(ProfileSource source);

 private:
  struct Collected {
    LayerProfile layer;
    std::vector<std::optional<std::int64_t>> memory;  ///< one per buffer of the layer
    bool undecided = false;                           ///< the number of MACs depends on the data
  };
  void join_own_results(Collected& collected) const;

  WalkLimits limits_;  ///< for all nests together
  std::int64_t steps_ = 0;
  std::map<graph::NodeId, Collected> layers_;
  std::map<std::int64_t, std::set<graph::NodeId>> readers_;  ///< indexed by memory
};

/// Bytes of a buffer; nullopt: above 64 bits.
std::optional<std::int64_t> buffer_bytes(std::span<const std::int64_t> shape,
                                         std::int64_t element_bits);

}  // namespace ridge::accelerator
