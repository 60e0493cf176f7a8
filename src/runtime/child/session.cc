// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/session.h"

#include <utility>

#include "base/clock.h"
#include "runtime/child/plugin.h"
#include "runtime/child/tensor_rows.h"
#include "runtime/sized.h"

namespace ridge::runtime {
namespace {

std::vector<std::string> names_of(const char* const* names, std::uint64_t count) {
  std::vector<std::string> out;
  for (std::uint64_t i = 0; i < count; ++i) out.push_back(text_or_empty(names[i]));
  return out;
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

}  // namespace

RidgeModel model_in_memory(std::string_view model, const RidgeTensors& weights, Form form) {
  RidgeModel request{};
  request.size = sizeof(request);
  request.descriptor = -1;
  request.data = model.data();
  request.bytes = model.size();
  request.weights = weights;
  if (form != Form::kOriginal) request.flags |= RIDGE_MODEL_PREPARED;
  if (form == Form::kUnpacked) request.flags |= RIDGE_MODEL_UNPACKED;
  return request;
}

Result<std::unique_ptr<ChildSession>> ChildSession::load(const RidgeRuntimeApi& api,
                                                         RidgeRuntime* runtime, LoadCall call,
                                                         const std::vector<ipc::Descriptor>& files,
                                                         const std::string& memory_folder,
                                                         Canceler& canceller, Loaded& loaded) {
  std::unique_ptr<ChildSession> session(new ChildSession(api, canceller));
  const Nanos start = steady_clock().now();
  // A prepared model uses weights where they are.
  const std::string folder = call.form == Form::kOriginal ? memory_folder : std::string();
  WeightStore weights = TRY(WeightStore::make(std::move(call.weights), files, folder));
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
  if (folder.empty()) session->weights_ = std::move(weights);
  loaded.graph = TRY(session->graph());
  return session;
}

Result<void> ChildSession::load(RidgeRuntime* runtime, std::string_view model,
                                const RidgeTensors& weights, const LoadCall& call, Loaded& loaded) {
  RidgeModel request = model_in_memory(model, weights, call.form);
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
  load_.reset();
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
  if (api_.facts == nullptr)
    return usage_error("RIDGE-RT-0019", "this runtime reports no memory of its kernels")
        .hint("its plug-in has no facts (runtime/abi.h)");
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
  OutputCopy copy;
  reply = copy.add(tensors);
  return copy.memory();
}

Result<void> ChildSession::set_inputs(std::vector<std::vector<InputTensor>> prepared_inputs,
                                      ipc::Mapping memory, bool workers) {
  load_.reset();
  load_ = TRY(ChildLoad::make({&api_, session_, &canceller_, workers}, std::move(prepared_inputs),
                              std::move(memory)));
  return {};
}

Result<ChildLoad*> ChildSession::load_target() {
  if (load_ == nullptr) return bug("a load before its samples", "child");
  return load_.get();
}

}  // namespace ridge::runtime
