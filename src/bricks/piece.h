// SPDX-License-Identifier: Apache-2.0
// Part of a network that can run alone: an interval of its layers, with what enters and leaves it.
//
//   Cutter cutter(network);
//   for (std::uint32_t at = 0; at < network.layers.size();) {
//     const std::uint32_t end = at + 1;
//     const Piece piece = cutter.piece(at, end);    // of any number of inputs and outputs
//     at = end;
//   }
//
// Ownership: borrows the network. Thread rule: immutable. Cost of a piece: O(its nodes and edges).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "bricks/network.h"

namespace ridge::bricks {

/// Layout of a tensor between two layers of the runtime: as in the model, with its channels in
/// blocks, or [N, C, H, W] stored as [N, H, W, C].
enum class Layout : std::uint8_t { kPlain, kBlocked, kChannelsLast };
inline constexpr std::size_t kLayouts = 3;

}  // namespace ridge::bricks

namespace ridge {

template <>
struct Words<bricks::Layout> {
  using Layout = bricks::Layout;
  static constexpr std::array list{Word{Layout::kPlain, "plain", "as the model has it"},
                                   Word{Layout::kBlocked, "blocked", "channels in blocks"},
                                   Word{Layout::kChannelsLast, "channels_last", "channels last"}};
};

}  // namespace ridge

namespace ridge::bricks {

/// Tensor that enters or leaves a piece.
struct CrossingTensor {
  std::string_view name;  ///< in the copy
  Layout layout = Layout::kPlain;
  /// False: the port of the brick is the tensor itself. Inputs and outputs of a model are not in
  /// the memory that a runtime reuses between kernels, and cannot be views of each other.
  bool donor = true;
  /// True for an inner tensor that the model returns besides reading it. As an input of a brick,
  /// its donor's result is returned too: the runtime must not overwrite it.
  bool kept = false;
};

/// Port in the text of keys: "plain", "blocked", "plain, bare", "blocked, kept".
std::string port_text(const CrossingTensor& tensor);

struct Piece {
  std::uint32_t first = 0, last = 0;  ///< its layers are [first, last)
  std::vector<Unit> units;            ///< ascending
  /// Units that are computed at load time, have no effect, or that the runtime repeats here.
  std::vector<Unit> helpers;
  std::vector<CrossingTensor> inputs;  ///< in order of first use
  /// A tensor that leaves in both layouts is listed twice.
  std::vector<CrossingTensor> outputs;
  std::vector<graph::NodeId> kernels;  ///< nodes of the optimized graph, ascending
  std::vector<graph::NodeId> nodes;    ///< nodes of the model, ascending
  std::int64_t macs = 0;
  /// Most bytes of computed tensors that are alive while one of its layers runs: from the layer
  /// that makes them to the last that reads them.
  std::int64_t live_bytes = 0;
  bool whole = false;  ///< the whole model, measured by its runs (whole.h)
};

class Cutter {
 public:
  explicit Cutter(const Network& network);

  Piece piece(std::uint32_t first, std::uint32_t last) const;

  /// By layer, and one more: the number of computed tensors that cross from the layers before it to
  /// it and those after it.
  const std::vector<std::uint32_t>& crossing() const { return crossing_; }

  /// Layers that a layer reads from, ascending.
  std::vector<std::uint32_t> sources(std::uint32_t layer) const;

 private:
  struct Needs {
    std::vector<Unit> helpers;
    std::vector<std::string_view> inputs;
  };
  Needs needs_of(const FusedLayer& layer) const;
  void find_layouts();
  void find_crossing();
  void find_live();
  bool is_kept(std::string_view name) const;
  CrossingTensor leaving(std::string_view name, Layout layout) const;
  Layout layout_read(const Piece& piece, std::string_view name) const;

  const Network& network_;
  std::vector<Needs> needs_;  // by layer
  /// Layers that read a tensor from outside themselves, ascending.
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> readers_;
  /// By name and Layout: the tensors of the optimized graph that contain its data in that layout.
  using Stored = std::array<std::vector<graph::ValueId>, kLayouts>;
  std::unordered_map<std::string_view, Stored> stored_;
  std::unordered_map<std::string_view, bool> graph_output_;
  std::vector<std::uint32_t> crossing_;
  std::vector<std::int64_t> live_;  // by layer: Piece::live_bytes
  std::vector<std::uint32_t> layer_of_kernel_;
};

/// True if the elements of a tensor of the copy are known without running the model, and the
/// runtime does not compute it in a run.
bool known_at_load(const Network& network, std::string_view name);

}  // namespace ridge::bricks
