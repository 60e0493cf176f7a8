#include "runtime/child_session.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "ipc/process.h"
#include "runtime/plugin.h"
#include "runtime/sized.h"

namespace ridge::runtime {
namespace {

constexpr std::int64_t kAlignment = 64;
constexpr std::byte kNoElements[1] = {};

std::vector<TensorType> types_of(const RidgeTensors& tensors) {
  std::vector<TensorType> types;
  for (std::uint64_t i = 0; i < tensors.count; ++i) {
    const RidgeTensor t = row(tensors.items, tensors.stride, i);
    types.push_back({text_or_empty(t.name), static_cast<onnx::DataType>(t.type),
                     std::vector<std::int64_t>(t.dims, t.dims + t.rank)});
  }
  return types;
}

std::vector<std::string> names_of(const char* const* names, std::uint64_t count) {
  return {names, names + count};
}

void add_fact(void* context, const RidgeFact* fact) {
  auto& facts = *static_cast<std::vector<KernelFacts>*>(context);
  facts.push_back({{text_or_empty(fact->name), text_or_empty(fact->type),
                    text_or_empty(fact->implementation), text_or_empty(fact->output_shapes)},
                   text_or_empty(fact->input_shapes),
                   fact->activation_bytes,
                   fact->parameter_bytes,
                   fact->output_bytes});
}

/// Inputs as rows for the plug-in; the rows refer to the inputs and live as long as this object.
class InputRows {
 public:
  explicit InputRows(std::span<const std::byte> memory) : memory_(memory) {}

  Result<RidgeTensors> of(const std::vector<InputTensor>& inputs) {
    std::vector<RidgeTensor> rows;
    for (const InputTensor& input : inputs) rows.push_back(TRY(row_of(input)));
    const std::vector<RidgeTensor>& kept = rows_.emplace_back(std::move(rows));
    return RidgeTensors{kept.data(), kept.size(), sizeof(RidgeTensor)};
  }

 private:
  Result<RidgeTensor> row_of(const InputTensor& input) {
    const auto size = static_cast<std::int64_t>(memory_.size());
    if (input.offset < 0 || input.bytes < 0 || input.bytes > size - input.offset)
      return bug("an input lies outside its memory", "set_inputs");
    RidgeTensor tensor{};
    tensor.size = sizeof(tensor);
    tensor.type = static_cast<std::int32_t>(input.type);
    tensor.name = input.name.c_str();
    tensor.dims = input.dims.data();
    tensor.rank = static_cast<std::uint32_t>(input.dims.size());
    tensor.kind = input.kind;
    // Runtimes refuse a null pointer even for zero elements.
    tensor.data = input.bytes > 0 ? memory_.data() + input.offset : kNoElements;
    tensor.bytes = static_cast<std::uint64_t>(input.bytes);
    if (input.kind == RIDGE_SEQUENCE) tensor.data = &lists_.emplace_back(TRY(of(input.members)));
    return tensor;
  }

  std::span<const std::byte> memory_;
  std::deque<std::vector<RidgeTensor>> rows_;
  std::deque<RidgeTensors> lists_;
};

}  // namespace

Canceler::Canceler() {
  std::thread([this] { listen(); }).detach();  // lives as long as the process
  thread_.wait(0);                             // thread() must be valid from now on
}

void Canceler::listen() {
  thread_.store(::gettid());
  thread_.notify_all();
  for (;;) {
    char byte = 0;
    const ssize_t got = ::recv(ipc::kControlDescriptor, &byte, 1, 0);
    if (got < 0 && errno == EINTR) continue;
    const std::lock_guard lock(mutex_);
    if (got <= 0) {  // ridge is gone: nobody waits for results
      std::error_code ignored;
      if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
      ::_exit(0);
    }
    canceled_.store(true, std::memory_order_relaxed);
    if (session_ != nullptr) api_->cancel(session_);
  }
}

void Canceler::remove_at_end(std::string folder) {
  const std::lock_guard lock(mutex_);
  folder_ = std::move(folder);
}

void Canceler::set_active(const RidgeRuntimeApi* api, RidgeSession* session) {
  const std::lock_guard lock(mutex_);
  api_ = api;
  session_ = session;
}

Result<std::unique_ptr<ChildSession>> ChildSession::load(const RidgeRuntimeApi& api,
                                                         RidgeRuntime* runtime, LoadCall call,
                                                         const std::vector<ipc::Descriptor>& files,
                                                         const std::string& memory_folder,
                                                         Canceler& canceller, Loaded& loaded) {
  std::unique_ptr<ChildSession> session(new ChildSession(api, canceller));
  const Nanos start = steady_clock().now();
  WeightStore weights = TRY(WeightStore::make(std::move(call.weights), files, memory_folder));
  // A dump with weights would contain the file names instead of the elements.
  const std::string named =
      call.dump == Dump::kWeights ? std::string() : weights.name_files(call.model);
  loaded.prepare = steady_clock().now() - start;

  // A library may be stricter about files than the one this was tested with, and not every path can
  // be written into a model.
  bool mapped = !named.empty();
  if (mapped) {
    const Result<void> taken = session->load(runtime, named, weights.in_memory(), call, loaded);
    mapped = taken.ok();
    if (!mapped) loaded.refused_files = taken.error().summary();
  }
  if (!mapped) TRY(session->load(runtime, call.model, weights.view(), call, loaded));
  if (memory_folder.empty()) session->weights_ = std::move(weights);
  loaded.graph = TRY(session->graph());
  return session;
}

Result<void> ChildSession::load(RidgeRuntime* runtime, std::string_view model,
                                const RidgeTensors& weights, const LoadCall& call, Loaded& loaded) {
  RidgeModel request{};
  request.size = sizeof(request);
  request.descriptor = -1;
  request.data = model.data();
  request.bytes = model.size();
  request.weights = weights;
  request.dump = static_cast<std::uint32_t>(call.dump);
  request.arena_reach = static_cast<std::uint64_t>(call.arena_reach);
  RidgeError error = no_error();
  const Nanos start = steady_clock().now();
  TRY(check(api_.load(runtime, &request, &session_, &error), error));
  loaded.load = steady_clock().now() - start;
  return {};
}

ChildSession::~ChildSession() {
  canceller_.set_active(nullptr, nullptr);
  if (session_ != nullptr) api_.unload(session_);
}

Result<RuntimeGraph> ChildSession::graph() {
  RidgeGraph seen{};
  seen.size = sizeof(seen);
  RidgeError error = no_error();
  TRY(check(api_.graph(session_, &seen, &error), error));
  RuntimeGraph graph;
  if (seen.model != nullptr)
    graph.model.assign(static_cast<const char*>(seen.model), seen.model_bytes);
  graph.tensors = types_of(seen.tensors);
  graph.inputs = types_of(seen.inputs);
  graph.outputs = types_of(seen.outputs);
  for (std::uint64_t i = 0; i < seen.layer_count; ++i) {
    const RidgeLayer layer = row(seen.layers, seen.layer_stride, i);
    graph.layers.push_back(
        {text_or_empty(layer.name), text_or_empty(layer.type), text_or_empty(layer.implementation),
         text_or_empty(layer.precision), text_or_empty(layer.layout),
         names_of(layer.originals, layer.original_count), names_of(layer.inputs, layer.input_count),
         names_of(layer.outputs, layer.output_count)});
  }
  return graph;
}

Result<void> ChildSession::set_inputs(std::vector<InputTensor> tensors, ipc::Mapping memory) {
  InputRows rows(memory.bytes());
  const RidgeTensors view = TRY(rows.of(tensors));
  RidgeError error = no_error();
  TRY(check(api_.set_inputs(session_, &view, &error), error));
  inputs_ = std::move(tensors);
  input_memory_ = std::move(memory);
  return {};
}

void ChildSession::activate() { canceller_.set_active(&api_, session_); }

Result<void> ChildSession::run() {
  RidgeError error = no_error();
  return check(api_.run(session_, &error), error);
}

Result<void> ChildSession::profile(const RidgeProfileSink* sink) {
  if (sink != nullptr) sink_ = *sink;
  RidgeError error = no_error();
  return check(api_.profile(session_, sink != nullptr ? &sink_ : nullptr, &error), error);
}

Result<std::vector<KernelFacts>> ChildSession::facts() {
  std::vector<KernelFacts> facts;
  const RidgeFactSink sink{sizeof(RidgeFactSink), 0, &facts, add_fact};
  RidgeError error = no_error();
  TRY(check(api_.facts(session_, &sink, &error), error));
  return facts;
}

Result<ipc::SharedMemory> ChildSession::outputs(OutputsReply& reply) {
  activate();
  TRY(run());
  RidgeTensors tensors{};
  RidgeError error = no_error();
  TRY(check(api_.outputs(session_, &tensors, &error), error));
  std::vector<TensorType> types = types_of(tensors);
  for (std::uint64_t i = 0; i < tensors.count; ++i) {
    const auto bytes = static_cast<std::int64_t>(row(tensors.items, tensors.stride, i).bytes);
    reply.tensors.push_back(
        {std::move(types[i].name), types[i].type, std::move(types[i].dims), reply.bytes, bytes});
    reply.bytes += (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  ipc::SharedMemory memory = TRY(ipc::SharedMemory::make(static_cast<std::size_t>(reply.bytes)));
  for (std::uint64_t i = 0; i < tensors.count; ++i) {
    const RidgeTensor tensor = row(tensors.items, tensors.stride, i);
    if (tensor.data == nullptr || tensor.bytes == 0) continue;
    std::memcpy(memory.bytes().data() + reply.tensors[i].offset, tensor.data, tensor.bytes);
  }
  return memory;
}

}  // namespace ridge::runtime
