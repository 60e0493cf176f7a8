// SPDX-License-Identifier: Apache-2.0
#include "evaluation/load/sessions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/sizes/binding.h"
#include "base/checked.h"
#include "measure/input_specs.h"
#include "runtime/inputs/batch_axis.h"

namespace ridge::evaluation {
namespace {

/// Memory for samples.
constexpr std::int64_t kSampleBytes = std::int64_t{256} << 20;
constexpr std::int64_t kSampleAlignment = 64;

Error no_batches(const std::string& input, const std::string& why) {
  return input_error("RIDGE-WB-0170", fmt::format("the input '{}' has no batches: {}", input, why))
      .hint(
          "batches need a free leading dimension of every input; export the model with one, or "
          "evaluate it without --batching");
}

/// The sizes of a point whose inputs hold `times` samples.
Result<session::Point> enlarged(const PointRequest& of, std::uint32_t times) {
  session::Point out = of.point;
  const graph::Model& model = of.resolved.model();
  for (const graph::ValueId id : model.main().inputs) {
    const graph::Value& input = model.value(id);
    if (input.tensor != nullptr) continue;  // has a default
    const std::string name = analysis::free_size(input, 0);
    if (name.empty()) return no_batches(std::string(input.name), "the file fixes its length");
    const ops::Shape& shape = of.resolved.type(id).shape;
    if (shape.span().empty() || !shape[0].known())
      return no_batches(std::string(input.name), "it has no size");
    const auto value = checked_mul(shape[0].value(), std::int64_t{times});
    if (!value) return no_batches(std::string(input.name), "it would be too large");
    out.bindings.sizes[name] = {*value, false};
  }
  for (auto& [input, dims] : out.bindings.shapes)
    if (!dims.empty()) dims[0] = checked_mul(dims[0], std::int64_t{times}).value_or(-1);
  return out;
}

/// Where the inputs of a batch lie in its memory, in the order of a sample's inputs.
Result<std::vector<runtime::InputTensor>> layout_of(const std::vector<runtime::InputSpec>& specs,
                                                    const std::vector<runtime::InputTensor>& one,
                                                    std::uint32_t times) {
  std::vector<runtime::InputTensor> out;
  std::int64_t offset = 0;
  for (const runtime::InputTensor& sample : one) {
    const auto spec = std::ranges::find(specs, sample.name, &runtime::InputSpec::name);
    if (spec == specs.end() || sample.kind != RIDGE_TENSOR ||
        sample.type == onnx::DataType::kString)
      return no_batches(sample.name, "it is no tensor of numbers");
    runtime::InputTensor batch{
        .name = sample.name, .type = sample.type, .dims = spec->dims, .offset = offset};
    const auto bytes = checked_mul(sample.bytes, std::int64_t{times});
    if (!runtime::batch_axis(sample, batch, times) || !bytes || spec->type != sample.type)
      return no_batches(sample.name,
                        fmt::format("a batch of {} is {}, and a sample {}", times,
                                    fmt::join(spec->dims, "x"), fmt::join(sample.dims, "x")));
    batch.bytes = *bytes;
    offset += (*bytes + kSampleAlignment - 1) / kSampleAlignment * kSampleAlignment;
    out.push_back(std::move(batch));
  }
  return out;
}

struct LoadedCopy {
  attribution::Canonical copy;
  runtime::SessionId session = 0;
};

Result<LoadedCopy> load_copy(const analysis::Resolved& resolved, const measure::Request& request,
                             runtime::Runtime& into) {
  attribution::CanonicalOptions options{.seed = request.seed};
  if (request.weights_as_is) options.constants = attribution::CanonicalOptions::Constants::kAsIs;
  LoadedCopy out{.copy = TRY(attribution::canonicalise(resolved, options))};
  const std::vector<runtime::Weight> weights = TRY(measure::weights_of(out.copy));
  out.session =
      TRY(into.load({.model = out.copy.bytes, .weights = weights, .dump = runtime::Dump::kNothing}))
          .session;
  return out;
}

std::int64_t resident(const runtime::Runtime& runtime) {
  return runtime.resident().value_or(Bytes{0}).count;
}

}  // namespace

Result<runtime::Samples> seeded_samples(const analysis::Resolved& resolved,
                                        const attribution::Canonical& copy,
                                        const measure::Request& request, std::uint32_t most) {
  const auto of = [&](std::uint32_t count) {
    return measure::samples_of(resolved, copy, request.inputs, request.seed, count);
  };
  runtime::Samples one = TRY(of(1));
  const auto bytes = static_cast<std::int64_t>(one.memory.bytes().size());
  const std::int64_t fit = bytes > 0 ? kSampleBytes / bytes : most;
  const auto count = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(fit, 1, std::max<std::uint32_t>(1, most)));
  if (count == 1) return one;
  return of(count);
}

Result<std::vector<scenario::BatchSession>> load_batches(const PointRequest& of,
                                                         const measure::Request& own,
                                                         measure::Started& started,
                                                         const runtime::Samples& one) {
  std::vector<scenario::BatchSession> out;
  if (!of.request.scenario.batching || !of.request.load) return out;
  std::vector<runtime::BatchModel> batches;
  for (const std::uint32_t size : scenario::sizes_of(*of.request.scenario.batching)) {
    if (size == 1) continue;  // the model's own session
    const session::Point point = TRY(enlarged(of, size));
    const analysis::Resolved resolved = TRY(of.bench.resolve(point));
    const std::int64_t before = resident(started.runtime);
    const LoadedCopy loaded = TRY(load_copy(resolved, own, started.runtime));
    const auto specs = TRY(measure::input_specs(resolved, loaded.copy, {}, own.seed));
    std::vector<runtime::InputTensor> inputs = TRY(layout_of(specs, one.sets.at(0), size));
    batches.push_back({size, loaded.session, std::move(inputs)});
    out.push_back({size, std::max<std::int64_t>(0, resident(started.runtime) - before)});
  }
  TRY(started.runtime.set_batches(started.session, std::move(batches)));
  return out;
}

Result<std::vector<MixedModel>> load_mix(const PointRequest& of, measure::Started& started) {
  std::vector<MixedModel> out;
  if (!of.request.load) return out;
  for (const session::Workbench& bench : of.others) {
    session::Point point = of.point;
    point.bindings = {};
    const analysis::Resolved resolved = TRY(bench.resolve(point));
    const measure::Request request = TRY(bench.request(point));
    Result<LoadedCopy> loaded = load_copy(resolved, request, started.runtime);
    if (!loaded.ok()) return std::move(loaded).error().in_file(bench.model);
    const runtime::Samples samples =
        TRY(seeded_samples(resolved, loaded->copy, request, of.request.samples));
    TRY(started.runtime.set_samples(loaded->session, samples));
    out.push_back({loaded->session, static_cast<std::uint32_t>(samples.sets.size())});
  }
  return out;
}

}  // namespace ridge::evaluation
