// SPDX-License-Identifier: Apache-2.0
#include "advice/outputs/values.h"

#include <cstring>

#include "attribution/names.h"
#include "measure/input_specs.h"
#include "runtime/runtime.h"

namespace ridge::advice {

Result<OutputReader> OutputReader::load(const measure::Column& column) {
  measure::Material material =
      TRY(measure::prepare(*column.resolved, column.request, column.request.sizes));
  measure::Started started = TRY(attribution::with_original_names(
      measure::start(column.request.runtime, material), column.resolved->model()));
  return OutputReader(column, std::move(material), std::move(started));
}

Result<runtime::Outputs> OutputReader::outputs(const analysis::Resolved& at, InputKind kind,
                                               std::uint64_t seed, bool files) {
  const std::map<std::string, std::string> none;
  const std::vector<runtime::InputSpec> specs =
      TRY(measure::input_specs(at, material_.copy, files ? files_ : none, seed));
  runtime::Inputs inputs = TRY(runtime::Inputs::make(specs));
  if (kind != InputKind::kSeeded) set_elements(kind, inputs);
  TRY(attribution::with_original_names(started_.runtime.set_inputs(started_.session, inputs),
                                       resolved_->model()));
  runtime::Outputs out = TRY(attribution::with_original_names(
      started_.runtime.outputs(started_.session), resolved_->model()));
  for (runtime::OutputTensor& t : out.tensors)
    for (const attribution::Port& port : material_.copy.outputs)
      if (t.type.name == port.name) {
        t.type.name = port.original_name;
        break;
      }
  return out;
}

Result<OutputValues> OutputReader::run(std::uint64_t seed) {
  const runtime::Outputs outputs = TRY(this->outputs(*resolved_, InputKind::kSeeded, seed, true));
  OutputValues out;
  for (const runtime::OutputTensor& t : outputs.tensors) {
    if (t.type.type != onnx::DataType::kFloat) continue;
    std::vector<float>& values = out[t.type.name];
    values.resize(t.bytes.size() / sizeof(float));
    if (!values.empty()) std::memcpy(values.data(), t.bytes.data(), t.bytes.size());
  }
  return out;
}

}  // namespace ridge::advice
