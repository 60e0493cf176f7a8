// SPDX-License-Identifier: Apache-2.0
#include "zoo/source.h"

#include <utility>

#include "zoo/zoo.h"

namespace ridge::zoo {
namespace {

constexpr std::string_view kPrefix = "zoo:";

}  // namespace

Result<std::shared_ptr<onnx::Document>> open_model(std::string_view path_or_zoo,
                                                   const onnx::Limits& limits) {
  if (path_or_zoo.starts_with(kPrefix))
    return std::make_shared<onnx::Document>(TRY(make(path_or_zoo.substr(kPrefix.size()))));
  return std::make_shared<onnx::Document>(TRY(onnx::read_file(std::string(path_or_zoo), limits)));
}

std::map<std::string, std::int64_t> default_sizes(std::string_view path_or_zoo) {
  std::map<std::string, std::int64_t> sizes;
  if (!path_or_zoo.starts_with(kPrefix)) return sizes;
  const Entry* entry = find(path_or_zoo.substr(kPrefix.size()));
  if (entry == nullptr) return sizes;
  for (const DefaultSize& s : entry->sizes) sizes.emplace(s.name, s.value);
  return sizes;
}

}  // namespace ridge::zoo
