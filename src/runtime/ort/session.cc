// SPDX-License-Identifier: Apache-2.0
#include "runtime/ort/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <span>
#include <system_error>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "runtime/ort/prepared_model.h"
#include "runtime/ort/values.h"
#include "runtime/sized.h"

namespace ridge::ort {
namespace {

/// Maximum size of a dump to read.
constexpr std::int64_t kDumpLimit = std::int64_t{8} << 30;

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

Session::Session(const Environment& environment)
    : environment_(environment),
      library_(environment.library()),
      session_(nullptr, library_.api().ReleaseSession),
      plain_(nullptr, library_.api().ReleaseRunOptions),
      profiled_(nullptr, library_.api().ReleaseRunOptions),
      memory_(nullptr, library_.api().ReleaseMemoryInfo),
      arena_(nullptr, library_.api().ReleaseAllocator),
      serial_(next_serial()) {
  random_.seed(static_cast<std::uint32_t>(serial_));
}

Session::~Session() {
  if (sink_.event != nullptr) environment_.set_sink(nullptr);
  if (arena_ != nullptr) environment_.use_arena(nullptr);
  release_outputs();
}

void Session::release_outputs() {
  for (OrtValue* value : results_) library_.api().ReleaseValue(value);
  results_.clear();
}

std::string Session::file(std::string_view name) const {
  // With the process: copies of one process have a session of one number.
  return fmt::format("{}/{}-{}-{}", environment_.settings().temporary, ::getpid(), serial_, name);
}

Result<std::unique_ptr<Session>> Session::load(const Environment& environment,
                                               const ModelSource& model) {
  TRY(environment.pin_caller());
  std::unique_ptr<Session> session(new Session(environment));
  const Library& library = environment.library();
  OrtMemoryInfo* memory = nullptr;
  TRY(library.check(
      library.api().CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, &memory),
      Phase::kSetUp));
  session->memory_ = own(library, memory);

  const Handle<OrtSessionOptions> options = TRY(environment.session_options());
  if (model.prepared) {
    TRY(session->load_prepared(options.get(), model));
  } else {
    TRY(session->ask_for_dump(options.get(), model.dump));
    const Values weights = TRY(add_copied_weights(library, memory, options.get(), model.weights));
    TRY(session->create(options.get(), model, "/"));
  }
  TRY(session->read_signature());
  TRY(session->read_dump());
  if (model.arena_reach > 0) TRY(session->open_arena(model.arena_reach));
  session->plain_ = TRY(session->run_options({}));
  // With the observer the profile file is not needed; a prefix below a device makes opening it
  // fail.
  const bool observed = environment.observer() != nullptr;
  session->profiled_ = TRY(session->run_options(observed ? "/dev/null/none" : "/dev/null/later"));
  return session;
}

/// Loads a model of PreparedModel: nothing is optimized, and no weight is copied. It is what runs,
/// so it is its own dump.
Result<void> Session::load_prepared(OrtSessionOptions* options, const ModelSource& model) {
  if (model.dump == RIDGE_DUMP_WEIGHTS)
    return usage_error("RIDGE-ORT-0045", "a prepared model is not dumped with its weights")
        .hint("dump the model that it was made of");
  if (model.dump == RIDGE_DUMP_STRUCTURE) dump_ = model.bytes;
  const OrtApi& api = library_.api();
  TRY(library_.check(api.SetSessionGraphOptimizationLevel(options, ORT_DISABLE_ALL),
                     Phase::kSetUp));
  in_place_ = TRY(add_weights_in_place(library_, memory_.get(), options, model.weights));
  const TemporaryFolder folder = TRY(TemporaryFolder::make(environment_.settings().temporary));
  TRY(write_file(folder.path() + "/" + kPreparedWeights, ""));
  return create(options, model, folder.path());
}

/// Requests the dump. Weights go to a separate file, which for a dump of the structure is a link to
/// the null device: nothing is stored.
Result<void> Session::ask_for_dump(OrtSessionOptions* options, RidgeDump dump) {
  if (dump == RIDGE_DUMP_NONE) return {};
  const OrtApi& api = library_.api();
  dump_path_ = file("dump.onnx");
  TRY(library_.check(api.SetOptimizedModelFilePath(options, dump_path_.c_str()), Phase::kSetUp));
  if (dump == RIDGE_DUMP_WEIGHTS) return {};
  const std::string weights = file("dump.weights");
  if (::symlink("/dev/null", weights.c_str()) != 0) {
    return environment_error("RIDGE-ORT-0014", "cannot use the temporary folder: " +
                                                   std::generic_category().message(errno))
        .in_file(weights);
  }
  const std::string name = weights.substr(weights.rfind('/') + 1);
  return library_.check(
      api.AddSessionConfigEntry(options, "session.optimized_model_external_initializers_file_name",
                                name.c_str()),
      Phase::kSetUp);
}

/// Locations in a model that is no file are below `weights_folder`.
Result<void> Session::create(OrtSessionOptions* options, const ModelSource& model,
                             const std::string& weights_folder) {
  const OrtApi& api = library_.api();
  const Sink sink{this, on_graph, nullptr};
  if (model.unpacked) {
    TRY(library_.check(api.AddSessionConfigEntry(options, "session.disable_prepacking", "1"),
                       Phase::kSetUp));
  }
  if (model.path.empty()) {
    TRY(library_.check(
        api.AddSessionConfigEntry(options, "session.model_external_initializers_file_folder_path",
                                  weights_folder.c_str()),
        Phase::kSetUp));
  }
  environment_.set_sink(&sink);
  OrtSession* session = nullptr;
  OrtStatus* status =
      model.path.empty()
          ? api.CreateSessionFromArray(environment_.env(), model.bytes.data(), model.bytes.size(),
                                       options, &session)
          : api.CreateSession(environment_.env(), model.path.c_str(), options, &session);
  environment_.set_sink(nullptr);
  TRY(library_.check(status, Phase::kLoad));
  session_ = own(library_, session);
  return {};
}

/// Prepares run_with() for RidgeModel::arena_reach.
Result<void> Session::open_arena(std::uint64_t reach) {
  const OrtApi& api = library_.api();
  OrtMemoryInfo* raw = nullptr;
  TRY(library_.check(api.CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &raw),
                     Phase::kSetUp));
  const Handle<OrtMemoryInfo> memory = own(library_, raw);
  OrtAllocator* arena = nullptr;
  TRY(library_.check(api.CreateAllocator(session_.get(), raw, &arena), Phase::kSetUp));
  arena_ = own(library_, arena);
  arena_reach_ = reach;
  return {};
}

Result<void> Session::read_signature() {
  const OrtApi& api = library_.api();
  OrtAllocator* allocator = nullptr;
  TRY(library_.check(api.GetAllocatorWithDefaultOptions(&allocator), Phase::kSetUp));
  const auto read = [&](auto count_of, auto name_of, auto type_of, std::vector<std::string>& names,
                        TensorList& list) -> Result<void> {
    std::size_t count = 0;
    TRY(library_.check(count_of(session_.get(), &count), Phase::kLoad));
    for (std::size_t i = 0; i < count; ++i) {
      char* name = nullptr;
      TRY(library_.check(name_of(session_.get(), i, allocator, &name), Phase::kLoad));
      names.emplace_back(name);
      library_.drop(api.AllocatorFree(allocator, name));
      OrtTypeInfo* type = nullptr;
      TRY(library_.check(type_of(session_.get(), i, &type), Phase::kLoad));
      TRY(list.add_type(library_, names.back(), own(library_, type).get()));
    }
    return {};
  };
  TRY(read(api.SessionGetInputCount, api.SessionGetInputName, api.SessionGetInputTypeInfo,
           input_names_, signature_in_));
  TRY(read(api.SessionGetOutputCount, api.SessionGetOutputName, api.SessionGetOutputTypeInfo,
           output_names_, signature_out_));
  TensorList defaults;
  TRY(read(api.SessionGetOverridableInitializerCount, api.SessionGetOverridableInitializerName,
           api.SessionGetOverridableInitializerTypeInfo, overridable_names_, defaults));
  for (const std::string& name : output_names_) wanted_.push_back(name.c_str());
  return {};
}

Result<void> Session::read_dump() {
  if (dump_path_.empty()) return {};
  dump_ = TRY_IN("the optimised model", read_file(dump_path_, kDumpLimit));
  ::unlink(dump_path_.c_str());
  ::unlink(file("dump.weights").c_str());
  return {};
}

/// Collects the types of all values; called once for the main graph and once for each body.
void Session::on_graph(void* self, const OrtApi* api, const OrtGraph* graph) {
  auto& session = *static_cast<Session*>(self);
  const Library& library = session.library_;
  const auto add = [&](const OrtValueInfo* value) {
    const char* name = nullptr;
    const OrtTypeInfo* type = nullptr;
    if (value == nullptr) return;  // an optional output that is not used
    library.drop(api->GetValueInfoName(value, &name));
    library.drop(api->GetValueInfoTypeInfo(value, &type));
    if (name != nullptr) (void)session.values_.add_type(library, name, type).ok();
  };
  std::size_t count = 0;
  library.drop(api->Graph_GetNumNodes(graph, &count));
  std::vector<const OrtNode*> nodes(count);
  library.drop(api->Graph_GetNodes(graph, nodes.data(), count));
  for (const OrtNode* node : nodes) {
    std::size_t outputs = 0;
    library.drop(api->Node_GetNumOutputs(node, &outputs));
    std::vector<const OrtValueInfo*> values(outputs);
    library.drop(api->Node_GetOutputs(node, values.data(), outputs));
    for (const OrtValueInfo* value : values) add(value);
  }
}

RidgeGraph Session::graph() const {
  RidgeGraph graph{};
  graph.size = sizeof(graph);
  graph.model = dump_.empty() ? nullptr : dump_.data();
  graph.model_bytes = dump_.size();
  graph.tensors = values_.view();
  graph.inputs = signature_in_.view();
  graph.outputs = signature_out_.view();
  graph.layer_stride = sizeof(RidgeLayer);
  return graph;
}

Result<PreparedInput> Session::prepare_input(const RidgeTensors& inputs) const {
  PreparedInput prepared;
  for (std::uint64_t i = 0; i < inputs.count; ++i) {
    const RidgeTensor input = runtime::row(inputs.items, inputs.stride, i);
    for (const auto* known : {&input_names_, &overridable_names_})
      for (const std::string& name : *known)
        if (name == input.name) prepared.names.push_back(name.c_str());
    if (prepared.names.size() != i + 1) {
      return usage_error("RIDGE-ORT-0024", fmt::format("the model has no input '{}'", input.name))
          .hint("its inputs are: " + fmt::format("{}", fmt::join(input_names_, ", ")));
    }
    prepared.owned.push_back(
        TRY_IN(fmt::format("input '{}'", input.name),
               make_input(library_, environment_.env(), memory_.get(), input)));
    prepared.values.push_back(prepared.owned.back().get());
  }
  return prepared;
}

Result<void> Session::set_inputs(const RidgeTensors& inputs) {
  inputs_ = TRY(prepare_input(inputs));
  return {};
}

Result<std::unique_ptr<Worker>> Session::open_worker() const {
  return std::make_unique<Worker>(WorkerSession{&library_, session_.get(), plain_.get(),
                                                &output_names_, &wanted_, &input_names_,
                                                memory_.get()});
}

}  // namespace ridge::ort
