// SPDX-License-Identifier: Apache-2.0
// Inputs of a decoder other than its cache: what each means, by its readers, its name and its type,
// or the value that the user gives.
//
//   const auto port = TRY(input_port(model, value, {.sources = {{"num_logits_to_keep", "1"}}}));
//   port->means, port->dims, word(port->means)     // kGiven, {}, "as given"
//
// Known are ids, embeddings in their place, places (position_ids, also with a leading axis as of
// Qwen2-VL, cache_position), masks of two to four axes in integers, bools or floats, token types,
// beams, logits to keep, lengths (seqlens_k, total_sequence_length, past_sequence_length,
// write_indices), the flag use_cache, and the mask of an encoder. Errors: as
// runtime/inputs/inputs.h for a value; input class, RIDGE-WB-0230, for a value that fits several
// shapes. Thread rule: pure, but for files that are read.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/model.h"
#include "runtime/inputs/run_inputs.h"

namespace ridge::generation {

/// Values that every run gets: input name to a file or elements (runtime/inputs/literal.h).
struct GivenInputs {
  std::map<std::string, std::string> sources = {};
  std::int64_t batch = 1;
  std::int64_t encoder = 0;  ///< tokens of an encoder; 0: unknown
};

struct InputPort {
  std::string name;
  onnx::DataType type = onnx::DataType::kInt64;
  runtime::RunMeaning means = runtime::RunMeaning::kIds;
  std::vector<std::int64_t> dims;  ///< as runtime::RunInput has them
  bool newest_last = false;
  bool in_place = false;  ///< it says where new tokens go in a cache of one size
  std::string elements = {};
};

/// nullopt: no meaning is known.
Result<std::optional<InputPort>> input_port(const graph::Model& model, const graph::Value& input,
                                            const GivenInputs& given);

/// Tokens of the encoder, by the shape of the value of `encoder_hidden_states`; 0: it has none.
Result<std::int64_t> encoder_tokens(const graph::Model& model, const GivenInputs& given);

/// Type and shape, as in messages: "float32 [batch, 3, ?]".
std::string shape_text(const graph::Value& input);

/// Inputs of the main graph without a default value.
std::vector<const graph::Value*> free_inputs(const graph::Model& model);
bool has_shape(const graph::Value& value);
bool contains(std::string_view text, std::string_view part);
std::string lower(std::string_view text);

}  // namespace ridge::generation
