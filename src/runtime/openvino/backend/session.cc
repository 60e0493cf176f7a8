// SPDX-License-Identifier: Apache-2.0
#include "runtime/openvino/backend/session.h"

#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/clock.h"
#include "runtime/openvino/backend/element_types.h"
#include "runtime/openvino/backend/model.h"
#include "runtime/sized.h"

namespace ridge::openvino {
namespace {

/// Runs of a profiling model before its means are used.
constexpr int kWarmUp = 2;
constexpr std::int64_t kNotTold = -1;

std::vector<std::int64_t> dims_of(const ov::PartialShape& shape) {
  std::vector<std::int64_t> dims;
  for (const ov::Dimension& d : shape) dims.push_back(d.is_static() ? d.get_length() : -1);
  return dims;
}

/// Elements are laid out as described in abi.h.
ov::Tensor text_tensor(const ov::Shape& shape, const RidgeTensor& input) {
  ov::Tensor tensor(ov::element::string, shape);
  const char* const ends = static_cast<const char*>(input.data);
  const char* const text = ends + tensor.get_size() * sizeof(std::int64_t);
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < tensor.get_size(); ++i) {
    std::int64_t end = 0;
    std::memcpy(&end, ends + i * sizeof(end), sizeof(end));
    tensor.data<std::string>()[i].assign(text + begin, text + end);
    begin = end;
  }
  return tensor;
}

Error canceled() { return environment_error(kCanceled, "the run was canceled"); }

}  // namespace

Result<std::unique_ptr<Session>> Session::load(ov::Core& core, const Settings& settings,
                                               std::string_view onnx, const RidgeTensors& weights) {
  TRY(check_options(core, settings));
  TRY(pin(settings));
  std::unique_ptr<Session> s(new Session(core, settings));
  s->model_ = TRY(read_model(core, onnx, weights));
  for (const auto& p : s->model_->get_parameters())
    s->inputs_.push_back(
        {p->get_friendly_name(), p->get_element_type(), dims_of(p->get_partial_shape())});
  for (const auto& output : s->model_->outputs())
    s->outputs_.push_back({output.get_names().empty() ? "" : output.get_any_name(),
                           output.get_element_type(), dims_of(output.get_partial_shape())});
  s->names_ = std::make_unique<ReadNames>(*s->model_);
  s->plain_ = TRY(s->compile(false));
  return ready(std::move(s));
}

Result<std::unique_ptr<Session>> Session::load_prepared(ov::Core& core, const Settings& settings,
                                                        Import prepared) {
  TRY(check_options(core, settings));
  TRY(pin(settings));
  std::unique_ptr<Session> s(new Session(core, settings));
  s->blob_ = prepared.blob;
  s->names_ = std::make_unique<ReadNames>(std::move(prepared.names));
  s->plain_ = TRY(s->compile(false));
  TRY(guarded(Phase::kLoad, [&]() -> Result<void> {
    for (const auto& input : s->plain_.model.inputs())
      s->inputs_.push_back({input.get_node()->get_friendly_name(), input.get_element_type(),
                            dims_of(input.get_partial_shape())});
    for (const auto& output : s->plain_.model.outputs())
      s->outputs_.push_back({output.get_names().empty() ? "" : output.get_any_name(),
                             output.get_element_type(), dims_of(output.get_partial_shape())});
    return {};
  }));
  return ready(std::move(s));
}

/// Completes a session with its model compiled.
Result<std::unique_ptr<Session>> Session::ready(std::unique_ptr<Session> session) {
  session->given_.resize(session->inputs_.size());
  return guarded(Phase::kLoad, [&]() -> Result<std::unique_ptr<Session>> {
    session->layers_ = LayerList(*session->plain_.model.get_runtime_model(), *session->names_);
    return std::move(session);
  });
}

Session::~Session() {
  if (!settings_.copied) return;
  // What ends threads waits for them; these did not come along into the copy of the process.
  static std::vector<Compiled> kept;
  kept.push_back(std::move(plain_));
  if (profiled_) kept.push_back(std::move(*profiled_));
}

Result<Session::Compiled> Session::compile(bool profiling) {
  ov::AnyMap properties = settings_.properties;
  properties[ov::enable_profiling.name()] = profiling;
  return guarded(Phase::kLoad, [&]() -> Result<Compiled> {
    Compiled c;
    c.model = model_ != nullptr ? core_.compile_model(model_, "CPU", properties)
                                : core_.import_model(blob_, "CPU", properties);
    c.request = c.model.create_infer_request();
    return c;
  });
}

RidgeTensors Session::view(const std::vector<Port>& ports, std::vector<RidgeTensor>& rows) const {
  rows.clear();
  for (const Port& port : ports) {
    RidgeTensor row{};
    row.size = sizeof(row);
    row.type = static_cast<std::int32_t>(to_onnx(port.type));
    row.name = port.name.c_str();
    row.dims = port.dims.data();
    row.rank = static_cast<std::uint32_t>(port.dims.size());
    rows.push_back(row);
  }
  return {rows.data(), rows.size(), sizeof(RidgeTensor)};
}

RidgeGraph Session::graph() {
  RidgeGraph graph{};
  graph.size = sizeof(graph);
  layers_.describe(graph);
  graph.inputs = view(inputs_, input_rows_);
  graph.outputs = view(outputs_, output_rows_);
  return graph;
}

Result<PreparedInput> Session::prepare_input(const RidgeTensors& inputs) const {
  return guarded(Phase::kInputs, [&]() -> Result<PreparedInput> {
    PreparedInput prepared{given_};
    for (std::uint64_t i = 0; i < inputs.count; ++i) {
      const RidgeTensor input = runtime::row(inputs.items, inputs.stride, i);
      std::size_t at = 0;
      while (at < inputs_.size() && inputs_[at].name != input.name) ++at;
      const auto type = to_openvino(static_cast<onnx::DataType>(input.type));
      if (at == inputs_.size() || !type || input.kind != RIDGE_TENSOR)
        return usage_error(
                   "RIDGE-OV-0024",
                   fmt::format("OpenVINO's model has no input '{}' of that type", input.name))
            .hint("ridge analyze lists the model's inputs");
      ov::Shape shape;
      for (std::uint32_t d = 0; d < input.rank; ++d)
        shape.push_back(static_cast<std::size_t>(input.dims[d]));
      prepared.tensors[at] = *type == ov::element::string
                                 ? text_tensor(shape, input)
                                 : ov::Tensor(*type, shape, const_cast<void*>(input.data));
    }
    return prepared;
  });
}

Result<void> Session::set_inputs(const RidgeTensors& inputs) {
  PreparedInput prepared = TRY(prepare_input(inputs));
  return guarded(Phase::kInputs, [&]() -> Result<void> {
    give_inputs(prepared.tensors, plain_);
    if (profiled_) give_inputs(prepared.tensors, *profiled_);
    given_ = std::move(prepared.tensors);
    return {};
  });
}

Result<std::unique_ptr<Worker>> Session::open_worker() {
  return guarded(Phase::kSetUp, [&]() -> Result<std::unique_ptr<Worker>> {
    auto worker =
        std::make_unique<Worker>(Worker::Of{plain_.model, inputs_, outputs_, [this](Worker* l) {
                                              const std::scoped_lock lock(publishing_);
                                              workers_.erase(l);
                                            }});
    const std::scoped_lock lock(publishing_);
    workers_.insert(worker.get());
    return worker;
  });
}

void Session::give_inputs(const std::vector<ov::Tensor>& given, Compiled& compiled) {
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i]) compiled.request.set_input_tensor(i, given[i]);
}

Result<void> Session::infer(Compiled& compiled) {
  if (canceled_.load(std::memory_order_relaxed)) return canceled();
  return guarded(Phase::kRun, [&]() -> Result<void> {
    compiled.request.infer();
    ++compiled.runs;
    return {};
  });
}

Result<void> Session::run() {
  if (sink_.event == nullptr) return infer(plain_);
  run_start_ns_ = steady_clock().now().count;
  return infer(*profiled_);
}

Result<void> Session::run_async(RidgeDone done, void* context) {
  if (settings_.copied)
    return usage_error("RIDGE-OV-0033",
                       "OpenVINO has no threads for asynchronous runs in a copy of its process");
  return guarded(Phase::kRun, [&]() -> Result<void> {
    plain_.request.set_callback([done, context](const std::exception_ptr& thrown) {
      if (!thrown) return done(context, RIDGE_OK, nullptr);
      RidgeError error{};
      error.size = sizeof(error);
      try {
        std::rethrow_exception(thrown);
      } catch (...) {
        const Error failure = caught(Phase::kRun);
        done(context, runtime::fill_error(failure, kOutcomes, &error), &error);
      }
    });
    plain_.request.start_async();
    return {};
  });
}

Result<RidgeTensors> Session::outputs() {
  return results_.of(sink_.event == nullptr ? plain_.request : profiled_->request, outputs_);
}

Result<void> Session::start_profiling() {
  Compiled compiled = TRY(compile(true));
  TRY(guarded(Phase::kLoad, [&]() -> Result<void> {
    profiled_layers_ = LayerList(*compiled.model.get_runtime_model(), *names_);
    give_inputs(given_, compiled);
    return {};
  }));
  bool same = layers_.rows().size() == profiled_layers_.rows().size();
  for (std::size_t i = 0; same && i < layers_.rows().size(); ++i)
    same = layers_.rows()[i].name == profiled_layers_.rows()[i].name;
  if (!same)
    return environment_error("RIDGE-OV-0026",
                             "OpenVINO makes other layers of the model where it profiles it");
  for (int i = 1; i < kWarmUp; ++i) TRY(infer(compiled));
  const std::scoped_lock lock(publishing_);
  profiled_ = std::move(compiled);
  return {};
}

Result<void> Session::profile(const RidgeProfileSink* sink) {
  if (sink == nullptr) {
    if (sink_.event == nullptr) return {};
    TRY(guarded(Phase::kRun, [&]() -> Result<void> {
      deliver();
      return {};
    }));
    sink_ = {};
    return infer(plain_);
  }
  const bool on = sink_.event != nullptr;
  if (!profiled_) TRY(start_profiling());
  if (!on) TRY(infer(*profiled_));
  TRY(guarded(Phase::kRun, [&]() -> Result<void> {
    if (on) deliver();
    before_ = means();
    return {};
  }));
  sink_ = runtime::received(*sink);
  return {};
}

/// OpenVINO's means by layer, in microseconds; kNotTold for a layer without one.
std::vector<std::int64_t> Session::means() {
  std::unordered_map<std::string_view, std::size_t> layer;
  const std::vector<LayerRow>& rows = profiled_layers_.rows();
  for (std::size_t i = 0; i < rows.size(); ++i) layer.emplace(rows[i].runtime_name, i);
  std::vector<std::int64_t> out(rows.size(), kNotTold);
  for (const ov::ProfilingInfo& info : profiled_->request.get_profiling_info())
    if (const auto at = layer.find(info.node_name); at != layer.end())
      out[at->second] = info.real_time.count();
  return out;
}

void Session::deliver() {
  const std::vector<std::int64_t> after = means();
  const std::vector<LayerRow>& rows = profiled_layers_.rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (after[i] == kNotTold || before_[i] == kNotTold) continue;
    RidgeEvent event{};
    event.size = sizeof(event);
    event.level = RIDGE_LEVEL_LAYER;
    event.name = rows[i].name.c_str();
    event.type = rows[i].type.c_str();
    event.implementation = rows[i].implementation.c_str();
    event.shapes = rows[i].shapes.c_str();
    event.start_ns = event.stop_ns = run_start_ns_;
    event.duration_ns = after[i] * 1000;
    event.executions = profiled_->runs;
    event.before_ns = before_[i] * 1000;
    sink_.event(sink_.context, &event);
  }
}

Result<void> Session::facts(const RidgeFactSink&) {
  return usage_error("RIDGE-OV-0025", "OpenVINO says nothing of its layers' memory");
}

void Session::cancel() {
  canceled_.store(true, std::memory_order_relaxed);
  try {
    plain_.request.cancel();
    const std::scoped_lock lock(publishing_);
    if (profiled_) profiled_->request.cancel();
    for (Worker* worker : workers_) worker->cancel();
  } catch (...) {
    // The flag ends the following runs.
  }
}

}  // namespace ridge::openvino
