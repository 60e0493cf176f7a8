#include "workbench/evaluation_hashes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

#include "manifest/sha256.h"
#include "onnx/weights.h"
#include "onnx/writer.h"

namespace ridge::workbench {
namespace {

using manifest::Sha256;

/// Tensors with external data, one for each file, by its name.
class ExternalFiles {
 public:
  explicit ExternalFiles(const onnx::Model& model) {
    graphs_.push_back(&model.graph);
    for (const onnx::Function& f : model.functions) {
      add_nodes(f.nodes);
      for (const onnx::Attribute& a : f.default_attributes) add(a);
    }
    while (!graphs_.empty()) {
      const onnx::Graph& graph = *graphs_.back();
      graphs_.pop_back();
      for (const onnx::Tensor& t : graph.initializers) add(t);
      for (const onnx::SparseTensor& t : graph.sparse_initializers) add(t);
      add_nodes(graph.nodes);
    }
  }

  const std::map<std::string_view, const onnx::Tensor*>& files() const { return files_; }

 private:
  void add_nodes(std::span<const onnx::Node> nodes) {
    for (const onnx::Node& n : nodes)
      for (const onnx::Attribute& a : n.attributes) add(a);
  }
  void add(const onnx::Attribute& a) {
    if (a.t != nullptr) add(*a.t);
    if (a.sparse != nullptr) add(*a.sparse);
    for (const onnx::Tensor& t : a.tensors) add(t);
    if (a.g != nullptr) graphs_.push_back(a.g);
    for (const onnx::Graph& g : a.graphs) graphs_.push_back(&g);
  }
  void add(const onnx::SparseTensor& t) {
    for (const onnx::Tensor* part : {t.values, t.indices})
      if (part != nullptr) add(*part);
  }
  void add(const onnx::Tensor& t) {
    if (t.external) files_.emplace(std::string_view(t.location), &t);
  }

  std::vector<const onnx::Graph*> graphs_;  // whose tensors are not collected yet
  std::map<std::string_view, const onnx::Tensor*> files_;
};

}  // namespace

Result<std::string> model_sha256(const onnx::Document& document, const manifest::HashWatch& watch) {
  if (document.file == nullptr)
    return manifest::sha256_of(
        TRY(onnx::write_bytes(document, {.weights = onnx::Weights::kDetached})));
  const std::string own = TRY(manifest::sha256_of(*document.file, watch));
  const ExternalFiles external(document.model);
  if (external.files().empty()) return own;
  Sha256 all;
  all.add(own + "\n");
  for (const auto& [name, tensor] : external.files()) {
    const Result<onnx::WeightRange> range = onnx::locate(document, *tensor);
    // A model of which only seeded weights are run needs no file of weights.
    all.add((range.ok() ? TRY(manifest::sha256_of(*range->file, watch)) : "absent") + "\n");
  }
  return all.hex();
}

Result<std::string> data_sha256(const EvaluationData& data, const manifest::HashWatch& watch) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(data.source, ignored))
    return manifest::sha256_of_file(data.source, watch);
  Sha256 all;
  for (const std::string& name : TRY(image_names(data))) {
    const std::string hash = TRY(manifest::sha256_of_file(data.source + "/" + name, watch));
    all.add(fmt::format("{}  {}\n", hash, name));
  }
  return all.hex();
}

Result<std::string> labels_sha256(const std::string& path, const manifest::HashWatch& watch) {
  std::error_code failed;
  if (!std::filesystem::is_directory(path, failed)) return manifest::sha256_of_file(path, watch);
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path, failed))
    if (entry.is_regular_file(failed)) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  Sha256 all;
  for (const std::string& name : names) {
    const std::string hash = TRY(manifest::sha256_of_file(path + "/" + name, watch));
    all.add(fmt::format("{}  {}\n", hash, name));
  }
  return all.hex();
}

}  // namespace ridge::workbench
