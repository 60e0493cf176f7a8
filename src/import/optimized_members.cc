// SPDX-License-Identifier: Apache-2.0
#include "import/optimized_members.h"

#include <fmt/format.h>

#include <algorithm>

#include "attribution/attributor.h"
#include "base/text.h"
#include "import/canonical_dump.h"
#include "onnx/reader.h"

namespace ridge::imports {
namespace {

using attribution::Attribution;
using attribution::OptimizedGraph;
using graph::kNone;

std::vector<attribution::KernelEvent> events_of(const Recorded& recorded) {
  std::vector<attribution::KernelEvent> out;
  for (const RecordedLayer& layer : recorded.layers)
    out.push_back({layer.name, layer.type, layer.output_shapes});
  return out;
}

/// `joined`: number of recorded kernels found in the dump; `known`: number of its nodes that have a
/// name of the model.
Error of_another_session(const Recorded& recorded, std::int64_t joined, std::size_t known) {
  return input_error("RIDGE-IMP-0013",
                     "the optimized model does not belong to this recording and model")
      .evidence(fmt::format("it contains {} of {}, and {} with a name from the model", joined,
                            counted(std::ssize(recorded.layers), "recorded kernel"),
                            counted(static_cast<std::int64_t>(known), "node")))
      .hint(
          "pass the file that SessionOptions.optimized_model_filepath wrote in the recorded "
          "session");
}

/// Adds the times and kernels of `from` to `to`.
void merge(RecordedLayer& to, RecordedLayer& from) {
  if (to.runs_ns.size() == from.runs_ns.size())
    for (std::size_t i = 0; i < to.runs_ns.size(); ++i)
      to.runs_ns[i] += std::min(from.runs_ns[i], INT64_MAX - to.runs_ns[i]);
  to.time_ns += from.time_ns;
  to.kernels.insert(to.kernels.end(), from.kernels.begin(), from.kernels.end());
}

class Grouper {
 public:
  Grouper(Recorded& recorded, const Attribution& attribution,
          const std::vector<attribution::LayerTraffic>& traffic,
          const std::vector<graph::NodeId>& kernels)
      : recorded_(recorded), attribution_(attribution), traffic_(traffic), kernels_(kernels) {}

  ExactMembers run(std::size_t nodes) {
    out_.members.placed.resize(nodes);
    std::vector<std::uint32_t> group(attribution_.layers.size(), kNone);
    std::vector<RecordedLayer> layers;
    std::int64_t strangers = 0;
    for (std::size_t i = 0; i < recorded_.layers.size(); ++i) {
      RecordedLayer& layer = recorded_.layers[i];
      const std::uint32_t l = kernels_[i] == kNone ? kNone : attribution_.layer_of[kernels_[i]];
      if (l != kNone && group[l] != kNone) {
        merge(layers[group[l]], layer);
        continue;
      }
      if (l != kNone) group[l] = static_cast<std::uint32_t>(layers.size());
      strangers += l == kNone ? 1 : 0;
      take(layer, l);
      layers.push_back(std::move(layer));
    }
    recorded_.layers = std::move(layers);
    if (strangers > 0)
      recorded_.notes.push_back(fmt::format("{} not in the optimised model: of another session?",
                                            counted(strangers, "kernel")));
    for (const profile::WithoutLayer& n : attribution_.without_layer) {
      out_.without_layer.push_back(n);
      out_.members.placed[n.node] = true;
    }
    return std::move(out_);
  }

 private:
  void take(RecordedLayer& layer, std::uint32_t l) {
    const attribution::Layer* exact = l == kNone ? nullptr : &attribution_.layers[l];
    layer.inserted = exact != nullptr && exact->inserted;
    auto& members = out_.members.of_layer.emplace_back();
    if (exact != nullptr) members = exact->members;
    for (const profile::Member& m : members) out_.members.placed[m.node] = true;
    out_.members.partly.push_back(false);
    out_.read.push_back(exact == nullptr ? std::nullopt : traffic_[l].read);
    out_.written.push_back(exact == nullptr ? std::nullopt : traffic_[l].written);
    out_.least.push_back(exact == nullptr ? profile::Least() : traffic_[l].least);
  }

  Recorded& recorded_;
  const Attribution& attribution_;
  const std::vector<attribution::LayerTraffic>& traffic_;
  const std::vector<graph::NodeId>& kernels_;
  ExactMembers out_;
};

}  // namespace

Result<ExactMembers> optimized_members(Recorded& recorded, const analysis::Resolved& resolved,
                                       const std::string& path) {
  auto dump = std::make_shared<onnx::Document>(TRY(onnx::read_file(path)));
  OptimizedGraph graph = TRY(attribution::make_optimized(dump));
  const std::vector<attribution::KernelEvent> events = events_of(recorded);
  const std::vector<graph::NodeId> kernels = attribution::join_events(graph, events);
  attribution::size_tensors(graph, events);

  const attribution::Canonical copy = TRY(attribution::canonicalise(
      resolved, {.constants = attribution::CanonicalOptions::Constants::kAsIs}));
  const CanonicalDump renamed = canonical_dump(dump, resolved, copy);
  const std::int64_t joined =
      std::ranges::count_if(kernels, [](graph::NodeId k) { return k != kNone; });
  // Names common to all models join by chance; numbers in names differ between sessions.
  if (renamed.known == 0 || 2 * joined <= std::ssize(kernels))
    return of_another_session(recorded, joined, renamed.known);
  OptimizedGraph canonical = TRY(attribution::make_optimized(renamed.document));
  if (canonical.bytes.size() == graph.bytes.size()) canonical.bytes = graph.bytes;
  if (attribution::needs_reference(copy, canonical))
    recorded.notes.emplace_back(
        "the optimised model has kernels of 8-bit arithmetic: some of their nodes are only found "
        "beside their neighbours");
  Attribution attribution = TRY(attribution::attribute(resolved, copy, canonical));
  std::vector<bool> executed(attribution.kernels.size());
  for (const graph::NodeId k : kernels)
    if (k != kNone) executed[k] = true;
  attribution::drop_unexecuted(attribution, executed);
  const auto traffic = attribution::boundary_traffic(resolved, canonical, attribution);
  return Grouper(recorded, attribution, traffic, kernels).run(resolved.model().nodes().size());
}

}  // namespace ridge::imports
