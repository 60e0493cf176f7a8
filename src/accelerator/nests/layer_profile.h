// SPDX-License-Identifier: Apache-2.0
// Memory accesses and multiply-accumulates of a layer, according to one source of loop nests.
//
//   const Profiles p = TRY(profile_nests(lowered, resolved, {}));        // registry.h
//   if (const LayerProfile* layer = p.find(node)) layer->macs ...
//
// Three sources report the same figures: the counts of `ridge analyze` (closed form), our own loop
// nest of every layer, and the loop nests of a compiler (TVM's TIR). They agree on
// multiply-accumulates. Where they differ on memory, because a compiler allocates more than a
// formula counts, `remark` states why.
// Plain data, no thread rule.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "graph/model.h"

namespace ridge::accelerator {

enum class ProfileSource : std::uint8_t { kClosedForm, kNest, kTir };
/// Returns "closed-form", "nest" or "tir".
std::string_view name(ProfileSource source);
std::optional<ProfileSource> profile_source(std::string_view name);

struct BufferProfile {
  /// Role of the buffer for the layer: read from outside, a weight, written for others, or
  /// internal.
  enum class Role : std::uint8_t { kInput, kParameter, kOutput, kIntermediate };

  std::string name;
  std::vector<std::int64_t> shape;
  std::string dtype;  ///< ONNX name: "float32"
  Role role = Role::kInput;
  std::int64_t bytes = 0;
  /// Elements read and written by the loops, every access counted; nullopt: the source has no
  /// loops, or the number depends on the data.
  std::optional<std::int64_t> reads, writes;
};

}  // namespace ridge::accelerator

namespace ridge {

template <>
struct Words<accelerator::BufferProfile::Role> {
  using E = accelerator::BufferProfile::Role;
  static constexpr std::array list{Word{E::kInput, "input"}, Word{E::kParameter, "parameter"},
                                   Word{E::kOutput, "output"},
                                   Word{E::kIntermediate, "intermediate"}};
};

}  // namespace ridge

namespace ridge::accelerator {

inline std::string_view name(BufferProfile::Role role) { return word(role); }

struct LayerProfile {
  graph::NodeId node = graph::kNone;
  std::int64_t macs = 0;
  /// Sums of squares: multiply-accumulates of the loops that `macs` does not count (the variance of
  /// a normalization).
  std::int64_t squares = 0;
  /// MACs counted by hooks while the compiled network ran; nullopt: it did not run.
  std::optional<std::int64_t> hooked_macs = std::nullopt;
  std::int64_t param_bytes = 0;      ///< bytes of the parameters, each once
  std::int64_t allocated_bytes = 0;  ///< bytes of outputs and intermediates
  std::vector<BufferProfile> buffers;
  std::string remark;  ///< why a figure differs from the closed form's; empty: none does
  std::string reason;  ///< nonempty: the source has no loops of this layer, and no figure is known
};

struct Profiles {
  ProfileSource source = ProfileSource::kClosedForm;
  std::vector<LayerProfile> layers;  ///< ascending by node

  /// Returns nullptr if there is no profile of this node.
  const LayerProfile* find(graph::NodeId node) const;
};

}  // namespace ridge::accelerator
