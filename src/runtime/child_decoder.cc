#include "runtime/child_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/clock.h"
#include "runtime/argmax.h"
#include "runtime/inputs.h"
#include "runtime/plugin.h"
#include "runtime/sized.h"

namespace ridge::runtime {
namespace {

/// Hand-overs of a request whose addresses are compared: that of the prompt's run to the first
/// step, and that of a step to itself.
constexpr int kCompared = 2;

std::int64_t elements_of(std::span<const std::int64_t> dims) {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t bytes_of(onnx::DataType type, std::span<const std::int64_t> dims) {
  const onnx::DataTypeInfo* info = onnx::info(type);
  return info == nullptr ? 0 : elements_of(dims) * info->bits / 8;
}

Error no_scores(std::string what) {
  return input_error("RIDGE-RT-0062", std::move(what))
      .hint("its scores are [batch, tokens, vocabulary] or [batch, vocabulary], in floats");
}

}  // namespace

Result<std::unique_ptr<ChildDecoder>> ChildDecoder::open(const DecoderSessions& sessions,
                                                         const GenerationPlan& plan) {
  if (!sessions.hands_over)
    return environment_error("RIDGE-RT-0060",
                             "this runtime does not hand outputs over to the next run")
        .hint("its plug-in is older than hand_over (runtime/abi.h): build it again");
  std::unique_ptr<ChildDecoder> out(new ChildDecoder(sessions, plan));
  out->error_ = no_error();
  out->next_.resize(plan.batch);
  TRY(out->open(out->decode_, plan.decode, sessions.decode));
  if (plan.prefill) TRY(out->open(out->prefill_, *plan.prefill, sessions.prefill));
  return out;
}

Result<void> ChildDecoder::open(Model& model, const Decoder& of, RidgeSession* session) {
  model.of = &of;
  model.session = session;
  for (const StatePair& pair : of.state)
    model.pairs.push_back({sizeof(RidgePair), 0, pair.output.c_str(), pair.input.c_str()});
  return check(api_.open_lane(session, &model.lane, &error_), error_);
}

ChildDecoder::~ChildDecoder() {
  for (const Model* model : {&prefill_, &decode_})
    if (model->lane != nullptr) api_.close_lane(model->lane);
}

Result<void> ChildDecoder::begin(std::uint32_t prompt) {
  last_ = nullptr;
  compared_ = 0;
  cache_ = 0;
  std::uint64_t copied = 0;
  TRY(check(
      api_.hand_over(decode_.lane, decode_.lane, nullptr, 0, sizeof(RidgePair), &copied, &error_),
      error_));
  if (plan_.prompt_by != PromptBy::kGivenCache) return {};
  TRY(fill_cache(prompt));
  cache_ = prompt;
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
    past_.emplace_back(static_cast<std::size_t>(bytes_of(state.type, spec.dims)));
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

void ChildDecoder::add_integers(const TokenInput& input, std::vector<std::int64_t> dims,
                                const std::vector<std::int64_t>& values) {
  if (input.name.empty()) return;
  std::vector<std::byte>& bytes = elements_.emplace_back();
  const bool narrow = input.type == onnx::DataType::kInt32;
  const std::size_t each = narrow ? sizeof(std::int32_t) : sizeof(std::int64_t);
  bytes.resize(values.size() * each);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto small = static_cast<std::int32_t>(values[i]);
    std::memcpy(bytes.data() + i * each, narrow ? static_cast<const void*>(&small) : &values[i],
                each);
  }
  add(input.name, input.type, std::move(dims), bytes);
}

Result<RidgeFeed*> ChildDecoder::feed(const Model& model, std::span<const std::int64_t> ids,
                                      std::uint32_t count) {
  rows_.clear();
  dims_.clear();
  elements_.clear();
  const Decoder& of = *model.of;
  const std::int64_t batch = plan_.batch;
  add_integers(of.ids, {batch, count}, {ids.begin(), ids.end()});
  if (!of.positions.name.empty()) {
    std::vector<std::int64_t> positions(ids.size());
    for (std::size_t i = 0; i < positions.size(); ++i)
      positions[i] = cache_ + static_cast<std::int64_t>(i % count);
    add_integers(of.positions, {batch, count}, positions);
  }
  const std::int64_t seen = std::int64_t{cache_} + count;
  if (!of.mask.name.empty())
    add_integers(of.mask, {batch, seen},
                 std::vector<std::int64_t>(static_cast<std::size_t>(batch * seen), 1));
  if (!of.has_cache.empty()) {
    elements_.emplace_back(1, cache_ > 0 ? std::byte{1} : std::byte{0});
    add(of.has_cache, onnx::DataType::kBool, {1}, elements_.back());
  }
  for (std::size_t i = 0; last_ == nullptr && i < of.past.size(); ++i) {
    const StateInput& state = of.past[i];
    std::vector<std::int64_t> dims = state.dims;
    if (state.axis >= 0) dims[static_cast<std::size_t>(state.axis)] = cache_;
    if (cache_ > 0) {
      add(state.name, state.type, dims, past_[i]);
      continue;
    }
    elements_.emplace_back(static_cast<std::size_t>(bytes_of(state.type, dims)));
    add(state.name, state.type, dims, elements_.back());
  }
  const RidgeTensors view = {rows_.data(), rows_.size(), sizeof(RidgeTensor)};
  RidgeFeed* out = nullptr;
  TRY(check(api_.make_feed(model.session, &view, &out, &error_), error_));
  return out;
}

Result<void> ChildDecoder::hand_over(Model& to) {
  std::uint64_t copied = 0;
  TRY(check(api_.hand_over(last_->lane, to.lane, last_->pairs.data(), last_->pairs.size(),
                           sizeof(RidgePair), &copied, &error_),
            error_));
  handed_.handed += last_->state_bytes;
  handed_.copied += static_cast<std::int64_t>(copied);
  return {};
}

/// Counts the tensors that the run did not read from where the run before it wrote them.
Result<void> ChildDecoder::compare(const Model& to, std::span<const void* const> written) {
  RidgeTensors inputs{};
  TRY(check(api_.lane_inputs(to.lane, &inputs, &error_), error_));
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
  if (!first) {
    if (compared_ < kCompared) written = last_->written;
    TRY(hand_over(model));
  }
  RidgeFeed* const inputs = TRY(feed(model, ids, count));
  const std::int64_t begin = steady_clock().now().count;
  const RidgeStatus status = api_.run_lane(model.lane, inputs, &error_);
  step.run_ns = steady_clock().now().count - begin;
  api_.drop_feed(inputs);
  TRY(check(status, error_));
  TRY(read(model, count));
  step.id = static_cast<std::int32_t>(next_[0]);
  step.done_ns = steady_clock().now().count;
  if (!written.empty()) {
    ++compared_;
    TRY(compare(model, written));
  }
  last_ = &model;
  cache_ += count;
  return step;
}

/// Takes the next tokens from the outputs, and notes where the cache lies.
Result<void> ChildDecoder::read(Model& model, std::uint32_t count) {
  if (!plan_.computes) return {};
  RidgeTensors outputs{};
  TRY(check(api_.lane_outputs(model.lane, &outputs, &error_), error_));
  const std::vector<StatePair>& pairs = model.of->state;
  model.written.assign(pairs.size(), nullptr);
  model.state_bytes = 0;
  bool scored = false;
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
    if (at == pairs.size()) continue;
    model.written[at++] = output.data;
    model.state_bytes += static_cast<std::int64_t>(output.bytes);
  }
  if (!scored) return no_scores(fmt::format("the run has no output '{}'", model.of->logits));
  return {};
}

Result<void> ChildDecoder::choose(const RidgeTensor& logits, std::uint32_t count) {
  const std::span<const std::int64_t> dims(logits.dims, logits.rank);
  const auto type = static_cast<onnx::DataType>(logits.type);
  const std::int64_t vocabulary = dims.empty() ? 0 : dims.back();
  const std::int64_t rows = dims.size() == 3 ? dims[1] : 1;
  if ((dims.size() != 2 && dims.size() != 3) || dims[0] != plan_.batch || vocabulary <= 0 ||
      rows <= 0 || rows > count || logits.data == nullptr ||
      static_cast<std::int64_t>(logits.bytes) != bytes_of(type, dims))
    return no_scores(fmt::format("the scores '{}' are [{}]", logits.name, fmt::join(dims, ", ")));
  const auto row_bytes = static_cast<std::size_t>(bytes_of(type, {{vocabulary}}));
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
