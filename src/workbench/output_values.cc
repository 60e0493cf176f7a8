#include "workbench/output_values.h"

#include <cstring>

#include "attribution/names.h"
#include "measure/input_specs.h"
#include "runtime/runtime.h"

namespace ridge::workbench {

Result<OutputReader> OutputReader::load(const measure::Column& column) {
  measure::Material material =
      TRY(measure::prepare(*column.resolved, column.request, column.request.sizes));
  measure::Started started = TRY(attribution::with_original_names(
      measure::start(column.request.runtime, material), column.resolved->model()));
  return OutputReader(column, std::move(material), std::move(started));
}

Result<OutputValues> OutputReader::run(std::uint64_t seed) {
  const std::vector<runtime::InputSpec> specs =
      TRY(measure::input_specs(*resolved_, material_.copy, files_, seed));
  const runtime::Inputs inputs = TRY(runtime::Inputs::make(specs));
  TRY(started_.runtime.set_inputs(started_.session, inputs));
  const runtime::Outputs outputs = TRY(attribution::with_original_names(
      started_.runtime.outputs(started_.session), resolved_->model()));
  OutputValues out;
  for (const attribution::Port& port : material_.copy.outputs)
    for (const runtime::OutputTensor& t : outputs.tensors) {
      if (t.type.name != port.name || t.type.type != onnx::DataType::kFloat) continue;
      std::vector<float>& values = out[std::string(port.original_name)];
      values.resize(t.bytes.size() / sizeof(float));
      std::memcpy(values.data(), t.bytes.data(), values.size() * sizeof(float));
    }
  return out;
}

}  // namespace ridge::workbench
