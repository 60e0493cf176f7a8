// SPDX-License-Identifier: Apache-2.0
// Batches of a model in a runtime: one session for each size, and for each worker the memory in
// which the inputs of a batch lie next to each other.
//
//   BatchWorker worker = TRY(BatchWorker::open({&api, true}, session_of_size_4, samples));
//   TRY(worker.run(prepared_inputs));        // copies the samples' rows, and runs
//
// The copying is part of a query's time. Outputs stay as the batch has them. A runtime has a
// session for each size because it plans memory and chooses kernels for one shape; the sessions
// share what the runtime shares (the child passes them the same weights, of which each session may
// make a packed copy).
//
// Ownership: borrows the sessions and the samples. Thread rule: a worker belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "runtime/abi.h"
#include "runtime/child/tensor_rows.h"
#include "runtime/inputs/inputs.h"

namespace ridge::runtime {

/// A session of the same model whose inputs have `size` times as many rows.
struct BatchSession {
  std::uint32_t size = 0;
  RidgeSession* session = nullptr;
  std::vector<InputTensor> inputs;  ///< with their shapes; offsets within a worker's memory
};

/// Prepared samples, and the memory that they lie in.
struct SampleRows {
  const std::vector<std::vector<InputTensor>>& sets;
  std::span<const std::byte> memory;
};

/// Copies an input of samples one after the other along the batch's axis; the last one is repeated
/// to `size`. `outer`: product of the lengths before that axis.
void gather_rows(std::span<const std::span<const std::byte>> samples, std::size_t outer,
                 std::uint32_t size, std::span<std::byte> into);

class BatchWorker {
 public:
  struct Calls {
    const RidgeRuntimeApi* api = nullptr;
    bool workers = false;  ///< the runtime has them; else the session itself runs
  };
  /// Errors: bug class for inputs that are not `size` samples each; the runtime's errors.
  static Result<std::unique_ptr<BatchWorker>> open(const Calls& calls, const BatchSession& of,
                                                   const SampleRows& samples);
  ~BatchWorker();
  BatchWorker(const BatchWorker&) = delete;
  BatchWorker& operator=(const BatchWorker&) = delete;

  std::uint32_t size() const { return of_.size; }
  Result<void> run(std::span<const std::uint32_t> prepared_inputs);
  Result<RidgeTensors> outputs();

 private:
  BatchWorker(const Calls& calls, const BatchSession& of, const SampleRows& samples)
      : calls_(calls), of_(of), samples_(samples) {}
  Result<void> lay_out();

  Calls calls_;
  const BatchSession& of_;
  SampleRows samples_;
  std::vector<std::byte> memory_;
  std::vector<std::size_t> outer_;  // of each input
  std::vector<std::span<const std::byte>> samples_of_input_;
  std::unique_ptr<InputRows> rows_;
  RidgeTensors view_{};
  RidgePreparedInput* prepared_ = nullptr;
  RidgeWorker* worker_ = nullptr;
  RidgeError error_{};
};

}  // namespace ridge::runtime
