#include "evaluation/repeat/hashes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/hash/sha256.h"
#include "onnx/external_tensors.h"
#include "onnx/weights.h"
#include "onnx/writer.h"

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

Result<std::string> data_sha256(const EvaluationData& data, const HashWatch& watch) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(data.source, ignored))
    return sha256_of_file(data.source, watch);
  Sha256 all;
  for (const std::string& name : TRY(image_names(data))) {
    const std::string hash = TRY(sha256_of_file(data.source + "/" + name, watch));
    all.add(fmt::format("{}  {}\n", hash, name));
  }
  return all.hex();
}

Result<std::string> labels_sha256(const std::string& path, const HashWatch& watch) {
  std::error_code failed;
  if (!std::filesystem::is_directory(path, failed)) return sha256_of_file(path, watch);
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path, failed))
    if (entry.is_regular_file(failed)) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  Sha256 all;
  for (const std::string& name : names) {
    const std::string hash = TRY(sha256_of_file(path + "/" + name, watch));
    all.add(fmt::format("{}  {}\n", hash, name));
  }
  return all.hex();
}

}  // namespace ridge::evaluation
