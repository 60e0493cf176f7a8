#include "attribution/check.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_set>

#include "onnx/writer.h"

namespace ridge::attribution {
namespace {

using onnx::DataType;

/// Serializes a copy of a model with additional outputs.
Result<std::string> with_outputs(const onnx::Document& document,
                                 const std::vector<std::string_view>& names,
                                 onnx::Weights weights) {
  onnx::Document more;
  more.file = document.file;
  more.path = document.path;
  more.model = document.model;
  std::vector<onnx::ValueInfo> outputs(document.model.graph.outputs.begin(),
                                       document.model.graph.outputs.end());
  std::unordered_set<std::string_view> present;
  for (const onnx::ValueInfo& o : outputs) present.insert(o.name);
  for (const std::string_view name : names)
    if (present.insert(name).second) outputs.push_back({name, {}});
  more.model.graph.outputs = more.arena.copy(outputs);
  return onnx::write_bytes(more, {.weights = weights});
}

std::optional<std::vector<double>> numbers(const Elements& e) {
  const auto read = [&]<typename T>(T) {
    std::vector<double> out(e.bytes.size() / sizeof(T));
    for (std::size_t i = 0; i < out.size(); ++i) {
      T x;
      std::memcpy(&x, &e.bytes[i * sizeof(T)], sizeof(T));
      out[i] = static_cast<double>(x);
    }
    return out;
  };
  switch (e.type) {
    case DataType::kFloat:
      return read(float{});
    case DataType::kDouble:
      return read(double{});
    case DataType::kInt64:
      return read(std::int64_t{});
    case DataType::kInt32:
      return read(std::int32_t{});
    case DataType::kUint8:
      return read(std::uint8_t{});
    case DataType::kInt8:
      return read(std::int8_t{});
    case DataType::kBool:
      return read(std::uint8_t{});
    default:
      return std::nullopt;
  }
}

struct Image {
  std::size_t batch, channels, pixels;
};

std::optional<Image> image(std::span<const std::int64_t> dims) {
  if (dims.size() < 2) return std::nullopt;
  Image i{static_cast<std::size_t>(dims[0]), static_cast<std::size_t>(dims[1]), 1};
  for (const std::int64_t d : dims.subspan(2)) i.pixels *= static_cast<std::size_t>(d);
  return i;
}

/// Converts [N, C/block, pixels, block] to [N, channels, pixels]; channels beyond the original's
/// are padding.
std::vector<double> unblocked(const std::vector<double>& from, Image to, std::size_t padded,
                              std::size_t block) {
  std::vector<double> out(to.batch * to.channels * to.pixels);
  for (std::size_t n = 0; n < to.batch; ++n)
    for (std::size_t c = 0; c < to.channels; ++c)
      for (std::size_t p = 0; p < to.pixels; ++p)
        out[(n * to.channels + c) * to.pixels + p] =
            from[((n * (padded / block) + c / block) * to.pixels + p) * block + c % block];
  return out;
}

std::vector<double> channels_first(const std::vector<double>& from, Image to) {
  std::vector<double> out(from.size());
  for (std::size_t n = 0; n < to.batch; ++n)
    for (std::size_t c = 0; c < to.channels; ++c)
      for (std::size_t p = 0; p < to.pixels; ++p)
        out[(n * to.channels + c) * to.pixels + p] = from[(n * to.pixels + p) * to.channels + c];
  return out;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0, magnitude = 1e-6;
  for (std::size_t i = 0; i < a.size(); ++i) {
    // NaN on one side only is a mismatch.
    if (std::isnan(a[i]) != std::isnan(b[i])) return HUGE_VAL;
    if (std::isnan(a[i]) || a[i] == b[i]) continue;
    worst = std::max(worst, std::abs(a[i] - b[i]));
    magnitude = std::max(magnitude, std::abs(a[i]));
  }
  return worst / magnitude;
}

/// Returns the smallest difference over the layouts that the sizes allow.
std::optional<double> least_difference(const Claim& claim, const std::vector<double>& wanted,
                                       const Elements& original, const std::vector<double>& got,
                                       const Elements& optimized) {
  std::optional<double> least;
  const auto consider = [&](const std::vector<double>& candidate) {
    const double d = difference(wanted, candidate);
    least = least ? std::min(*least, d) : d;
  };
  const std::optional<Image> to = image(original.dims), from = image(optimized.dims);
  if (claim.blocked && to && from && from->pixels == to->pixels && from->batch == to->batch) {
    for (const std::size_t block : {std::size_t{8}, std::size_t{16}})
      if (from->channels % block == 0 && from->channels >= to->channels)
        consider(unblocked(got, *to, from->channels, block));
    return least;
  }
  if (wanted.size() != got.size()) return std::nullopt;
  if (std::ranges::equal(original.dims, optimized.dims))
    consider(got);
  else if (to)
    consider(channels_first(got, *to));
  return least;
}

}  // namespace

Result<ValueCheck> ValueCheck::make(const Canonical& copy, const OptimizedGraph& runnable,
                                    const Attribution& attribution) {
  ValueCheck check;
  std::vector<std::string_view> originals, optimized;
  std::unordered_set<std::string_view> made;
  for (const onnx::Node& n : copy.document->model.graph.nodes)
    for (const std::string_view name : n.outputs) made.insert(name);
  const graph::Model& model = *runnable.model;
  for (graph::ValueId v = 0; v < model.values().size(); ++v) {
    const graph::Value& value = model.value(v);
    if (value.producer == graph::kNone || value.graph != 0 || attribution.tensor[v] == graph::kNone)
      continue;
    const std::string_view name = copy.value_name[attribution.tensor[v]];
    if (!made.contains(name)) continue;
    originals.push_back(name);
    optimized.push_back(value.name);
    check.claims.push_back({std::string(name), std::string(value.name),
                            attribution.tensor_evidence[v], attribution.tensor_blocked[v]});
  }
  check.original = TRY(with_outputs(*copy.document, originals, onnx::Weights::kDetached));
  check.optimized = TRY(with_outputs(model.document(), optimized, onnx::Weights::kInline));
  return check;
}

std::optional<double> relative_error(const Claim& claim, const Elements& original,
                                     const Elements& optimized) {
  const std::optional<std::vector<double>> wanted = numbers(original), got = numbers(optimized);
  if (!wanted || !got) return std::nullopt;
  return least_difference(claim, *wanted, original, *got, optimized);
}

}  // namespace ridge::attribution
