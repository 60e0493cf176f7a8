// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/preparing.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "runtime/child/plugin.h"
#include "runtime/child/session.h"
#include "runtime/child/tensor_rows.h"
#include "runtime/sized.h"
#include "runtime/weights.h"

namespace ridge::runtime {
namespace {

Error cannot_prepare(const OpenedRuntime& opened) {
  return usage_error("RIDGE-RT-0070",
                     fmt::format("{} does not prepare models for later loads", opened.info.name))
      .hint("its plug-in has no prepare (runtime/abi.h); load the model itself");
}

PreparedTensor tensor_of(const RidgePreparedWeight& weight) {
  return {text_or_empty(weight.name),
          static_cast<onnx::DataType>(weight.type),
          {weight.dims, weight.dims + weight.rank},
          static_cast<std::int64_t>(weight.offset),
          static_cast<std::int64_t>(weight.bytes)};
}

}  // namespace

Result<void> check_form(const OpenedRuntime& opened, Form form) {
  if (form != Form::kOriginal && !opened.can(RIDGE_CAN_PREPARE)) return cannot_prepare(opened);
  return {};
}

Result<int> prepare_model(const OpenedRuntime& opened, LoadCall call,
                          const std::vector<ipc::Descriptor>& files, PreparedReply& reply) {
  if (opened.api == nullptr) return bug("prepare before open", "child");
  if (!opened.can(RIDGE_CAN_PREPARE)) return cannot_prepare(opened);
  const WeightStore weights = TRY(WeightStore::make(std::move(call.weights), files));
  const RidgeModel request = model_in_memory(call.model, weights.view(), Form::kOriginal);
  RidgePrepared prepared{};
  prepared.size = sizeof(prepared);
  RidgeError error = no_error();
  TRY(check(opened.api->prepare(opened.runtime, &request, &prepared, &error), error));
  reply.model.assign(static_cast<const char*>(prepared.model), prepared.model_bytes);
  for (std::uint64_t i = 0; i < prepared.weight_count; ++i)
    reply.tensors.push_back(tensor_of(row(prepared.weights, prepared.weight_stride, i)));
  return reply.tensors.empty() ? -1 : prepared.descriptor;
}

}  // namespace ridge::runtime
