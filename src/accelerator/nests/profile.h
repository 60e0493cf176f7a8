// Profiles of layers from walked loop nests.
//
//   ProfileCollector all;
//   TRY(all.add(nest, parameters));          // any number of nests
//   Profiles p = TRY(all.finish(ProfileSource::kNest));
//
// A node's figures are those of the blocks that work for it; a nest may hold blocks of several, as
// a fused kernel does. What a node writes and others read is its output, what only it touches an
// intermediate. Buffers of one name, shape and memory are one buffer in all nests. A layer of which
// the data decide how often it multiplies and accumulates has no figures, and says so.
// Thread rule: one thread. Cost: that of count(). Errors: those of count(), sums beyond 64 bits, a
// block that works for no node.
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

/// A buffer that exists before the nest runs, or after it.
struct NestParameter {
  BufferId buffer = kNothing;
  bool weight = false;    ///< a constant of the model
  bool result = false;    ///< made for the caller
  std::string name = {};  ///< in place of the buffer's own
  /// The same number in several nests is the same memory: what one of them makes, others read.
  std::optional<std::int64_t> memory = std::nullopt;
};

using Walker = Result<void> (*)(const Nest&, NestHooks&, const WalkLimits&);

class ProfileCollector {
 public:
  /// `walker`: count, or its oracle. `repeat`: how often the nest runs.
  explicit ProfileCollector(Walker walker = count, WalkLimits limits = {})
      : walker_(walker), limits_(limits) {}

  struct Added {
    std::vector<graph::NodeId> nodes;  ///< that the nest works for
  };
  Result<Added> add(const Nest& nest, std::span<const NestParameter> parameters,
                    std::int64_t repeat = 1);
  Profiles finish(ProfileSource source);

 private:
  struct Collected {
    LayerProfile layer;
    std::vector<std::optional<std::int64_t>> memory;  ///< of each of its buffers
    bool undecided = false;                           ///< the data decide how often it multiplies
  };
  void join_own_results(Collected& collected) const;

  Walker walker_;
  WalkLimits limits_;  ///< of all nests together
  std::int64_t steps_ = 0;
  std::map<graph::NodeId, Collected> layers_;
  std::map<std::int64_t, std::set<graph::NodeId>> readers_;  ///< by memory
};

/// nullopt: beyond 64 bits.
std::optional<std::int64_t> buffer_bytes(std::span<const std::int64_t> shape,
                                         std::int64_t element_bits);

}  // namespace ridge::accelerator
