// SPDX-License-Identifier: Apache-2.0
// Description of the document ridge.generation/1 (record/describe.h).
#pragma once

#include <optional>
#include <string>

#include "generation/token_generation.h"
#include "record/describe.h"
#include "runtime/describe.h"
#include "scenario/describe.h"
#include "scenario/figures_describe.h"

namespace ridge {

namespace generation {

inline std::string lengths_text(const scenario::Workload& w, const scenario::Lengths& lengths) {
  return w.trace.empty() ? text_of(lengths) : "trace";
}
inline std::string prompt_lengths(const TokenGenerationRequest& r) {
  return lengths_text(r.workload, r.workload.prompt);
}
inline std::string token_lengths(const TokenGenerationRequest& r) {
  return lengths_text(r.workload, r.workload.tokens);
}
inline std::optional<std::string> arrivals_of(const TokenGenerationRequest& r) {
  if (!r.workload.arrivals) return std::nullopt;
  return std::string(name(*r.workload.arrivals));
}
inline std::optional<double> request_rate(const TokenGenerationRequest& r) {
  return r.workload.arrivals ? std::optional(mean_rate(*r.workload.arrivals)) : std::nullopt;
}

/// None where it would be the largest of too few.
inline std::optional<std::int64_t> known_ns(const scenario::TokenPercentile& p) {
  return p.known ? std::optional(p.value_ns) : std::nullopt;
}

inline void set_known_ns(scenario::TokenPercentile& p, const std::optional<std::int64_t>& ns) {
  p.known = ns.has_value();
  p.value_ns = ns.value_or(0);
}

}  // namespace generation

template <>
struct record::Describe<scenario::TokenPercentile> {
  using T = scenario::TokenPercentile;
  static constexpr std::array fields{
      field<&T::share, scenario::AsPercentile>("percentile", "99 for the 99th", known()),
      computed<generation::known_ns, generation::set_known_ns>(
          "ns", "the percentile; null where it would be the largest of too few"),
      field<&T::interval>("ci95_ns", "95 % interval; null for too few requests"),
      field<&T::needed>("needed", "about how many requests an interval takes")};
};

template <>
struct record::Describe<scenario::StepBound> {
  using T = scenario::StepBound;
  static constexpr std::array fields{
      field<&T::weight_bytes>("weight_bytes",
                              "of weights, of those that a lookup reads the rows alone"),
      field<&T::cache_bytes>("cache_bytes", "of keys and values"),
      field<&T::time_ns>("ns", "time that the memory needs for them"),
      field<&T::kind>("kind", "the roof: memory:memory, memory:L3, ..."),
      field<&T::level_bytes>("level_bytes",
                             "what that level must deliver: the bytes that the caches before it "
                             "cannot keep"),
      field<&T::bytes_per_s>("bytes_per_s", "weight_bytes and cache_bytes over the step's time")};
};

template <>
struct record::Describe<scenario::CacheBin> {
  using T = scenario::CacheBin;
  using Step = scenario::Percentile;
  static constexpr std::array fields{
      field<&T::low>("low", "least tokens in the cache before the step"),
      field<&T::high>("high", "most"),
      field<&T::mean_length>("mean_length", "their mean", known()),
      field<&T::steps>("steps", "steps of one token for each sequence"),
      field<&T::step, &Step::value_ns>(
          "step_ns", "median time of a step: handing over, inputs, run, choice of the next token"),
      field<&T::step, &Step::interval>("ci95_ns", "95 % interval of the median"),
      field<&T::run_ns>("run_ns", "median of the runtime's run", known()),
      field<&T::bound>("bound",
                       "the least time of the bytes that any implementation must read; null where "
                       "no roofs are known")};
};

template <>
struct record::Describe<scenario::GenerationFigures> {
  using T = scenario::GenerationFigures;
  static constexpr std::array fields{
      field<&T::requests>("requests", "requests that began"),
      field<&T::failed>("failed", "of those, the ones that failed"),
      field<&T::tokens>("tokens_generated", "tokens of all sequences"),
      field<&T::duration_s>("duration_s", "from the first request to the last token", known()),
      field<&T::tokens_per_s>("tokens", "tokens, all clients and sequences together", on_line()),
      field<&T::client_tokens_per_s>("client_tokens", "tokens of the mean client", on_line()),
      field<&T::prompt_per_s>("prompt_per_s",
                              "tokens of prompts per second while a client runs them; null where "
                              "none ran",
                              on_line()),
      field<&T::decode_per_s>("decode_per_s",
                              "tokens after the first per second while a client generates them; "
                              "null without any"),
      field<&T::first_token>("first_token", "time from the due time to the first token", on_line()),
      field<&T::per_token>(
          "per_token", "time from the first to the last token, over the tokens between", on_line()),
      field<&T::latency>("latency", "time from the due time to the last token", on_line()),
      field<&T::bins>("steps", "steps over the length of the cache, ascending", on_line(),
                      item_lines())};
};

template <>
struct record::Describe<generation::GeneratedPoint> {
  using T = generation::GeneratedPoint;
  using Plan = runtime::GenerationPlan;
  static constexpr std::array cache{
      field<&T::plan, &Plan::cache_by>("by",
                                       "grow: what a run writes is handed to the next one; shared: "
                                       "past and present are one buffer"),
      field<&T::plan, &Plan::capacity>("room_tokens",
                                       "tokens for which a shared buffer, or a cache of one size, "
                                       "has room; null: it grows",
                                       zero_is_null()),
      field<&T::window>("window_tokens",
                        "most places of a cache that had fewer than the tokens before it; null: "
                        "none had",
                        zero_is_null()),
      field<&T::buffer_bytes>("buffer_bytes", "bytes of the shared buffers of a client; 0: none"),
      field<&T::handed_bytes>("handed_bytes", "bytes handed over"),
      field<&T::copied_bytes>("copied_bytes",
                              "of those the ones that were copied: 0 where every run reads what "
                              "the last one wrote"),
      field<&T::compared>("compared_tensors", "tensors whose addresses were compared")};
  static constexpr std::array fields{
      field<&T::runtime>("runtime", "runtime"),
      field<&T::threads>("threads", "threads of each run"),
      field<&T::plan, &Plan::prompt_by>(
          "prompts_by",
          "what fills the cache of a prompt: another model, one run of the decoder, a run for each "
          "token, nothing"),
      group<T, cache>("cache", "cache between runs", on_line()),
      field<&T::figures>("figures", "what was measured", on_line()),
      field<&T::validity>("validity", "if the figures count", on_line())};
};

template <>
struct record::Describe<generation::TokenGenerationRequest> {
  using T = generation::TokenGenerationRequest;
  using Work = scenario::Workload;
  static constexpr std::array fields{
      computed<generation::prompt_lengths>(
          "prompt", "length of prompts: 128, uniform:64,256, lognormal:200,0.5, or trace"),
      computed<generation::token_lengths>("tokens", "tokens of each request, likewise"),
      computed<generation::arrivals_of>("arrivals",
                                        "process of arrivals; null: each client's next when its "
                                        "last is done, or the due times of the trace"),
      computed<generation::request_rate>("requests_per_s", "mean rate of the arrivals"),
      field<&T::workload, &Work::count>("requests", "number of requests"),
      field<&T::clients>("clients", "requests at the same time"),
      field<&T::batch>("batch", "sequences of each request"),
      field<&T::workload, &Work::seed>("seed", "seed of lengths, prompts and arrivals")};
};

template <>
struct record::Describe<generation::InputPort> {
  using T = generation::InputPort;
  static constexpr std::array fields{field<&T::name>("name", "name"),
                                     field<&T::means>("value", "what runs put into it")};
};

template <>
struct record::Describe<generation::DecoderPorts> {
  using T = generation::DecoderPorts;
  static constexpr std::array fields{
      field<&T::ids>("ids", "input of the tokens", zero_is_null()),
      field<&T::positions>("positions", "input of their positions; null: none", zero_is_null()),
      field<&T::mask>("mask", "input of the mask; null: none", zero_is_null()),
      field<&T::logits>("logits", "output of the scores", zero_is_null()),
      field<&T::inputs>("inputs", "inputs other than the cache", item_lines()),
      field<&T::state>("state", "outputs that are inputs of the next run", item_lines())};
};

template <>
struct record::Describe<generation::TokenGeneration> {
  using T = generation::TokenGeneration;
  static constexpr std::string_view schema = "ridge.generation/1";
  static constexpr std::string_view text =
      "A decoder that generates tokens: `ridge generate MODEL --format json`. What is unknown is "
      "null.";
  static constexpr std::array model{field<&T::model>("path", "file, or zoo:NAME"),
                                    field<&T::graph_hash>("graph_hash", "hash of the structure")};
  static constexpr std::array fields{
      field<&T::ridge>("ridge", "version that wrote this"),
      field<&T::host>("host", "host, processor, number of processors"),
      group<T, model>("model", "decoder"),
      field<&T::prefill>("prefill", "model that runs prompts; null: the decoder does",
                         zero_is_null()),
      field<&T::ports>("ports", "roles of the decoder's inputs and outputs", on_line()),
      field<&T::request>("workload", "requests as asked", on_line()),
      field<&T::points>("points", "one for each runtime", on_line(), item_lines())};
};

}  // namespace ridge
