// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/batches.h"

#include <algorithm>
#include <cstring>

#include "runtime/child/plugin.h"
#include "runtime/inputs/batch_axis.h"

namespace ridge::runtime {
namespace {

/// Lengths before an axis; outputs of runtimes and inputs of samples have few dimensions.
std::size_t product_before(const std::vector<std::int64_t>& dims, std::size_t axis) {
  std::size_t out = 1;
  for (std::size_t i = 0; i < axis; ++i) out *= static_cast<std::size_t>(dims[i]);
  return out;
}

std::size_t unsigned_of(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

}  // namespace

void gather_rows(std::span<const std::span<const std::byte>> samples, std::size_t outer,
                 std::uint32_t size, std::span<std::byte> into) {
  const std::size_t rows = samples[0].size() / outer;  // bytes of a sample below the axis
  std::byte* to = into.data();
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::uint32_t i = 0; i < size; ++i, to += rows) {
      const std::span<const std::byte> sample =
          samples[std::min<std::size_t>(i, samples.size() - 1)];
      if (rows > 0) std::memcpy(to, sample.data() + o * rows, rows);
    }
  }
}

Result<std::unique_ptr<BatchWorker>> BatchWorker::open(const Calls& calls, const BatchSession& of,
                                                       const SampleRows& samples) {
  std::unique_ptr<BatchWorker> out(new BatchWorker(calls, of, samples));
  out->error_ = no_error();
  TRY(out->lay_out());
  out->rows_ = std::make_unique<InputRows>(out->memory_);
  out->view_ = TRY(out->rows_->of(of.inputs));
  if (!calls.workers) return out;
  TRY(check(calls.api->prepare_input(of.session, &out->view_, &out->prepared_, &out->error_),
            out->error_));
  TRY(check(calls.api->open_worker(of.session, &out->worker_, &out->error_), out->error_));
  return out;
}

BatchWorker::~BatchWorker() {
  if (worker_ != nullptr) calls_.api->close_worker(worker_);
  if (prepared_ != nullptr) calls_.api->drop_input(prepared_);
}

/// Checks every size that copying relies on.
Result<void> BatchWorker::lay_out() {
  constexpr std::int64_t kMax = std::int64_t{1} << 40;
  for (const std::vector<InputTensor>& set : samples_.sets)
    if (set.size() != of_.inputs.size()) return bug("a batch has other inputs", "BatchLane");
  std::int64_t bytes = 0;
  for (const InputTensor& input : of_.inputs) {
    if (input.offset < 0 || input.bytes < 0 || input.offset > kMax || input.bytes > kMax)
      return bug("a batch's input lies nowhere", "BatchLane");
    bytes = std::max(bytes, input.offset + input.bytes);
  }
  memory_.resize(unsigned_of(bytes));
  for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
    const InputTensor& batch = of_.inputs[i];
    for (const std::vector<InputTensor>& set : samples_.sets) {
      const InputTensor& one = set[i];
      const std::optional<std::size_t> axis = batch_axis(one, batch, of_.size);
      if (!axis || one.kind != RIDGE_TENSOR || one.bytes * of_.size != batch.bytes ||
          one.offset < 0 || one.bytes < 0 ||
          unsigned_of(one.offset + one.bytes) > samples_.memory.size())
        return bug("a batch is not made of samples", "BatchLane");
      if (outer_.size() == i) outer_.push_back(product_before(one.dims, *axis));
    }
  }
  return {};
}

Result<void> BatchWorker::run(std::span<const std::uint32_t> prepared_inputs) {
  for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
    samples_of_input_.clear();
    for (const std::uint32_t prepared : prepared_inputs) {
      const InputTensor& one = samples_.sets[prepared][i];
      samples_of_input_.push_back(
          samples_.memory.subspan(unsigned_of(one.offset), unsigned_of(one.bytes)));
    }
    const InputTensor& batch = of_.inputs[i];
    gather_rows(samples_of_input_, outer_[i], of_.size,
                std::span(memory_).subspan(unsigned_of(batch.offset), unsigned_of(batch.bytes)));
  }
  if (worker_ != nullptr) return check(calls_.api->run_worker(worker_, prepared_, &error_), error_);
  TRY(check(calls_.api->set_inputs(of_.session, &view_, &error_), error_));
  return check(calls_.api->run(of_.session, &error_), error_);
}

Result<RidgeTensors> BatchWorker::outputs() {
  RidgeTensors out{};
  if (worker_ != nullptr)
    TRY(check(calls_.api->worker_outputs(worker_, &out, &error_), error_));
  else
    TRY(check(calls_.api->outputs(of_.session, &out, &error_), error_));
  return out;
}

}  // namespace ridge::runtime
