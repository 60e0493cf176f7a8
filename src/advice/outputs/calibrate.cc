// SPDX-License-Identifier: Apache-2.0
#include "advice/outputs/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "advice/outputs/values.h"
#include "attribution/canonical.h"
#include "onnx/weights.h"
#include "rewrite/rewritten.h"

namespace ridge::advice {
namespace {

using analysis::Resolved;
using graph::ValueId;
using FloatElements = std::vector<float>;

/// Distance of the seeds from the seeds of compare_outputs(), whose inputs the ranges must not
/// know.
constexpr std::uint64_t kFirstSeed = 500, kSeedStep = 1000;

/// Bytes of a tensor; 0 if its shape is not known.
std::int64_t tensor_bytes(const Resolved& resolved, ValueId v) {
  const ops::Dim bytes = ops::type_bytes(resolved.type(v), resolved.dims());
  return bytes.known() ? bytes.value() : 0;
}

/// The tensors in groups whose elements fit into `max_bytes`, at least one in each.
std::vector<std::vector<ValueId>> batches_of(const Resolved& resolved,
                                             std::span<const ValueId> values,
                                             std::int64_t max_bytes) {
  std::vector<std::vector<ValueId>> out;
  std::int64_t left = 0;
  for (const ValueId v : values) {
    const std::int64_t bytes = tensor_bytes(resolved, v);
    if (out.empty() || bytes > left) {
      out.emplace_back();
      left = max_bytes;
    }
    out.back().push_back(v);
    left -= bytes;
  }
  return out;
}

/// The model with these tensors as outputs too.
Result<Resolved> with_outputs(const Resolved& resolved, std::span<const ValueId> values) {
  rewrite::Draft draft(resolved.shared_model());
  for (const ValueId v : values)
    if (!resolved.model().value(v).graph_output) draft.add_output(v, resolved.type(v).dtype);
  return rewrite::resolved_as(resolved, std::move(draft).finish().document);
}

std::string_view name_of(const measure::Column& model, ValueId v) {
  return model.resolved->model().value(v).name;
}

using Visit = std::function<Result<void>(ValueId v, FloatElements elements)>;

/// Calls `visit` with the elements of each tensor in each run.
Result<void> visit_elements(const measure::Column& model, std::span<const ValueId> values,
                            std::uint64_t runs, std::int64_t max_bytes, const Visit& visit) {
  for (const std::vector<ValueId>& batch : batches_of(*model.resolved, values, max_bytes)) {
    const Resolved copy = TRY(with_outputs(*model.resolved, batch));
    OutputReader reader = TRY(OutputReader::load({&copy, model.request}));
    for (std::uint64_t i = 0; i < runs; ++i) {
      OutputValues outputs = TRY(reader.run(model.request.seed + kFirstSeed + kSeedStep * i));
      for (const ValueId v : batch) {
        const auto found = outputs.find(name_of(model, v));
        if (found == outputs.end() || found->second.empty())
          return input_error("RIDGE-WB-0095", fmt::format("the runtime returns no elements of '{}'",
                                                          name_of(model, v)));
        TRY(visit(v, std::move(found->second)));
      }
    }
  }
  return {};
}

std::uint64_t calibration_runs(const measure::Column& model) {
  const graph::Model& m = model.resolved->model();
  const bool seeded = std::ranges::any_of(m.main().inputs, [&](ValueId v) {
    return m.value(v).tensor == nullptr &&
           !model.request.inputs.contains(std::string(m.value(v).name));
  });
  return seeded ? kCalibrationRuns : 1;
}

/// Constants as a run has them.
class RunConstants {
 public:
  static Result<RunConstants> read(const measure::Column& model, std::span<const ValueId> needed) {
    using attribution::CanonicalOptions;
    CanonicalOptions options{.seed = model.request.seed};
    if (model.request.weights_as_is) options.constants = CanonicalOptions::Constants::kAsIs;
    RunConstants out;
    out.copy_ = TRY(attribution::canonicalise(*model.resolved, options));
    for (const onnx::Tensor& t : out.copy_.document->model.graph.initializers)
      out.stored_.emplace(t.name, &t);
    std::vector<ValueId> others;
    for (const ValueId v : needed)
      if (!out.stored_.contains(out.copy_.value_name[v])) others.push_back(v);
    const auto keep = [&](ValueId v, FloatElements elements) -> Result<void> {
      out.computed_[v] = std::move(elements);
      return {};
    };
    TRY(visit_elements(model, others, 1, kCalibrationBytes, keep));
    return out;
  }

  Result<FloatElements> of(ValueId v) const {
    if (const auto found = computed_.find(v); found != computed_.end()) return found->second;
    const auto stored = stored_.find(copy_.value_name[v]);
    if (stored == stored_.end()) return bug("a constant that was not read", "RunConstants::of");
    const onnx::Tensor& tensor = *stored->second;
    const std::vector<std::byte> bytes = TRY(onnx::load(*copy_.document, tensor, INT64_MAX));
    FloatElements out(bytes.size() / sizeof(float));
    std::memcpy(out.data(), bytes.data(), out.size() * sizeof(float));
    return out;
  }

 private:
  attribution::Canonical copy_;
  std::map<std::string_view, const onnx::Tensor*> stored_;  // initializers of the copy
  std::map<ValueId, FloatElements> computed_;  // what nodes compute from constants, by the runtime
};

}  // namespace

Result<rewrite::Ranges> calibrate(const measure::Column& model, std::span<const ValueId> values,
                                  std::int64_t max_bytes) {
  rewrite::Ranges out;
  const auto widen = [&](ValueId v, const FloatElements& elements) -> Result<void> {
    if (!std::ranges::all_of(elements, [](float x) { return std::isfinite(x); }))
      return input_error("RIDGE-WB-0096", fmt::format("tensor '{}' has elements that are NaN or "
                                                      "infinite, which int8 cannot represent",
                                                      name_of(model, v)));
    const auto [least, greatest] = std::ranges::minmax(elements);
    const auto [found, first] = out.try_emplace(v, rewrite::Range{least, greatest});
    if (first) return {};
    found->second.minimum = std::min(found->second.minimum, least);
    found->second.maximum = std::max(found->second.maximum, greatest);
    return {};
  };
  TRY(visit_elements(model, values, calibration_runs(model), max_bytes, widen));
  return out;
}

Result<Resolved> int8_copy(const measure::Column& model) {
  const Resolved& resolved = *model.resolved;
  TRY(rewrite::quantizable(resolved));
  const RunConstants constants =
      TRY(RunConstants::read(model, rewrite::quantized_constants(resolved)));
  const rewrite::Ranges ranges = TRY(calibrate(model, rewrite::calibrated_values(resolved)));
  const rewrite::Rewritten copy = TRY(rewrite::quantized(
      resolved, ranges, [&](ValueId constant) { return constants.of(constant); }));
  return rewrite::resolved_as(resolved, copy.document);
}

}  // namespace ridge::advice
