// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/load_target.h"

#include <optional>
#include <utility>

#include "runtime/child/plugin.h"

namespace ridge::runtime {
namespace {

/// A worker with the calls that both kinds have in common.
class RunningWorker : public WorkerTarget {
 public:
  explicit RunningWorker(OutputRecorder& recorder) : recorder_(recorder) {}
  virtual Result<RidgeTensors> outputs() = 0;
  Result<void> keep(std::uint64_t run) override { return recorder_.add(run, TRY(outputs())); }

  Result<void> open_batches(const BatchWorker::Calls& calls, const std::vector<BatchSession>& of,
                            const SampleRows& samples) {
    for (const BatchSession& session : of)
      batches_.push_back(TRY(BatchWorker::open(calls, session, samples)));
    return {};
  }
  Result<void> run_batch(std::span<const std::uint32_t> prepared_inputs, std::uint32_t size) final {
    if (size == 1) return run(prepared_inputs[0]);
    for (const auto& batch : batches_)
      if (batch->size() == size) return batch->run(prepared_inputs);
    return bug("no session for batches of that size", "ChildLoad");
  }

 private:
  OutputRecorder& recorder_;
  std::vector<std::unique_ptr<BatchWorker>> batches_;
};

class PluginWorker final : public RunningWorker {
 public:
  PluginWorker(const RidgeRuntimeApi& api, const std::vector<RidgePreparedInput*>& prepared_inputs,
               OutputRecorder& recorder)
      : RunningWorker(recorder), api_(api), prepared_inputs_(prepared_inputs) {}
  ~PluginWorker() override {
    if (worker_ != nullptr) api_.close_worker(worker_);
  }
  PluginWorker(const PluginWorker&) = delete;
  PluginWorker& operator=(const PluginWorker&) = delete;

  Result<void> open(RidgeSession* session) {
    return check(api_.open_worker(session, &worker_, &error_), error_);
  }
  Result<void> run(std::uint32_t prepared) override {
    const RidgeStatus status = api_.run_worker(worker_, prepared_inputs_[prepared], &error_);
    if (status == RIDGE_OK) return {};
    return check(status, error_);
  }
  Result<RidgeTensors> outputs() override {
    RidgeTensors out{};
    TRY(check(api_.worker_outputs(worker_, &out, &error_), error_));
    return out;
  }

 private:
  const RidgeRuntimeApi& api_;
  const std::vector<RidgePreparedInput*>& prepared_inputs_;
  RidgeWorker* worker_ = nullptr;
  RidgeError error_ = no_error();
};

/// The session itself.
class SessionWorker final : public RunningWorker {
 public:
  /// `taken` is true while this exists.
  SessionWorker(const ChildLoad::Of& of, const std::vector<std::vector<InputTensor>>& inputs,
                std::span<const std::byte> memory, bool& taken, OutputRecorder& recorder)
      : RunningWorker(recorder), of_(of), inputs_(inputs), memory_(memory), taken_(taken) {
    taken_ = true;
  }
  ~SessionWorker() override { taken_ = false; }
  SessionWorker(const SessionWorker&) = delete;
  SessionWorker& operator=(const SessionWorker&) = delete;

  Result<void> run(std::uint32_t prepared) override {
    if (given_ != prepared) {
      rows_.emplace(memory_);
      const RidgeTensors view = TRY(rows_->of(inputs_[prepared]));
      TRY(check(of_.api->set_inputs(of_.session, &view, &error_), error_));
      given_ = prepared;
    }
    return check(of_.api->run(of_.session, &error_), error_);
  }
  Result<RidgeTensors> outputs() override {
    RidgeTensors out{};
    TRY(check(of_.api->outputs(of_.session, &out, &error_), error_));
    return out;
  }

 private:
  ChildLoad::Of of_;
  const std::vector<std::vector<InputTensor>>& inputs_;
  std::span<const std::byte> memory_;
  bool& taken_;
  std::optional<InputRows> rows_;
  std::optional<std::uint32_t> given_;
  RidgeError error_ = no_error();
};

}  // namespace

Result<void> OutputRecorder::add(std::uint64_t run, const RidgeTensors& outputs) {
  const std::scoped_lock lock(mutex_);
  kept_.push_back({run, copy_.add(outputs)});
  if (kept_.back().outputs.bytes <= kMaxKeptBytes) return {};
  return environment_error("RIDGE-RT-0051", "the outputs to be kept take more than 1 GiB")
      .hint("keep those of fewer samples: accuracy_log_sampling_target in --user-conf");
}

Result<ipc::SharedMemory> OutputRecorder::take(std::vector<KeptReply>& kept) {
  const std::scoped_lock lock(mutex_);
  kept = std::exchange(kept_, {});
  return std::exchange(copy_, {}).memory();
}

Result<std::unique_ptr<ChildLoad>> ChildLoad::make(
    const Of& of, std::vector<std::vector<InputTensor>> prepared_inputs, ipc::Mapping memory) {
  std::unique_ptr<ChildLoad> out(new ChildLoad(of, std::move(prepared_inputs), std::move(memory)));
  if (!of.workers) return out;
  for (const std::vector<InputTensor>& inputs : out->inputs_) {
    InputRows rows(out->memory_.bytes());
    const RidgeTensors view = TRY(rows.of(inputs));
    RidgeError error = no_error();
    RidgePreparedInput* prepared = nullptr;
    TRY(check(of.api->prepare_input(of.session, &view, &prepared, &error), error));
    out->prepared_inputs_.push_back(prepared);
  }
  return out;
}

ChildLoad::~ChildLoad() {
  for (RidgePreparedInput* prepared : prepared_inputs_) of_.api->drop_input(prepared);
}

Result<std::unique_ptr<WorkerTarget>> ChildLoad::open_worker() {
  const BatchWorker::Calls calls{of_.api, of_.workers};
  const SampleRows rows{inputs_, memory_.bytes()};
  if (of_.workers) {
    auto worker = std::make_unique<PluginWorker>(*of_.api, prepared_inputs_, recorder_);
    TRY(worker->open(of_.session));
    TRY(worker->open_batches(calls, batches_, rows));
    return std::unique_ptr<WorkerTarget>(std::move(worker));
  }
  if (has_worker_)
    return environment_error("RIDGE-RT-0050", "this runtime runs one query at a time")
        .hint("its plug-in has no workers (runtime/abi.h); use --workers 1");
  auto worker =
      std::make_unique<SessionWorker>(of_, inputs_, memory_.bytes(), has_worker_, recorder_);
  TRY(worker->open_batches(calls, batches_, rows));
  return std::unique_ptr<WorkerTarget>(std::move(worker));
}

Result<ipc::SharedMemory> ChildLoad::outputs_of(std::uint32_t first, std::uint32_t count,
                                                std::vector<OutputsReply>& replies) {
  if (first > prepared_inputs() || count > prepared_inputs() - first)
    return bug("samples that are not there", "child");
  const std::unique_ptr<WorkerTarget> opened = TRY(open_worker());
  auto& worker = static_cast<RunningWorker&>(*opened);
  OutputCopy copy;
  for (std::uint32_t i = first; i < first + count; ++i) {
    TRY(worker.run(i));
    replies.push_back(copy.add(TRY(worker.outputs())));
  }
  return copy.memory();
}

}  // namespace ridge::runtime
