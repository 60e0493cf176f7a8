// SPDX-License-Identifier: Apache-2.0
#include "runtime/openvino/backend/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/openvino/backend/element_types.h"

namespace ridge::openvino {
namespace {

/// Position of a name; the number of ports if none has it.
std::size_t find(const std::vector<Port>& ports, std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(ports, name, &Port::name) - ports.begin());
}

}  // namespace

Worker::Worker(Of of) : of_(std::move(of)) { requests_[0] = of_.model.create_infer_request(); }

Result<void> Worker::run(const PreparedInput& prepared) {
  return guarded(Phase::kRun, [&]() -> Result<void> {
    for (std::size_t i = 0; i < prepared.tensors.size(); ++i)
      if (prepared.tensors[i] && std::ranges::find(taken_, i, &Taken::input) == taken_.end())
        request().set_input_tensor(i, prepared.tensors[i]);
    request().infer();
    return {};
  });
}

Result<Worker::Taken> Worker::taken(Worker& from, const RidgePair& pair) {
  const std::size_t output = find(from.of_.outputs, pair.output);
  if (output == from.of_.outputs.size())
    return usage_error("RIDGE-OV-0027",
                       fmt::format("the last run has no output '{}' to hand over", pair.output));
  const std::size_t input = find(of_.inputs, pair.input);
  if (input == of_.inputs.size())
    return usage_error("RIDGE-OV-0028",
                       fmt::format("there is no input '{}' to hand an output over to", pair.input));
  return Taken{input, from.request().get_output_tensor(output)};
}

Result<std::uint64_t> Worker::take(Worker& from, std::span<const RidgePair> pairs) {
  return guarded(Phase::kRun, [&]() -> Result<std::uint64_t> {
    std::vector<Taken> next;
    for (const RidgePair& pair : pairs) next.push_back(TRY(taken(from, pair)));
    taken_ = std::move(next);
    // A request that wrote these tensors writes to their memory in its next run.
    if (&from == this && !taken_.empty()) {
      const std::scoped_lock lock(making_);
      current_ = 1 - current_;
      if (!requests_[current_]) requests_[current_] = of_.model.create_infer_request();
    }
    for (const Taken& taken : taken_) request().set_input_tensor(taken.input, taken.tensor);
    return 0;
  });
}

Result<RidgeTensors> Worker::inputs() {
  return guarded(Phase::kRun, [&]() -> Result<RidgeTensors> {
    input_rows_.clear();
    input_dims_.assign(taken_.size(), {});
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      const ov::Tensor tensor = request().get_input_tensor(taken_[i].input);
      const ov::Shape shape = tensor.get_shape();
      input_dims_[i].assign(shape.begin(), shape.end());
      RidgeTensor row{};
      row.size = sizeof(row);
      row.type = static_cast<std::int32_t>(to_onnx(tensor.get_element_type()));
      row.name = of_.inputs[taken_[i].input].name.c_str();
      row.dims = input_dims_[i].data();
      row.rank = static_cast<std::uint32_t>(input_dims_[i].size());
      row.data = tensor.data();
      row.bytes = tensor.get_byte_size();
      input_rows_.push_back(row);
    }
    return RidgeTensors{input_rows_.data(), input_rows_.size(), sizeof(RidgeTensor)};
  });
}

void Worker::cancel() {
  const std::scoped_lock lock(making_);
  for (ov::InferRequest& request : requests_)
    if (request) request.cancel();
}

}  // namespace ridge::openvino
