// SPDX-License-Identifier: Apache-2.0
// Bricks of several models: pieces that each stand for one or several places in the models, and the
// nodes that none stands for. Plain data; the document ridge.bricks/1 (manifest.h).
//
// Every node of `ridge analyze` is in exactly one occurrence or left over, and for every model
//
//   MACs of its bricks, once per occurrence + MACs of its nodes left over = MACs of the model
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bricks/brick_model.h"

namespace ridge::bricks {

struct PlannedModel {
  std::string name;  ///< unique in a plan
  std::string path;  ///< file, or zoo:NAME
  std::string graph_hash;
  std::map<std::string, std::int64_t> sizes;  ///< values of its free dimensions
  std::int64_t macs = 0;
  std::int64_t resident_bytes = 0;  ///< touched by a run: weights and activations (suite_times.h)
  std::int64_t traffic_bytes = 0;   ///< read and written by all nodes; 0: unknown
  std::uint32_t bricks = 0;         ///< occurrences
  std::uint32_t unique = 0;         ///< different bricks
  std::uint32_t added = 0;          ///< bricks that no model before it has
};

struct Occurrence {
  std::string model;                 ///< PlannedModel::name
  std::vector<std::uint32_t> nodes;  ///< ascending
  std::int64_t live_bytes = 0;       ///< Piece::live_bytes
};

/// Identity of a written file.
struct FileDigest {
  std::string sha256;  ///< 64 digits
  std::int64_t bytes = 0;

  bool operator==(const FileDigest&) const = default;
};

struct Brick {
  std::string key;
  std::string file;   ///< in the folder of the plan
  FileDigest digest;  ///< digest of that file; another one is not measured
  std::int64_t macs = 0;
  std::int64_t bytes = 0;  ///< read and written at least: tensors at its ports, constants
  std::vector<BrickPort> ports;
  std::vector<std::string> kernels;  ///< operators of the runtime's kernels, without donors
  bool whole = false;                ///< a whole model, measured by its runs (whole.h)
  std::vector<Occurrence> occurrences;
  std::string rejected;  ///< why it is not used; "": it is
};

struct LeftOver {
  std::string model;
  std::vector<std::uint32_t> nodes;
  std::string why;
  std::string key;  ///< identity of the piece; "" for nodes outside the layers
};

struct Plan {
  std::string ridge, runtime, runtime_version;  ///< versions that selected the kernels
  std::string host;                             ///< likewise
  std::uint32_t threads = 1;
  std::vector<PlannedModel> models;
  std::vector<Brick> bricks;
  std::vector<LeftOver> left_over;
};

}  // namespace ridge::bricks
