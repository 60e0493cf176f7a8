// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "runtime/child/argmax.h"
#include "runtime/child/plugin.h"
#include "runtime/inputs/inputs.h"
#include "runtime/sized.h"

namespace ridge::runtime {
namespace {

/// Hand-overs of a request whose addresses are compared: from the prompt's run to the first step,
/// and from a step to itself.
constexpr int kCompared = 2;

Error no_scores(std::string what) {
  return input_error("RIDGE-RT-0062", std::move(what))
      .hint("its scores are [batch, tokens, vocabulary] or [batch, vocabulary], in floats");
}

/// The run wrote a cache from which the next run cannot go on.
Error no_cache(std::string what) { return input_error("RIDGE-RT-0064", std::move(what)); }

std::span<const std::int64_t> tensor_dims(const RidgeTensor& tensor) {
  return {tensor.dims, tensor.rank};
}

}  // namespace

Result<std::unique_ptr<ChildDecoder>> ChildDecoder::open(const DecoderSessions& sessions,
                                                         const GenerationPlan& plan) {
  if (!sessions.hands_over)
    return environment_error("RIDGE-RT-0060",
                             "this runtime does not hand outputs over to the next run")
        .hint("its plug-in has no hand_over (runtime/abi.h)");
  std::unique_ptr<ChildDecoder> out(new ChildDecoder(sessions, plan));
  out->error_ = no_error();
  out->next_.resize(plan.batch);
  TRY(out->open(out->decode_, plan.decode, sessions.decode));
  if (plan.prefill) TRY(out->open(out->prefill_, *plan.prefill, sessions.prefill));
  if (out->shares()) TRY(out->share_buffers());
  return out;
}

Result<void> ChildDecoder::open(Model& model, const Decoder& of, RidgeSession* session) {
  model.of = &of;
  model.session = session;
  const std::vector<StateInput>& past = plan_.decode.past;
  for (const StatePair& pair : of.state) {
    const auto at = std::ranges::find(past, pair.input, &StateInput::name);
    if (at == past.end()) return bug("an output for no input of the decoder", "ChildDecoder");
    model.past.push_back(static_cast<std::size_t>(at - past.begin()));
    if (!at->kept)
      model.pairs.push_back({sizeof(RidgePair), 0, pair.output.c_str(), pair.input.c_str()});
  }
  return check(api_.open_worker(session, &model.worker, &error_), error_);
}

/// Buffers with room for the longest request, which a run reads and writes.
Result<void> ChildDecoder::share_buffers() {
  if (!sessions_.shares_buffers || plan_.prefill)
    return environment_error("RIDGE-RT-0065",
                             "this runtime does not run a model whose past and present are one "
                             "buffer")
        .hint("--cache grow");
  rows_.clear();
  dims_.clear();
  for (const StatePair& pair : plan_.decode.state) {
    const auto state = std::ranges::find(plan_.decode.past, pair.input, &StateInput::name);
    if (state == plan_.decode.past.end() || state->axis < 0 || state->kept)
      return bug("a cache that cannot be shared", "ChildDecoder");
    std::vector<std::int64_t> dims = state->dims;
    dims[static_cast<std::size_t>(state->axis)] = plan_.capacity;
    InputSpec spec{.name = state->name, .type = state->type, .dims = dims, .bound = {}};
    spec.seed = plan_.seed + buffers_.size();
    buffers_.emplace_back(static_cast<std::size_t>(array_bytes(state->type, dims)));
    if (plan_.prompt_by == PromptBy::kGivenCache) TRY(fill_input(spec, buffers_.back()));
    handed_.buffer += std::ssize(buffers_.back());
    add(pair.input, state->type, std::move(dims), buffers_.back());
  }
  const RidgeTensors view = {rows_.data(), rows_.size(), sizeof(RidgeTensor)};
  return check(
      api_.share_buffers(decode_.worker, &view, decode_.pairs.data(), sizeof(RidgePair), &error_),
      error_);
}

ChildDecoder::~ChildDecoder() {
  for (const Model* model : {&prefill_, &decode_})
    if (model->worker != nullptr) api_.close_worker(model->worker);
}

Result<void> ChildDecoder::begin(std::uint32_t prompt) {
  last_ = nullptr;
  compared_ = 0;
  cache_ = seen_ = 0;
  kept_.assign(plan_.decode.past.size(), {});
  places_.assign(plan_.decode.past.size(), 0);
  std::uint64_t copied = 0;
  TRY(check(api_.hand_over(decode_.worker, decode_.worker, nullptr, 0, sizeof(RidgePair), &copied,
                           &error_),
            error_));
  if (plan_.prompt_by != PromptBy::kGivenCache) return {};
  if (!shares()) TRY(fill_cache(prompt));
  cache_ = seen_ = prompt;
  places_.assign(plan_.decode.past.size(), prompt);
  return {};
}

/// Seeded numbers for a cache of that many tokens.
Result<void> ChildDecoder::fill_cache(std::uint32_t length) {
  if (given_ == length && !past_.empty()) return {};
  past_.clear();
  for (const StateInput& state : plan_.decode.past) {
    InputSpec spec{.name = state.name, .type = state.type, .dims = state.dims, .bound = {}};
    if (state.axis >= 0) spec.dims[static_cast<std::size_t>(state.axis)] = length;
    spec.seed = plan_.seed + past_.size();
    past_.emplace_back(static_cast<std::size_t>(array_bytes(state.type, spec.dims)));
    TRY(fill_input(spec, past_.back()));
  }
  given_ = length;
  return {};
}

void ChildDecoder::add(const std::string& name, onnx::DataType type, std::vector<std::int64_t> dims,
                       std::span<const std::byte> elements) {
  static constexpr std::byte kNothing{};
  RidgeTensor row{};
  row.size = sizeof(row);
  row.type = static_cast<std::int32_t>(type);
  row.name = name.c_str();
  row.dims = dims_.emplace_back(std::move(dims)).data();
  row.rank = static_cast<std::uint32_t>(dims_.back().size());
  row.kind = RIDGE_TENSOR;
  row.data = elements.empty() ? &kNothing : elements.data();
  row.bytes = elements.size();
  rows_.push_back(row);
}

/// Inputs of the cache that no run hands over: all of the first run, later those that are kept.
void ChildDecoder::give_past(const Decoder& of) {
  for (std::size_t i = 0; i < of.past.size(); ++i) {
    const StateInput& state = of.past[i];
    if (const Kept& kept = kept_[i]; !kept.dims.empty()) {
      add(state.name, state.type, kept.dims, kept.elements);
      continue;
    }
    if (shares() || (last_ != nullptr && !state.kept)) continue;
    std::vector<std::int64_t> dims = state.dims;
    if (state.axis >= 0) dims[static_cast<std::size_t>(state.axis)] = cache_;
    if (seen_ > 0 && i < past_.size()) {
      add(state.name, state.type, dims, past_[i]);
      continue;
    }
    elements_.emplace_back(static_cast<std::size_t>(array_bytes(state.type, dims)));
    add(state.name, state.type, dims, elements_.back());
  }
}

Result<RidgePreparedInput*> ChildDecoder::prepared(const Model& model,
                                                   std::span<const std::int64_t> ids,
                                                   std::uint32_t count) {
  rows_.clear();
  dims_.clear();
  elements_.clear();
  const RunState state{.ids = ids,
                       .batch = plan_.batch,
                       .tokens = count,
                       .cache = cache_,
                       .seen = seen_,
                       .seed = plan_.seed};
  for (const RunInput& input : model.of->inputs) {
    RunArray array = TRY(array_of(input, state));
    elements_.push_back(std::move(array.elements));
    add(input.name, input.type, std::move(array.dims), elements_.back());
  }
  give_past(*model.of);
  const RidgeTensors view = {rows_.data(), rows_.size(), sizeof(RidgeTensor)};
  RidgePreparedInput* out = nullptr;
  TRY(check(api_.prepare_input(model.session, &view, &out, &error_), error_));
  return out;
}

Result<void> ChildDecoder::hand_over(Model& to) {
  std::uint64_t copied = 0;
  TRY(check(api_.hand_over(last_->worker, to.worker, last_->pairs.data(), last_->pairs.size(),
                           sizeof(RidgePair), &copied, &error_),
            error_));
  handed_.handed += last_->state_bytes;
  handed_.copied += static_cast<std::int64_t>(copied);
  return {};
}

/// Counts the tensors that the run did not read from where the run before it wrote them.
Result<void> ChildDecoder::compare(const Model& to, std::span<const void* const> written) {
  RidgeTensors inputs{};
  TRY(check(api_.worker_inputs(to.worker, &inputs, &error_), error_));
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(inputs.count, written.size()); ++i) {
    const RidgeTensor input = row(inputs.items, inputs.stride, i);
    ++handed_.compared;
    if (input.data != written[i]) handed_.copied += static_cast<std::int64_t>(input.bytes);
  }
  return {};
}

Result<StepRecord> ChildDecoder::run(std::span<const std::int64_t> ids, std::uint32_t count) {
  const bool first = last_ == nullptr;
  Model& model = first && plan_.prefill ? prefill_ : decode_;
  StepRecord step{.start_ns = steady_clock().now().count, .cache = cache_ & 0x3fff'ffffU};
  std::vector<const void*> written;
  if (!first && !shares()) {
    if (compared_ < kCompared) written = last_->written;
    TRY(hand_over(model));
  }
  RidgePreparedInput* const inputs = TRY(prepared(model, ids, count));
  const std::int64_t begin = steady_clock().now().count;
  const RidgeStatus status = api_.run_worker(model.worker, inputs, &error_);
  step.run_ns = steady_clock().now().count - begin;
  api_.drop_input(inputs);
  TRY(check(status, error_));
  TRY(read(model, count));
  step.id = static_cast<std::int32_t>(next_[0]);
  step.done_ns = steady_clock().now().count;
  if (!written.empty()) {
    ++compared_;
    TRY(compare(model, written));
  }
  last_ = &model;
  return step;
}

/// Takes the next tokens from the outputs, and notes where the cache lies and how long it is.
Result<void> ChildDecoder::read(Model& model, std::uint32_t count) {
  seen_ += count;
  cache_ += count;
  if (!plan_.computes) return {};
  RidgeTensors outputs{};
  TRY(check(api_.worker_outputs(model.worker, &outputs, &error_), error_));
  const std::vector<StatePair>& pairs = model.of->state;
  model.written.clear();
  model.state_bytes = 0;
  bool scored = false;
  std::vector<RidgeTensor> states(pairs.size());
  std::size_t at = 0;  // outputs are in the order of the pairs, mostly
  for (std::uint64_t i = 0; i < outputs.count; ++i) {
    const RidgeTensor output = row(outputs.items, outputs.stride, i);
    if (!scored && model.of->logits == output.name) {
      TRY(choose(output, count));
      scored = true;
      continue;
    }
    if (at == pairs.size() || pairs[at].output != output.name)
      at = static_cast<std::size_t>(
          std::ranges::find(pairs, std::string_view(output.name), &StatePair::output) -
          pairs.begin());
    if (at < pairs.size()) states[at++] = output;
  }
  if (!scored) return no_scores(fmt::format("the run has no output '{}'", model.of->logits));
  for (std::size_t pair = 0; pair < pairs.size(); ++pair)
    if (states[pair].name != nullptr) TRY(take_state(model, pair, states[pair], count));
  const std::int64_t longest = places_.empty() ? 0 : std::ranges::max(places_);
  if (longest > 0) cache_ = static_cast<std::uint32_t>(std::min<std::int64_t>(longest, seen_));
  if (cache_ < seen_) handed_.window = std::max<std::int64_t>(handed_.window, cache_);
  return {};
}

Result<void> ChildDecoder::take_state(Model& model, std::size_t pair, const RidgeTensor& output,
                                      std::uint32_t count) {
  const std::size_t past = model.past[pair];
  if (plan_.decode.past[past].kept) {
    Kept& kept = kept_[past];
    if (seen_ > count || output.data == nullptr) return {};  // a run with a cache gives none
    const auto* elements = static_cast<const std::byte*>(output.data);
    kept = {{output.dims, output.dims + output.rank}, {elements, elements + output.bytes}};
    handed_.copied += static_cast<std::int64_t>(output.bytes);
    handed_.handed += static_cast<std::int64_t>(output.bytes);
    return {};
  }
  TRY(count_places(past, output, count));
  model.written.push_back(output.data);
  model.state_bytes += static_cast<std::int64_t>(output.bytes);
  if (!shares() || compared_ >= kCompared) return {};
  ++handed_.compared;
  if (output.data != buffers_[pair].data())
    handed_.copied += static_cast<std::int64_t>(output.bytes);
  return {};
}

/// Compares the length of what a run wrote with the tokens of which it is to be the cache.
Result<void> ChildDecoder::count_places(std::size_t past, const RidgeTensor& output,
                                        std::uint32_t count) {
  const StateInput& state = plan_.decode.past[past];
  const std::span<const std::int64_t> dims = tensor_dims(output);
  const auto axis = static_cast<std::size_t>(state.axis);
  const auto differs = [&](std::size_t i) {
    return (state.axis < 0 || i != axis) && dims[i] != state.dims[i];
  };
  bool fits = dims.size() == state.dims.size();
  for (std::size_t i = 0; fits && i < dims.size(); ++i) fits = !differs(i);
  if (!fits)
    return no_cache(fmt::format(
                        "the output '{}' is [{}], and the next run's input '{}' [{}]{}",
                        output.name, fmt::join(dims, ", "), state.name, fmt::join(state.dims, ", "),
                        state.axis < 0 ? "" : fmt::format(", of which axis {} grows", axis)))
        .hint("pair outputs with the inputs that have their shapes: --state OUTPUT=INPUT");
  const std::int64_t before = places_[past];
  if (state.axis < 0) {
    if (state.places > 0) places_[past] = std::min<std::int64_t>(state.places, before + count);
    return {};
  }
  if (shares()) {
    places_[past] = before + count;
    return {};
  }
  const std::int64_t places = dims[axis];
  if (places > before + count || (before > 0 && places == count && places < before + count))
    return no_cache(fmt::format("the output '{}' has {} after a run of {} with {} in its cache: it "
                                "is {}",
                                output.name, counted(places, "token"), counted(count, "token"),
                                counted(before, "token"),
                                places == count ? "what the run added, not the cache of the next "
                                                  "run"
                                                : "longer than both"))
        .hint(
            "export the model with an output of past and new tokens together (a Concat): the "
            "cache that a run writes is handed over as it is, nothing is appended");
  places_[past] = places;
  return {};
}

Result<void> ChildDecoder::choose(const RidgeTensor& logits, std::uint32_t count) {
  const std::span<const std::int64_t> dims = tensor_dims(logits);
  const auto type = static_cast<onnx::DataType>(logits.type);
  const std::int64_t vocabulary = dims.empty() ? 0 : dims.back();
  const std::int64_t rows = dims.size() == 3 ? dims[1] : 1;
  if ((dims.size() != 2 && dims.size() != 3) || dims[0] != plan_.batch || vocabulary <= 0 ||
      rows <= 0 || rows > count || logits.data == nullptr ||
      static_cast<std::int64_t>(logits.bytes) != array_bytes(type, dims))
    return no_scores(fmt::format("the scores '{}' are [{}]", logits.name, fmt::join(dims, ", ")));
  const auto row_bytes = static_cast<std::size_t>(array_bytes(type, {{vocabulary}}));
  const auto* elements = static_cast<const std::byte*>(logits.data);
  for (std::size_t b = 0; b < next_.size(); ++b) {
    const std::size_t last = (b + 1) * static_cast<std::size_t>(rows) - 1;
    const auto id = argmax({elements + last * row_bytes, row_bytes}, type);
    if (!id) return no_scores(fmt::format("the scores '{}' are of another type", logits.name));
    next_[b] = *id;
  }
  return {};
}

}  // namespace ridge::runtime
