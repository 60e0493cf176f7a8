// SPDX-License-Identifier: Apache-2.0
// The meaning of a model's inputs, and the elements that make the whole work happen: masks that
// exclude nothing, positions behind the cache, full lengths, as many trips as the body has data.
//
//   const std::optional<KnownInput> known = known_input(resolved, value);
//   known->text      // "all 1", "127 and on": what the elements are
//   known->fill      // how to make them; nullopt: random below index_bound()
//
// The meaning follows from the graph: which operator reads the input in which slot, also through
// Cast, Unsqueeze and the like; how the mask reaches the scores of a Softmax; the rows of a table
// that it selects from. Where the graph does not say, it follows from the name (attention_mask,
// position_ids, cache_position, seqlens_k, total_sequence_length, ..., as Hugging Face, ONNX
// Runtime and NeMo write them). nullopt: no meaning is known. Thread rule: pure. Cost: the readers
// of the input and of what is computed from it.
#pragma once

#include <optional>
#include <string>

#include "analysis/resolved.h"
#include "runtime/inputs/inputs.h"

namespace ridge::measure {

struct KnownInput {
  std::optional<runtime::Fill> fill;
  std::string text;
};

/// `value`: a tensor input of the main graph whose sizes are known.
std::optional<KnownInput> known_input(const analysis::Resolved& resolved, graph::ValueId value);

/// Exclusive upper bound on the elements of an integer `value`: the smallest of the axes that it
/// indexes (Gather, GatherElements, ScatterElements, OneHot's depth, embedding and rotary tables),
/// also through Cast, Identity, Reshape, Squeeze, Unsqueeze, Flatten, Transpose. nullopt if it
/// indexes nothing.
std::optional<std::int64_t> index_bound(const analysis::Resolved& resolved, graph::ValueId value);

}  // namespace ridge::measure
