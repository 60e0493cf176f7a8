// What a layer does to memory, and how often it multiplies and accumulates, as one source of loop
// nests tells it.
//
//   const Profiles p = TRY(profile_nests(lowered, resolved, {}));        // layer_nest.h
//   if (const LayerProfile* layer = p.find(node)) layer->macs ...
//
// Three sources tell the same figures: the counts of `ridge analyze` (closed form), our own loop
// nest of every layer, and the loop nests of a compiler (TVM's TIR). They agree on multiply-
// accumulates; where they cannot agree on memory, because a compiler allocates what a formula does
// not, `remark` says why. Plain data, no thread rule.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/model.h"

namespace ridge::accelerator {

enum class ProfileSource : std::uint8_t { kClosedForm, kNest, kTir };
/// "closed-form", "nest", "tir".
std::string_view name(ProfileSource source);
std::optional<ProfileSource> profile_source(std::string_view name);

struct BufferProfile {
  /// What the buffer is to the layer: read from before, a weight, handed on, or only its own.
  enum class Role : std::uint8_t { kInput, kParameter, kOutput, kIntermediate };

  std::string name;
  std::vector<std::int64_t> shape;
  std::string dtype;  ///< ONNX's word: "float32"
  Role role = Role::kInput;
  std::int64_t bytes = 0;
  /// Elements read and written by the loops, every access counted; nullopt: the source has no loops
  /// to count, or the data decide.
  std::optional<std::int64_t> reads, writes;
};
/// "input", "parameter", "output", "intermediate".
std::string_view name(BufferProfile::Role role);

struct LayerProfile {
  graph::NodeId node = graph::kNone;
  std::int64_t macs = 0;
  /// Sums of squares: multiply-accumulates in the loops, but of no layer (a normalisation's
  /// variance).
  std::int64_t squares = 0;
  /// As hooks counted them while the compiled network ran; nullopt: it did not run.
  std::optional<std::int64_t> hooked_macs = std::nullopt;
  std::int64_t param_bytes = 0;      ///< of the parameters, each once
  std::int64_t allocated_bytes = 0;  ///< of the outputs and intermediates
  std::vector<BufferProfile> buffers;
  std::string remark;  ///< why a figure differs from the closed form's; empty: it does not
  std::string reason;  ///< not empty: the source knows no loops of this layer, no figure is known
};

struct Profiles {
  ProfileSource source = ProfileSource::kClosedForm;
  std::vector<LayerProfile> layers;  ///< ascending by node

  /// nullptr: no profile of this node.
  const LayerProfile* find(graph::NodeId node) const;
};

}  // namespace ridge::accelerator
