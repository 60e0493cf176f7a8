#include "workbench/output_divergence.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ridge::workbench {
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
  beyond_ = bytes_ > kMostKeptBytes;
  if (beyond_)
    samples_ = {};
  else
    samples_.push_back(outputs);
}

accuracy::Outputs OutputRecord::kind_of(std::size_t output) const {
  if (output < probabilities_.size() && probabilities_[output])
    return accuracy::Outputs::kProbabilities;
  const pipeline::OutputValues& first = samples_.front().at(output);
  return first.dims.size() == 1 && first.values.size() > 1 ? accuracy::Outputs::kLogits
                                                           : accuracy::Outputs::kPlain;
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

std::vector<OutputDivergence> OutputComparison::figures() const {
  std::vector<OutputDivergence> out;
  for (std::size_t i = 0; i < divergences_.size(); ++i) {
    OutputDivergence d;
    d.output = record_.samples().front()[i].name;
    d.kind = record_.kind_of(i);
    d.comparable = comparable_[i];
    if (!d.comparable) {
      d.figures.mean_absolute = d.figures.largest_absolute.value =
          d.figures.largest_relative.value = std::numeric_limits<double>::quiet_NaN();
      out.push_back(std::move(d));
      continue;
    }
    d.figures = divergences_[i].figures();
    const std::span<const std::uint8_t> agreed = divergences_[i].agreed();
    for (std::size_t s = 0; s < agreed.size(); ++s)
      if (agreed[s] == 0) d.differ.push_back(s);
    if (d.figures.samples > 0) out.push_back(std::move(d));
  }
  return out;
}

std::string_view name(accuracy::Outputs kind) {
  switch (kind) {
    case accuracy::Outputs::kLogits:
      return "scores";
    case accuracy::Outputs::kProbabilities:
      return "probabilities";
    case accuracy::Outputs::kPlain:
      break;
  }
  return "values";
}

}  // namespace ridge::workbench
