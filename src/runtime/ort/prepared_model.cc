// SPDX-License-Identifier: Apache-2.0
#include "runtime/ort/prepared_model.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "onnx/reader.h"
#include "runtime/ort/weights.h"

namespace ridge::ort {
namespace {

/// Weights of fewer bytes stay in the model: they are copied quickly, and each weight outside takes
/// whole pages.
constexpr char kLeastBytes[] = "4096";
constexpr std::int64_t kModelLimit = std::int64_t{2} << 30;

Error no_room(std::string what) {
  return environment_error("RIDGE-ORT-0044", "cannot " + std::move(what) + ": " +
                                                 std::generic_category().message(errno));
}

/// Creates a session that writes its optimized model into `folder`.
Result<void> write_optimized(const Environment& environment, std::string_view model,
                             const RidgeTensors& weights, const std::string& folder) {
  const Library& l = environment.library();
  const OrtApi& api = l.api();
  OrtMemoryInfo* raw_memory = nullptr;
  TRY(l.check(api.CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, &raw_memory),
              Phase::kSetUp));
  const Handle<OrtMemoryInfo> memory = own(l, raw_memory);
  const Handle<OrtSessionOptions> options = TRY(environment.session_options());
  const std::string path = folder + "/model.onnx";
  TRY(l.check(api.SetOptimizedModelFilePath(options.get(), path.c_str()), Phase::kSetUp));
  // Packing changes no weight that is written.
  const std::pair<const char*, const char*> entries[] = {
      {"session.optimized_model_external_initializers_file_name", kPreparedWeights},
      {"session.optimized_model_external_initializers_min_size_in_bytes", kLeastBytes},
      {"session.disable_prepacking", "1"},
      {"session.model_external_initializers_file_folder_path", "/"}};
  for (const auto& [key, value] : entries)
    TRY(l.check(api.AddSessionConfigEntry(options.get(), key, value), Phase::kSetUp));
  const Values held = TRY(add_copied_weights(l, memory.get(), options.get(), weights));
  OrtSession* session = nullptr;
  TRY(l.check(api.CreateSessionFromArray(environment.env(), model.data(), model.size(),
                                         options.get(), &session),
              Phase::kLoad));
  own(l, session);
  return {};
}

/// True if a body of a node, at any depth, has a weight outside the model.
bool has_outer_weights(const onnx::Graph& graph) {
  std::vector<const onnx::Graph*> open = {&graph};
  while (!open.empty()) {
    const onnx::Graph& next = *open.back();
    open.pop_back();
    for (const onnx::Tensor& tensor : next.initializers)
      if (tensor.external && &next != &graph) return true;
    for (const onnx::Node& node : next.nodes)
      for (const onnx::Attribute& attribute : node.attributes)
        for (const onnx::Graph& body : attribute.graphs) open.push_back(&body);
  }
  return false;
}

}  // namespace

Result<PreparedModel> PreparedModel::make(const Environment& environment, std::string_view model,
                                          const RidgeTensors& weights) {
  PreparedModel prepared;
  const TemporaryFolder folder = TRY(TemporaryFolder::make(environment.settings().temporary));
  prepared.elements_ = ipc::Descriptor(::memfd_create("ridge-prepared", MFD_CLOEXEC));
  if (!prepared.elements_.is_open()) return no_room("make a file in memory");
  // ONNX Runtime writes to a path; this one leads to the file in memory.
  const std::string link = folder.path() + "/" + kPreparedWeights;
  const std::string target = fmt::format("/proc/self/fd/{}", prepared.elements_.get());
  if (::symlink(target.c_str(), link.c_str()) != 0) return no_room("use the temporary folder");
  TRY(write_optimized(environment, model, weights, folder.path()));
  prepared.model_ =
      TRY_IN("the optimized model", read_file(folder.path() + "/model.onnx", kModelLimit));
  TRY(prepared.list_weights());
  return prepared;
}

Result<void> PreparedModel::list_weights() {
  const onnx::Document document =
      TRY_IN("the optimized model", onnx::read_bytes(model_, "the optimized model"));
  if (has_outer_weights(document.model.graph))
    return environment_error("RIDGE-ORT-0043",
                             "the model has a weight in the body of a control flow operator, which "
                             "ONNX Runtime does not use in place")
        .hint("load the model itself");
  for (const onnx::Tensor& tensor : document.model.graph.initializers)
    if (tensor.external)
      weights_.add(std::string(tensor.name), static_cast<std::int32_t>(tensor.type),
                   {tensor.dims.begin(), tensor.dims.end()},
                   static_cast<std::uint64_t>(tensor.offset),
                   static_cast<std::uint64_t>(tensor.length));
  return {};
}

}  // namespace ridge::ort
