// SPDX-License-Identifier: Apache-2.0
// One model in ONNX Runtime: loading, runs with or without profiling, and its optimized graph.
//
// Ownership: refers to its Environment. Thread rule: one thread, but cancel() may come from any.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/abi_error.h"
#include "runtime/ort/environment.h"
#include "runtime/ort/tensor_list.h"
#include "runtime/ort/trace_json.h"
#include "runtime/ort/weights.h"
#include "runtime/ort/worker.h"

namespace ridge::ort {

struct ModelSource {
  std::string path;        ///< a file; empty: use `bytes`
  std::string_view bytes;  ///< the model itself, needed during load only
  RidgeTensors weights{};  ///< elements that the model stores externally, needed during load only
  RidgeDump dump = RIDGE_DUMP_NONE;
  std::uint64_t arena_reach = 0;  ///< RidgeModel::arena_reach
  bool prepared = false;          ///< RIDGE_MODEL_PREPARED; weights must then live until unload
  bool unpacked = false;          ///< RIDGE_MODEL_UNPACKED
};

class Session {
 public:
  static Result<std::unique_ptr<Session>> load(const Environment& environment,
                                               const ModelSource& model);
  ~Session();

  RidgeGraph graph() const;
  /// Uses the elements in place, without copying.
  Result<void> set_inputs(const RidgeTensors& inputs);
  Result<PreparedInput> prepare_input(const RidgeTensors& inputs) const;
  /// Runs of workers end where cancel() ends the session's runs.
  Result<std::unique_ptr<Worker>> open_worker() const;
  Result<void> run();
  Result<void> run_async(RidgeDone done, void* context);
  Result<RidgeTensors> outputs();
  /// See RidgeRuntimeApi::profile; `sink` is copied.
  Result<void> profile(const RidgeProfileSink* sink);
  Result<void> facts(const RidgeFactSink& sink);
  void cancel();

 private:
  explicit Session(const Environment& environment);
  Result<void> load_prepared(OrtSessionOptions* options, const ModelSource& model);
  Result<void> ask_for_dump(OrtSessionOptions* options, RidgeDump dump);
  Result<void> create(OrtSessionOptions* options, const ModelSource& model,
                      const std::string& weights_folder);
  Result<void> read_signature();
  Result<void> read_dump();
  Result<Handle<OrtRunOptions>> run_options(const std::string& profile_prefix) const;
  Result<void> run_with(const OrtRunOptions* options);
  Result<void> open_arena(std::uint64_t reach);
  void release_outputs();
  Result<std::vector<TraceEvent>> take_traces(const std::string& prefix) const;
  Result<void> deliver_traces();
  std::string file(std::string_view name) const;
  static void on_graph(void* self, const OrtApi* api, const OrtGraph* graph);
  static void on_event(void* self, const Observation& seen);
  static void on_done(void* self, OrtValue** outputs, std::size_t count, OrtStatus* status);

  const Environment& environment_;
  const Library& library_;
  Values in_place_;  // weights that the session uses where they are
  Handle<OrtSession> session_;
  Handle<OrtRunOptions> plain_, profiled_;
  Handle<OrtMemoryInfo> memory_;
  Handle<OrtAllocator> arena_;  // null: activations stay where the arena puts them
  std::uint64_t arena_reach_ = 0;
  bool touched_ = false;  // pages of the arena that activations may use
  std::minstd_rand random_;
  PreparedInput inputs_;
  std::vector<std::string> input_names_, output_names_;
  std::vector<std::string> overridable_names_;  // inputs with a default value in the model
  std::vector<const char*> wanted_;             // output_names_
  std::vector<OrtValue*> results_;              // outputs of the last run, owned
  TensorList values_, signature_in_, signature_out_, output_list_;
  std::string dump_path_, dump_;
  RidgeProfileSink sink_{};           // event == nullptr: not profiling
  std::int64_t profile_base_ns_ = 0;  // start of the last profiled run
  RidgeDone done_ = nullptr;
  void* done_context_ = nullptr;
  std::mutex events_;  // several threads report events only with the parallel executor
  std::atomic<bool> canceled_ = false;
  std::uint64_t serial_ = 0;  // distinguishes files of several sessions
};

}  // namespace ridge::ort
