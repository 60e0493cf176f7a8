// SPDX-License-Identifier: Apache-2.0
// Sequences: layers that occur only together, in the same order, over all models of a plan. One
// brick for a sequence is measured with fewer runs of donors and fewer loads than a brick for each
// of its layers, and cuts its models less often.
//
//   Sequences sequences(8);
//   for (const Network& n : networks) sequences.add(layer_keys(n, Cutter(n)));
//   sequences.ends(keys)[3]              // end of the sequence that layer 3 belongs to
//
// Two layers are joined if each reads from the one before it, the second follows wherever the first
// occurs, and the first precedes wherever the second occurs (the unitigs of genome assembly). Long
// sequences are divided into parts of equal size.
//
//   models A B C D and X A B Y: A is followed by B and B preceded by A in both, B is followed by C
//   in one and by Y in the other; C and D occur once. Sequences: A B, C D and X, A B, Y
//
// Thread rule: plain data.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "bricks/piece.h"

namespace ridge::bricks {

struct LayerKey {
  std::string key;       ///< key of the piece of this layer alone; "": none
  bool follows = false;  ///< it reads from the layer before it
};

/// By layer.
std::vector<LayerKey> layer_keys(const Network& network, const Cutter& cutter);

class Sequences {
 public:
  /// Sequences have up to `most` layers; 0 and 1: every layer is alone.
  explicit Sequences(std::uint32_t most) : most_(most) {}

  void add(const std::vector<LayerKey>& model);
  /// By layer of a model that was added: the end of its sequence.
  std::vector<std::uint32_t> ends(const std::vector<LayerKey>& model) const;

 private:
  struct Neighbors {
    std::string next, previous;  ///< keys; "": it begins or ends a model, or does not read it
    bool next_varies = false, previous_varies = false;
  };
  bool joined(const LayerKey& first, const LayerKey& second) const;

  std::uint32_t most_;
  std::unordered_map<std::string, Neighbors> neighbors_;  ///< by key
};

}  // namespace ridge::bricks
