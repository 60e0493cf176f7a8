// SPDX-License-Identifier: Apache-2.0
#include "evaluation/mlperf/outputs.h"

#include <fmt/format.h>

#include <functional>
#include <string_view>

#include "base/file.h"
#include "evaluation/mlperf/predictions.h"

namespace ridge::evaluation {
namespace {

using OutputBytes = std::span<const std::byte>;

Error refused_outputs(std::string message) {
  return input_error("RIDGE-WB-0133", std::move(message));
}

Result<OutputBytes> logged_row(const OutputRow& of) {
  if (of.outputs.tensors.empty()) return refused_outputs("the model has no output to log");
  const runtime::OutputTensor& first = of.outputs.tensors[0];
  if (of.batch == 1) return first.bytes;
  const std::vector<std::int64_t>& dims = first.type.dims;
  if (dims.empty() || dims[0] != static_cast<std::int64_t>(of.batch))
    return refused_outputs(fmt::format("output '{}' has no row for each sample of a batch of {}",
                                       first.type.name, of.batch))
        .hint("use --bind batch=1");
  const std::size_t bytes = first.bytes.size() / of.batch;
  return first.bytes.subspan(static_cast<std::size_t>(of.row) * bytes, bytes);
}

std::size_t hash(OutputBytes bytes) {
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

Result<void> OutputLog::add(std::uint64_t sequence, std::uint64_t sample, const OutputRow& row) {
  const OutputBytes bytes = TRY(logged_row(row));
  if (bytes.size() > (kMaxLogBytes - bytes_) / 2)
    return refused_outputs("the log of outputs takes more than 2 GiB").hint("use --limit N");
  bytes_ += 2 * bytes.size();
  std::optional<std::vector<float>> prediction;
  if (data_ != nullptr)
    prediction = TRY(prediction_of(sample_outputs(row.outputs, static_cast<std::size_t>(row.batch),
                                                  static_cast<std::size_t>(row.row)),
                                   sample, *data_));
  log_.add(sequence, sample, prediction ? std::as_bytes(std::span(*prediction)) : bytes);
  hashes_.emplace(sample, hash(bytes));
  return {};
}

LoggedOutputs OutputLog::difference(const OutputLog& other) const {
  LoggedOutputs out{.compared = hashes_.size()};
  for (const auto& [sample, hash] : hashes_) {
    const auto known = other.hashes_.find(sample);
    if (known == other.hashes_.end() || known->second != hash) ++out.different;
  }
  return out;
}

Result<void> OutputLog::write(const std::string& path) {
  log_.end();
  return write_file(path, text_.text());
}

}  // namespace ridge::evaluation
