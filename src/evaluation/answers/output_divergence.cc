// SPDX-License-Identifier: Apache-2.0
#include "evaluation/answers/output_divergence.h"

#include <algorithm>
#include <array>

namespace ridge::evaluation {
namespace {

/// Operators that keep probabilities what they are.
constexpr std::array<std::string_view, 6> kTransparent = {"Cast",    "Flatten", "Identity",
                                                          "Reshape", "Squeeze", "Unsqueeze"};

bool is_probability(const graph::Model& model, graph::ValueId output) {
  for (graph::ValueId value = output; value != graph::kNone;) {
    const graph::NodeId producer = model.value(value).producer;
    if (producer == graph::kNone) return false;
    const graph::Node& node = model.node(producer);
    if (node.op_type == "Softmax") return true;
    if (std::ranges::find(kTransparent, node.op_type) == kTransparent.end()) return false;
    value = node.inputs.empty() ? graph::kNone : node.inputs[0];
  }
  return false;
}

}  // namespace

std::vector<std::string> output_names(const graph::Model& model) {
  std::vector<std::string> out;
  for (const graph::ValueId output : model.graphs()[0].outputs)
    out.emplace_back(model.value(output).name);
  return out;
}

std::vector<bool> probability_outputs(const graph::Model& model) {
  std::vector<bool> out;
  for (const graph::ValueId output : model.graphs()[0].outputs)
    out.push_back(is_probability(model, output));
  return out;
}

void OutputRecord::keep(const SampleOutputs& outputs) {
  if (beyond_) return;
  for (const pipeline::OutputValues& output : outputs)
    bytes_ += output.values.size() * sizeof(float);
  beyond_ = bytes_ > kMaxKeptBytes;
  if (beyond_)
    samples_ = {};
  else
    samples_.push_back(outputs);
}

accuracy::Outputs kind_of_output(const pipeline::OutputValues& of_sample, bool probabilities) {
  if (probabilities) return accuracy::Outputs::kProbabilities;
  return of_sample.dims.size() == 1 && of_sample.values.size() > 1 ? accuracy::Outputs::kLogits
                                                                   : accuracy::Outputs::kPlain;
}

accuracy::Outputs OutputRecord::kind_of(std::size_t output) const {
  return kind_of_output(samples_.front().at(output),
                        output < probabilities_.size() && probabilities_[output]);
}

OutputComparison::OutputComparison(const OutputRecord& record) : record_(record) {
  if (record.samples().empty()) return;
  for (std::size_t i = 0; i < record.samples().front().size(); ++i)
    divergences_.emplace_back(record.kind_of(i));
  comparable_.assign(divergences_.size(), true);
}

Result<void> OutputComparison::add(std::size_t sample, const SampleOutputs& outputs) {
  const std::size_t count = std::min(divergences_.size(), outputs.size());
  for (std::size_t i = 0; i < count; ++i) {
    const pipeline::OutputValues& first = record_.samples().at(sample)[i];
    if (first.values.empty()) continue;
    if (first.values.size() != outputs[i].values.size()) comparable_[i] = false;
    if (!comparable_[i]) continue;
    TRY_IN("output '" + first.name + "'", divergences_[i].add(first.values, outputs[i].values));
  }
  return {};
}

std::vector<accuracy::OutputDivergence> OutputComparison::figures() const {
  std::vector<accuracy::OutputDivergence> out;
  for (std::size_t i = 0; i < divergences_.size(); ++i) {
    accuracy::OutputDivergence d =
        accuracy::divergence_of_output(record_.samples().front()[i].name, record_.kind_of(i),
                                       comparable_[i] ? &divergences_[i] : nullptr);
    if (!d.comparable || d.figures.samples > 0) out.push_back(std::move(d));
  }
  return out;
}

}  // namespace ridge::evaluation
