// SPDX-License-Identifier: Apache-2.0
// One model in OpenVINO: loading, runs with or without profiling, and its layer list.
//
// Profiling is a property of the compiled model, so there are two compiled models: a plain one,
// made by load, and a profiling one, made when profiling is first requested. After every switch
// between the two, an untimed run brings the weights back into the caches. OpenVINO reports, for
// each layer, the mean over all runs of the compiled model, truncated to whole microseconds; events
// contain these means unchanged (RidgeEvent::executions).
//
// Thread rule: one thread, but cancel() may come from any.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/openvino/backend/layers.h"
#include "runtime/openvino/backend/prepared_model.h"
#include "runtime/openvino/backend/settings.h"
#include "runtime/openvino/backend/worker.h"

namespace ridge::openvino {

class Session {
 public:
  static Result<std::unique_ptr<Session>> load(ov::Core& core, const Settings& settings,
                                               std::string_view onnx, const RidgeTensors& weights);
  /// A model of PreparedModel; its blob must live until unload.
  static Result<std::unique_ptr<Session>> load_prepared(ov::Core& core, const Settings& settings,
                                                        Import prepared);
  ~Session();

  RidgeGraph graph();
  /// Uses the elements in place, without copying.
  Result<void> set_inputs(const RidgeTensors& inputs);
  /// Inputs that are missing are taken from set_inputs().
  Result<PreparedInput> prepare_input(const RidgeTensors& inputs) const;
  Result<std::unique_ptr<Worker>> open_worker();
  Result<void> run();
  /// Usage error in a copy of the process (RIDGE-OV-0033).
  Result<void> run_async(RidgeDone done, void* context);
  Result<RidgeTensors> outputs();
  /// See RidgeRuntimeApi::profile; `sink` is copied.
  Result<void> profile(const RidgeProfileSink* sink);
  /// Usage error: OpenVINO does not report them.
  static Result<void> facts(const RidgeFactSink& sink);
  void cancel();

 private:
  /// Compiled model with its only infer request.
  struct Compiled {
    ov::CompiledModel model;
    ov::InferRequest request;
    std::uint64_t runs = 0;
  };

  Session(ov::Core& core, const Settings& settings) : core_(core), settings_(settings) {}
  Result<Compiled> compile(bool profiling);
  static Result<std::unique_ptr<Session>> ready(std::unique_ptr<Session> session);
  Result<void> infer(Compiled& compiled);
  Result<void> start_profiling();
  std::vector<std::int64_t> means();
  void deliver();
  static void give_inputs(const std::vector<ov::Tensor>& given, Compiled& compiled);
  RidgeTensors view(const std::vector<Port>& ports, std::vector<RidgeTensor>& rows) const;

  ov::Core& core_;
  const Settings& settings_;
  std::shared_ptr<ov::Model> model_;  // null: blob_ is imported
  ov::Tensor blob_;
  std::unique_ptr<ReadNames> names_;
  std::vector<Port> inputs_, outputs_;
  Compiled plain_;
  std::optional<Compiled> profiled_;
  // Guards profiled_ and workers_: threads create them while another may cancel.
  std::mutex publishing_;
  LayerList layers_, profiled_layers_;
  std::vector<ov::Tensor> given_;     // by input; empty if not set
  RidgeProfileSink sink_{};           // event == nullptr: not profiling
  std::vector<std::int64_t> before_;  // means before the run, by layer, in microseconds
  std::int64_t run_start_ns_ = 0;
  std::vector<RidgeTensor> input_rows_, output_rows_;
  OutputRows results_;
  std::set<Worker*> workers_;  // open ones
  std::atomic<bool> canceled_ = false;
};

}  // namespace ridge::openvino
