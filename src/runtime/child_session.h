// One loaded model inside the child, with everything that must outlive it, and its cancellation
// from outside.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "runtime/abi.h"
#include "runtime/measuring_loop.h"
#include "runtime/protocol.h"

namespace ridge::runtime {

inline std::string text_or_empty(const char* text) { return text != nullptr ? text : ""; }

/// Listens on the control socket in its own thread: a byte cancels the active session, the end of
/// the socket ends the process.
class Canceler {
 public:
  Canceler();
  /// Sets a folder that is deleted if the process ends because ridge has died.
  void remove_at_end(std::string folder);
  /// Sets the session that a byte cancels; nullptr: none. Waits for a cancellation in progress.
  void set_active(const RidgeRuntimeApi* api, RidgeSession* session);
  bool canceled() const { return canceled_.load(std::memory_order_relaxed); }
  /// System id of the listening thread.
  std::int64_t thread() const { return thread_.load(std::memory_order_relaxed); }

 private:
  void listen();
  std::mutex mutex_;
  std::string folder_;
  const RidgeRuntimeApi* api_ = nullptr;
  RidgeSession* session_ = nullptr;
  std::atomic<bool> canceled_ = false;
  std::atomic<std::int64_t> thread_ = 0;
};

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
};

}  // namespace ridge::runtime
