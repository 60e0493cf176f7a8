// SPDX-License-Identifier: Apache-2.0
#include "evaluation/repeat/hashes.h"

#include <fmt/format.h>

#include "base/hash/sha256.h"
#include "onnx/external_tensors.h"
#include "onnx/weights.h"
#include "onnx/writer.h"
#include "runtime/inputs/literal.h"

namespace ridge::evaluation {

Result<std::string> model_sha256(const onnx::Document& document, const HashWatch& watch) {
  if (document.file == nullptr)
    return sha256_of(TRY(onnx::write_bytes(document, {.weights = onnx::Weights::kDetached})));
  const std::string own = TRY(sha256_of(*document.file, watch));
  const auto external = onnx::external_tensors(document.model);
  if (external.empty()) return own;
  Sha256 all;
  all.add(own + "\n");
  for (const auto& [name, tensor] : external) {
    const Result<onnx::WeightRange> range = onnx::locate(document, *tensor);
    // A model of which only seeded weights are run needs no file of weights.
    all.add((range.ok() ? TRY(sha256_of(*range->file, watch)) : "absent") + "\n");
  }
  return all.hex();
}

Result<std::string> input_sha256(const std::string& source, const HashWatch& watch) {
  if (TRY(runtime::parse_literal(source))) return sha256_of(source);
  return sha256_of_file(source, watch);
}

HashWatch hash_watch(const session::Environment& environment) {
  return [&environment](const std::string& path, std::int64_t done, std::int64_t total) {
    constexpr std::int64_t kMebi = std::int64_t{1} << 20, kLarge = 256 * kMebi;
    if (environment.progress != nullptr && total > kLarge)
      environment.progress->show(fmt::format("hash of {}, MiB", path), done / kMebi, total / kMebi);
    if (done == total) environment.hide_progress();
    return !environment.stopped();
  };
}

}  // namespace ridge::evaluation
