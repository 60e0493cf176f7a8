// SPDX-License-Identifier: Apache-2.0
#include "runtime/openvino/backend/outputs.h"

#include "runtime/openvino/backend/element_types.h"

namespace ridge::openvino {

Result<RidgeTensors> OutputRows::of(ov::InferRequest& request, const std::vector<Port>& outputs) {
  return guarded(Phase::kRun, [&]() -> Result<RidgeTensors> {
    tensors_.clear();
    rows_.clear();
    dims_.assign(outputs.size(), {});
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const ov::Tensor& tensor = tensors_.emplace_back(request.get_output_tensor(i));
      // One copy: a tensor of dynamic shape makes the shape anew in each call.
      const ov::Shape shape = tensor.get_shape();
      dims_[i].assign(shape.begin(), shape.end());
      RidgeTensor row{};
      row.size = sizeof(row);
      row.type = static_cast<std::int32_t>(to_onnx(tensor.get_element_type()));
      row.name = outputs[i].name.c_str();
      row.dims = dims_[i].data();
      row.rank = static_cast<std::uint32_t>(dims_[i].size());
      row.data = tensor.data();
      row.bytes = tensor.get_byte_size();
      rows_.push_back(row);
    }
    return RidgeTensors{rows_.data(), rows_.size(), sizeof(RidgeTensor)};
  });
}

}  // namespace ridge::openvino
