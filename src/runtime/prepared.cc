// SPDX-License-Identifier: Apache-2.0
#include "runtime/prepared.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/checked.h"
#include "base/words.h"

namespace ridge::runtime {

std::string preparation(const RuntimeInfo& info, const Options& options) {
  std::vector<std::pair<std::string, std::string>> entries = options.entries;
  std::ranges::stable_sort(entries, {}, &std::pair<std::string, std::string>::first);
  std::string text =
      fmt::format("{} {}\noptimization={}\ndeterministic={}\n", info.name, info.version,
                  word(options.optimization), options.deterministic ? 1 : 0);
  // Lengths keep apart what keys and values with line breaks would mix.
  for (const auto& [key, value] : entries)
    text += fmt::format("{}:{}={}:{}\n", key.size(), key, value.size(), value);
  return text;
}

std::vector<Weight> prepared_weights(std::span<const PreparedTensor> tensors,
                                     const std::shared_ptr<const File>& file) {
  std::vector<Weight> weights;
  weights.reserve(tensors.size());
  for (const PreparedTensor& tensor : tensors)
    weights.push_back({tensor.name, tensor.type, tensor.dims,
                       onnx::WeightRange{file, tensor.offset, tensor.bytes}});
  return weights;
}

Result<void> check_prepared(const Prepared& prepared) {
  struct stat status {};
  if (prepared.elements.is_open() && ::fstat(prepared.elements.get(), &status) != 0)
    return bug("the elements of a prepared model are not open", "prepare");
  for (const PreparedTensor& tensor : prepared.tensors) {
    const auto end = checked_add(tensor.offset, tensor.bytes);
    if (tensor.offset < 0 || tensor.bytes < 0 || !end || *end > status.st_size)
      return environment_error(
                 "RIDGE-RT-0071",
                 fmt::format("weight '{}' of the prepared model lies outside its file",
                             tensor.name))
          .evidence(fmt::format("bytes {} to {} of {}", tensor.offset, end.value_or(-1),
                                static_cast<std::int64_t>(status.st_size)))
          .hint("the plug-in's prepare is wrong (runtime/abi.h)");
  }
  return {};
}

}  // namespace ridge::runtime
