// SPDX-License-Identifier: Apache-2.0
#include "accelerator/tvm/tir_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "accelerator/nests/profile.h"
#include "accelerator/tvm/static_model.h"
#include "accelerator/tvm/tir_reader.h"
#include "base/number.h"
#include "base/text.h"

namespace ridge::accelerator {
namespace {

using analysis::Resolved;
using Json = nlohmann::json;

Error bad_map(std::string_view what) {
  return input_error("RIDGE-ACC-0324", fmt::format("the map of the compiler's kernels {}", what));
}

class Profiler {
 public:
  Profiler(TirModule module, const Json& map, const Resolved& resolved)
      : module_(std::move(module)), map_(map), resolved_(resolved) {}

  Result<Profiles> run() {
    const auto kernels = map_.find("kernels");
    if (kernels == map_.end() || !kernels->is_array()) return bad_map("lists no kernels");
    for (const Json& kernel : *kernels) TRY(add(kernel));
    Profiles out = collector_.finish(ProfileSource::kTir);
    for (LayerProfile& layer : out.layers)
      if (layer.node >= resolved_.model().nodes().size())
        return bad_map(fmt::format("has a node #{}, which is not in the model", layer.node));
    return add_hooks(out);
  }

 private:
  Result<void> add(const Json& kernel) {
    const auto function = kernel.find("function"), arguments = kernel.find("args");
    if (function == kernel.end() || !function->is_string() || arguments == kernel.end() ||
        !arguments->is_array())
      return bad_map("has a kernel without a name or without arguments");
    const TirFunction* found = module_.find(function->get_ref<const std::string&>());
    if (found == nullptr) return bad_map("names a kernel that has no loop nest");
    if (arguments->size() >= found->parameters.size())
      return bad_map("passes a kernel too many arguments");
    handed_ += found->parameters.size();
    if (handed_ > kMaxHanded)
      return bad_map(fmt::format("passes kernels more than {} buffers", kMaxHanded));
    std::vector<NestParameter> parameters;
    for (std::size_t i = 0; i < found->parameters.size(); ++i) {
      const BufferId buffer = found->parameters[i];
      if (i < arguments->size())
        parameters.push_back(argument(buffer, (*arguments)[i]));
      else
        parameters.push_back(
            {.buffer = buffer, .result = true, .memory = memory_of(*found, *arguments)});
    }
    module_.nest.root = found->root;
    made_.push_back(parameters.back().memory);
    const ProfileCollector::Added added = TRY(collector_.add(module_.nest, parameters));
    constant_kernels_.push_back(std::all_of(added.nodes.begin(), added.nodes.end(),
                                            [&](graph::NodeId n) { return constant(n); }));
    return {};
  }

  bool constant(graph::NodeId node) const {
    if (node >= resolved_.model().nodes().size()) return false;
    const auto outputs = resolved_.model().outputs(node);
    return !outputs.empty() && outputs[0] != graph::kNone && resolved_.constant(outputs[0]);
  }

  /// Id for the buffer that the kernel writes, if it writes exactly one.
  std::optional<std::int64_t> memory_of(const TirFunction& function, const Json& arguments) const {
    if (function.parameters.size() != arguments.size() + 1) return std::nullopt;
    return static_cast<std::int64_t>(made_.size());
  }

  NestParameter argument(BufferId buffer, const Json& source) const {
    NestParameter out{.buffer = buffer};
    const auto value = source.find("value"), constant = source.find("constant"),
               kernel = source.find("kernel");
    if (value != source.end() && value->is_string()) {
      const graph::ValueId v = static_value(value->get_ref<const std::string&>());
      if (v >= resolved_.model().values().size()) return out;
      out.name = std::string_view(resolved_.model().value(v).name);
      out.weight = resolved_.constant(v);
    } else if (constant != source.end()) {
      out.weight = true;
    } else if (kernel != source.end() && kernel->is_number_unsigned()) {
      const auto index = kernel->get<std::size_t>();
      if (index >= constant_kernels_.size()) return out;
      out.weight = constant_kernels_[index];
      out.memory = made_[index];
    }
    return out;
  }

  /// Adds the counts of the hooks if the kernels were run; 0 for a node without a hook count.
  Result<Profiles> add_hooks(Profiles& out) const {
    const auto hooks = map_.find("hooks");
    if (hooks == map_.end()) return std::move(out);
    if (!hooks->is_object()) return bad_map("has hook counts that are not whole numbers >= 0");
    for (LayerProfile& layer : out.layers) layer.hooked_macs = 0;
    for (const auto& [name, counted] : hooks->items()) {
      const auto node = whole_number<graph::NodeId>(name);
      const auto layer = std::find_if(out.layers.begin(), out.layers.end(),
                                      [&](const LayerProfile& l) { return l.node == node; });
      if (!node || layer == out.layers.end())
        return bad_map(
            fmt::format("has hooks in node '{}', which no kernel implements", printable(name)));
      // A count above 2^63 - 1 converts to a negative number.
      if (!counted.is_number_integer() || counted.get<std::int64_t>() < 0)
        return bad_map("has hook counts that are not whole numbers >= 0");
      layer->hooked_macs = counted.get<std::int64_t>();
    }
    return std::move(out);
  }

  /// Limit; the largest network tried has some thousands.
  static constexpr std::size_t kMaxHanded = std::size_t{1} << 20;

  TirModule module_;
  const Json& map_;
  const Resolved& resolved_;
  ProfileCollector collector_;
  std::vector<std::optional<std::int64_t>> made_;  ///< by kernel: memory id of its result
  std::size_t handed_ = 0;
  std::vector<bool> constant_kernels_;  ///< by kernel: reads only constants
};

}  // namespace

Result<Profiles> profile_tir(std::string_view tir, std::string_view map, const Resolved& resolved) {
  const Json parsed = Json::parse(map, nullptr, false);
  if (!parsed.is_object()) return bad_map("is not a JSON object");
  return Profiler(TRY(read_tir(tir)), parsed, resolved).run();
}

}  // namespace ridge::accelerator
