// SPDX-License-Identifier: Apache-2.0
// One loaded model inside the child, with everything that must outlive it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/abi.h"
#include "runtime/child/canceler.h"
#include "runtime/child/load_target.h"
#include "runtime/child/measuring_loop.h"
#include "runtime/protocol.h"

namespace ridge::runtime {

/// A model and its weights as load takes them; without a dump.
RidgeModel model_in_memory(std::string_view model, const RidgeTensors& weights, Form form);

class ChildSession final : public Target {
 public:
  /// `memory_folder`: empty if the runtime takes no weights from files. Fills `loaded` except for
  /// the session's number.
  static Result<std::unique_ptr<ChildSession>> load(const RidgeRuntimeApi& api,
                                                    RidgeRuntime* runtime, LoadCall call,
                                                    const std::vector<ipc::Descriptor>& files,
                                                    const std::string& memory_folder,
                                                    Canceler& canceller, Loaded& loaded);
  ~ChildSession() override;

  /// Makes this the session that cancellations refer to.
  void activate();
  Result<void> set_inputs(std::vector<InputTensor> tensors, ipc::Mapping memory);
  Result<std::vector<KernelFacts>> facts();
  /// Runs the model once and fills `reply`.
  Result<ipc::SharedMemory> outputs(OutputsReply& reply);

  /// Prepares sets of inputs for a load. `workers`: the runtime has them.
  Result<void> set_inputs(std::vector<std::vector<InputTensor>> prepared_inputs,
                          ipc::Mapping memory, bool workers);
  RidgeSession* session() const { return session_; }
  /// WeightStore::let_go_of_pages() on its weights.
  void let_go_of_weights() { weights_.let_go_of_pages(); }
  /// Error (bug) before set_inputs.
  Result<ChildLoad*> load_target();

  Result<void> run() override;
  Result<void> profile(const RidgeProfileSink* sink) override;
  bool canceled() const override { return canceller_.canceled(); }
  std::int64_t helper_thread() const override { return canceller_.thread(); }

 private:
  ChildSession(const RidgeRuntimeApi& api, Canceler& canceller)
      : api_(api), canceller_(canceller) {}
  Result<RuntimeGraph> graph();
  Result<void> load(RidgeRuntime* runtime, std::string_view model, const RidgeTensors& weights,
                    const LoadCall& call, Loaded& loaded);

  const RidgeRuntimeApi& api_;
  Canceler& canceller_;
  RidgeSession* session_ = nullptr;
  WeightStore weights_;
  ipc::Mapping input_memory_;
  std::vector<InputTensor> inputs_;
  RidgeProfileSink sink_{};
  std::unique_ptr<ChildLoad> load_;  // before the session is unloaded
};

}  // namespace ridge::runtime
