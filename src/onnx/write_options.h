// SPDX-License-Identifier: Apache-2.0
// Options of writing a model: where the elements of its weights go. Plain data.
#pragma once

#include <string>

#include "base/file_writer.h"

namespace ridge::onnx {

enum class Weights {
  kInline,       ///< all elements inside the file; protobuf readers stop at 2 GiB
  kWhereItFits,  ///< kInline, or kExternal where the file would exceed 2 GiB
  kExternal,     ///< initializers above 1 KiB in a file beside it (`location` below), 4 KiB-aligned
  /// Structure only: initializers of the main graph that are not Storage::kInline become external
  /// references to "ridge" with offset = index in Graph::initializers and length = bytes; the
  /// loader of the model supplies the elements. Those of subgraphs and attributes, which no runtime
  /// accepts from outside, are written inside.
  kDetached,
  /// Tensors with external data remain references to their location and offset, which may be a
  /// location that the reader would reject; all others are written inside.
  kReferenced,
};

struct Document;

struct WriteOptions {
  Weights weights = Weights::kInline;
  std::string location = {};  ///< kExternal, kWhereItFits: file name beside the model
  Durability durability = Durability::kSynced;
  /// The document that an edited one comes from, with its file: fields of the file that a Document
  /// does not hold, such as doc strings and annotations, are kept. nullptr: none are.
  const Document* original = nullptr;
};

}  // namespace ridge::onnx
