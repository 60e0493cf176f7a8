// SPDX-License-Identifier: Apache-2.0
#include "evaluation/mlperf/prepared_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace ridge::evaluation {
namespace {

using runtime::InputTensor;
using SampleOrder = std::span<const std::uint32_t>;

constexpr std::size_t kInputAlignment = 64;

std::size_t aligned(std::size_t bytes) {
  return (bytes + kInputAlignment - 1) / kInputAlignment * kInputAlignment;
}

Error refused_inputs(std::string message) {
  return input_error("RIDGE-WB-0132", std::move(message));
}

/// Queries without repetition: their samples one after the other, and which one each query is.
struct Distinct {
  std::vector<std::uint32_t> samples;
  std::vector<std::uint32_t> which;
};

Distinct distinct(SampleOrder order, std::size_t per_query) {
  Distinct out;
  // Queries that begin with a sample: LoadGen's seldom differ then, except for batches of an
  // offline query that is shuffled.
  std::unordered_multimap<std::uint32_t, std::uint32_t> known;
  std::vector<std::uint32_t> query(per_query);
  for (std::size_t at = 0; at < order.size(); at += per_query) {
    for (std::size_t i = 0; i < per_query; ++i) query[i] = order[(at + i) % order.size()];
    const auto equal = [&](const auto& candidate) {
      return std::equal(
          query.begin(), query.end(),
          out.samples.begin() + static_cast<std::ptrdiff_t>(candidate.second * per_query));
    };
    const auto [begin, end] = known.equal_range(query[0]);
    const auto found = std::find_if(begin, end, equal);
    if (found != end) {
      out.which.push_back(found->second);
      continue;
    }
    const auto next = static_cast<std::uint32_t>(out.samples.size() / per_query);
    known.emplace(query[0], next);
    out.which.push_back(next);
    out.samples.insert(out.samples.end(), query.begin(), query.end());
  }
  return out;
}

/// A set of other samples, in memory of its own.
class Copier {
 public:
  explicit Copier(const BatchedSamples& given) : given_(given) {}

  /// Bytes of a set; error if its tensors have no row for each sample.
  Result<std::size_t> set_bytes() const {
    std::size_t out = 0;
    for (const InputTensor& tensor : given_.samples->sets.at(0)) {
      if (tensor.kind != RIDGE_TENSOR || tensor.dims.empty() ||
          tensor.dims[0] != static_cast<std::int64_t>(given_.batch))
        return refused_inputs(
                   fmt::format("input '{}' has no row for each sample of a batch", tensor.name))
            .hint("use --bind batch=1");
      out += aligned(static_cast<std::size_t>(tensor.bytes));
    }
    return out;
  }

  std::vector<InputTensor> copy(SampleOrder samples, std::size_t offset,
                                std::span<std::byte> to) const {
    const auto& sets = given_.samples->sets;
    std::vector<InputTensor> out = sets[0];
    for (std::size_t t = 0; t < out.size(); ++t) {
      const std::size_t row = static_cast<std::size_t>(out[t].bytes) / given_.batch;
      for (std::size_t i = 0; i < samples.size(); ++i) {
        const InputTensor& from = sets[samples[i] / given_.batch][t];
        const std::size_t at =
            static_cast<std::size_t>(from.offset) + samples[i] % given_.batch * row;
        std::memcpy(&to[offset + i * row], &given_.samples->memory.bytes()[at], row);
      }
      out[t].offset = static_cast<std::int64_t>(offset);
      offset += aligned(static_cast<std::size_t>(out[t].bytes));
    }
    return out;
  }

 private:
  const BatchedSamples& given_;
};

}  // namespace

Result<MlperfInputs> MlperfInputs::make(const BatchedSamples& given, SampleOrder order,
                                        std::uint64_t per_query) {
  const std::uint64_t batch = given.batch;
  if (batch == 0 || per_query % batch != 0)
    return refused_inputs(fmt::format("a query has {} samples, a batch {}", per_query, batch))
        .hint("use --bind batch=1, a divisor of --samples-per-query, or --scenario offline");
  const std::uint64_t samples = given.size();
  if (std::ranges::any_of(order, [&](std::uint32_t s) { return s >= samples; }))
    return bug("an order of samples that are not there", "MlperfFeeds");
  MlperfInputs out;
  out.runs_ = static_cast<std::uint32_t>(per_query / batch);
  if (per_query == 1) {
    out.sets_ = given.samples->sets;
    out.first_.assign(order.begin(), order.end());
    return out;
  }
  Distinct queries = distinct(order, static_cast<std::size_t>(per_query));
  out.first_ = std::move(queries.which);
  for (std::uint32_t& first : out.first_) first *= out.runs_;
  out.samples_ = std::move(queries.samples);
  out.batch_ = batch;
  if (batch == 1) {
    for (const std::uint32_t sample : out.samples_)
      out.sets_.push_back(given.samples->sets[sample]);
    return out;
  }
  const Copier copier(given);
  const std::size_t sets = out.samples_.size() / batch, bytes = TRY(copier.set_bytes());
  if (bytes > 0 && sets > static_cast<std::size_t>(kMaxInputBytes) / bytes)
    return refused_inputs(fmt::format("{} batches of samples take more than 4 GiB", sets))
        .hint("use --bind batch=1, or --limit N");
  out.own_ = TRY(ipc::SharedMemory::make(sets * bytes));
  out.copied_ = true;
  for (std::size_t set = 0; set < sets; ++set)
    out.sets_.push_back(copier.copy(SampleOrder(out.samples_).subspan(set * batch, batch),
                                    set * bytes, out.own_.bytes()));
  return out;
}

}  // namespace ridge::evaluation
