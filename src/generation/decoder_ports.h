// SPDX-License-Identifier: Apache-2.0
// Roles of a decoder's inputs and outputs: ids and what follows from them, cache and scores,
// recognized by name and shape.
//
//   const auto patterns = TRY(parse_state("present.*=past.*"));      // or default_state()
//   const DecoderPorts ports = TRY(decoder_ports(model, patterns));
//   bindings = sizes_of(model, ports, {.batch = 1, .tokens = 1, .cache = 128}, bindings);
//
// - cache: an input that an output is paired with, by the names that remain when a pattern's words
//   are taken away: present.3.key with past.3.key. It grows along an axis, or has one size: with an
//   input such as cache_position new tokens are written in place, else it is a window or a state;
// - keys and values of an encoder (their names contain "encoder" or "cross"): what the model for
//   prompts writes, or the first run of a decoder with use_cache_branch, stays for the request;
// - all else: decoder_inputs.h;
// - scores: the output "logits", or the only one left.
//
// Names: as in the model's file. Errors: usage class, RIDGE-WB-0200 (a pattern), RIDGE-WB-0231 (a
// value for no input), input class, RIDGE-WB-0201 (an input or the scores have no role, or the
// cache's output is not the next run's input). Thread rule: pure, but for given files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"
#include "attribution/canonical.h"
#include "base/result.h"
#include "generation/decoder_inputs.h"
#include "graph/model.h"
#include "runtime/generation.h"

namespace ridge::generation {

/// Names of an output and of the input that it becomes; "*" stands for the same text in both.
struct StatePattern {
  std::string output, input;
};

/// Patterns of Hugging Face's exporters and of ONNX Runtime's.
std::vector<StatePattern> default_state();
/// Reads "present.*=past.*,h_out=h_in".
Result<std::vector<StatePattern>> parse_state(std::string_view text);

struct PastPort {
  std::string name;
  /// Along which it has a place for each token; of an encoder's: each of the encoder's. -1: none.
  std::int32_t axis = -1;
  std::int64_t places = 0;  ///< tokens for which it has room; 0: it grows, or is no cache of tokens
  bool kept = false;        ///< an encoder's: the first run of a request writes it
};

struct DecoderPorts {
  std::string ids, positions, mask;  ///< names of these among `inputs`; "": none
  bool one_token = false;            ///< the number of ids is fixed at one
  std::vector<InputPort> inputs;     ///< all but the cache
  std::vector<PastPort> past;
  std::vector<runtime::StatePair> state;
  std::string logits;
  bool in_place = false;   ///< runs write new tokens to their places in a cache of one size
  bool free_room = false;  ///< ... of any size: give_room() states it
  bool one_buffer =
      false;              ///< GroupQueryAttention alone has the cache: past and present may be one
  std::int64_t room = 0;  ///< tokens for which the cache has room; 0: it grows
  std::int64_t encoder = 0;  ///< tokens of the encoder; 0: unknown, or none
};

/// Recognizes a model whose outputs are its own next inputs. `prompts`: the model that runs the
/// prompts; may be null.
Result<DecoderPorts> decoder_ports(const graph::Model& model,
                                   const std::vector<StatePattern>& patterns,
                                   const GivenInputs& given = {},
                                   const graph::Model* prompts = nullptr);
/// Recognizes a model that runs prompts, whose outputs are the first inputs of `decoder`.
Result<DecoderPorts> prefill_ports(const graph::Model& model, const DecoderPorts& decoder,
                                   const std::vector<StatePattern>& patterns,
                                   const GivenInputs& given = {});

/// Gives a cache of any one size room for that many tokens.
void give_room(DecoderPorts& ports, std::int64_t tokens);

struct RunSizes {
  std::int64_t batch = 1, tokens = 1, cache = 0;
};

/// Adds the sizes of a run to those that are given, which win.
analysis::Bindings sizes_of(const graph::Model& model, const DecoderPorts& ports,
                            const RunSizes& run, analysis::Bindings given);

/// Returns the ports with the names of the copy that a runtime loads. `inputs_of`: the copy whose
/// inputs the outputs become.
runtime::Decoder decoder_of(const DecoderPorts& ports, const analysis::Resolved& resolved,
                            const attribution::Canonical& copy,
                            const attribution::Canonical& inputs_of);

/// Size of the vocabulary: the last axis of the scores. Input error where it is unknown.
Result<std::int64_t> vocabulary_of(const DecoderPorts& ports, const analysis::Resolved& resolved);

}  // namespace ridge::generation
