// SPDX-License-Identifier: Apache-2.0
// A session of the child as the target of a load: its prepared samples, and its workers.
//
// A plug-in without workers (RIDGE_HAS_WORKERS) runs one query at a time: its only worker gives the
// session other inputs before a run where the sample changes.
//
// Ownership: borrows the session; owns the samples' memory. Thread rule: as generator.h.
// Errors: environment class (RIDGE-RT-0050) for more workers than the runtime has, RIDGE-RT-0051
// for more outputs to keep than kMaxKeptBytes.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "ipc/descriptor.h"
#include "runtime/child/batches.h"
#include "runtime/child/canceler.h"
#include "runtime/child/tensor_rows.h"
#include "runtime/load/generator.h"
#include "runtime/protocol.h"

namespace ridge::runtime {

inline constexpr std::int64_t kMaxKeptBytes = std::int64_t{1} << 30;

/// Outputs that workers keep during a load.
class OutputRecorder {
 public:
  Result<void> add(std::uint64_t run, const RidgeTensors& outputs);
  /// Takes what was kept; `kept` refers to the memory returned.
  Result<ipc::SharedMemory> take(std::vector<KeptReply>& kept);

 private:
  std::mutex mutex_;
  OutputCopy copy_;
  std::vector<KeptReply> kept_;
};

class ChildLoad final : public LoadTarget {
 public:
  struct Of {
    const RidgeRuntimeApi* api = nullptr;
    RidgeSession* session = nullptr;
    const Canceler* canceler = nullptr;
    bool workers = false;  ///< the runtime has them
  };
  static Result<std::unique_ptr<ChildLoad>> make(
      const Of& of, std::vector<std::vector<InputTensor>> prepared_inputs, ipc::Mapping memory);
  ~ChildLoad() override;

  std::uint32_t prepared_inputs() const { return static_cast<std::uint32_t>(inputs_.size()); }
  Result<std::unique_ptr<WorkerTarget>> open_worker() override;
  bool canceled() const override { return of_.canceler->canceled(); }
  OutputRecorder& recorder() { return recorder_; }
  /// Sessions of the same model for batches of several samples, one for each size.
  void set_batches(std::vector<BatchSession> batches) { batches_ = std::move(batches); }
  /// Runs a range of the samples once each; `replies` refer to the memory returned.
  Result<ipc::SharedMemory> outputs_of(std::uint32_t first, std::uint32_t count,
                                       std::vector<OutputsReply>& replies);

 private:
  ChildLoad(const Of& of, std::vector<std::vector<InputTensor>> inputs, ipc::Mapping memory)
      : of_(of), memory_(std::move(memory)), inputs_(std::move(inputs)) {}

  Of of_;
  ipc::Mapping memory_;
  std::vector<std::vector<InputTensor>> inputs_;
  std::vector<RidgePreparedInput*>
      prepared_inputs_;  // by sample; empty for a runtime without workers
  std::vector<BatchSession> batches_;
  bool has_worker_ = false;
  OutputRecorder recorder_;
};

}  // namespace ridge::runtime
