// Roles of a decoder's inputs and outputs: token ids, positions, mask, cache and scores, recognized
// by name and shape.
//
//   const auto patterns = TRY(parse_state("present.*=past.*"));      // or default_state()
//   const DecoderPorts ports = TRY(decoder_ports(model, patterns));
//   bindings = sizes_of(model, ports, {.batch = 1, .tokens = 1, .cache = 128}, bindings);
//
// - cache: an input that an output is paired with, by the names that remain when a pattern's words
//   are taken away: present.3.key with past.3.key;
// - ids: the integers whose name contains "ids" or "token", or the only ones left, [batch, tokens];
// - positions and mask: integers whose names contain "position" and "mask";
// - a bool whose name contains "use_cache" says whether there is a cache;
// - scores: the output "logits", or the only one left.
//
// Names are those of the model's file. Errors: usage class, RIDGE-WB-0200 (a pattern), input class,
// RIDGE-WB-0201 (an input or the scores have no role; a cache's length is ambiguous). Thread rule:
// pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"
#include "attribution/canonical.h"
#include "base/result.h"
#include "graph/model.h"
#include "runtime/generation.h"

namespace ridge::workbench {

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
  std::int32_t axis = -1;  ///< along which the cache grows; -1: it has one size
};

struct DecoderPorts {
  std::string ids, positions, mask, has_cache;  ///< "": none
  bool one_token = false;                       ///< the number of ids is fixed at one
  std::vector<PastPort> past;
  std::vector<runtime::StatePair> state;
  std::string logits;
};

/// Recognizes a model whose outputs are its own next inputs.
Result<DecoderPorts> decoder_ports(const graph::Model& model,
                                   const std::vector<StatePattern>& patterns);
/// Recognizes a model that runs prompts, whose outputs are the first inputs of `decoder`.
Result<DecoderPorts> prefill_ports(const graph::Model& model, const DecoderPorts& decoder,
                                   const std::vector<StatePattern>& patterns);

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

}  // namespace ridge::workbench
