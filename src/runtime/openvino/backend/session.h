// One model in OpenVINO: loaded, run with or without profiling, asked what was made of it.
//
// Profiling is a property of the compiled model, so there are two of it: the plain one, made by
// load, and one that profiles, made when the first profile is asked for. Whenever a caller goes
// from one to the other, a run that nobody times brings its weights back into the caches.
// OpenVINO gives, for each layer, the mean over all runs of the compiled model, cut to whole
// microseconds; events hand these on as they are (RidgeEvent::executions).
//
// Thread rule: one thread, but cancel() may come from any.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/openvino/backend/layers.h"
#include "runtime/openvino/backend/settings.h"

namespace ridge::openvino {

class Session {
 public:
  static Result<std::unique_ptr<Session>> load(ov::Core& core, const Settings& settings,
                                               std::string_view onnx, const RidgeTensors& weights);

  RidgeGraph graph();
  /// Elements are used where they are.
  Result<void> set_inputs(const RidgeTensors& inputs);
  Result<void> run();
  Result<void> run_async(RidgeDone done, void* context);
  Result<RidgeTensors> outputs();
  /// As RidgeRuntimeApi::profile; `sink` is copied.
  Result<void> profile(const RidgeProfileSink* sink);
  void cancel();

 private:
  /// A compiled model with its one request.
  struct Compiled {
    ov::CompiledModel model;
    ov::InferRequest request;
    std::uint64_t runs = 0;
  };
  /// A port as ONNX names it.
  struct Port {
    std::string name;
    ov::element::Type type;
    std::vector<std::int64_t> dims;
  };

  Session(ov::Core& core, const Settings& settings) : core_(core), settings_(settings) {}
  Result<Compiled> compile(bool profiling);
  Result<void> take_inputs(const RidgeTensors& inputs);
  Result<void> infer(Compiled& compiled);
  Result<void> start_profiling();
  std::vector<std::int64_t> means();
  void deliver();
  static void give_inputs(const std::vector<ov::Tensor>& given, Compiled& compiled);
  RidgeTensors view(const std::vector<Port>& ports, std::vector<RidgeTensor>& rows) const;

  ov::Core& core_;
  const Settings& settings_;
  std::shared_ptr<ov::Model> model_;
  std::unique_ptr<ReadNames> names_;
  std::vector<Port> inputs_, outputs_;
  Compiled plain_;
  std::optional<Compiled> profiled_;
  std::mutex publishing_;  // profiled_ is made by one thread, while another may cancel
  LayerList layers_, profiled_layers_;
  std::vector<ov::Tensor> given_;     // by input; empty where none was given
  RidgeProfileSink sink_{};           // event == nullptr: not profiling
  std::vector<std::int64_t> before_;  // means before the run, by layer, in microseconds
  std::int64_t run_start_ns_ = 0;
  std::vector<RidgeTensor> input_rows_, output_rows_, result_rows_;
  std::vector<ov::Tensor> results_;
  std::vector<std::vector<std::int64_t>> result_dims_;
  std::atomic<bool> cancelled_ = false;
};

}  // namespace ridge::openvino
