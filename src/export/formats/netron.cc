// SPDX-License-Identifier: Apache-2.0
#include "export/formats/netron.h"

#include <fmt/format.h>

#include "base/text.h"
#include "export/formats/profiled_model.h"
#include "export/formats/stacks.h"
#include "export/profile/made_timeline.h"
#include "profile/node_layers.h"

namespace ridge::exports {
namespace {

using onnx::Note;
using profile::Profile;

std::vector<Note> notes_of(const Profile& p, const profile::Node& node,
                           const profile::NodeLayer& at) {
  std::vector<Note> out;
  const auto add = [&](std::string_view key, std::string value) {
    out.push_back({std::string(onnx::kNotePrefix) + std::string(key), std::move(value)});
  };
  if (at.layer != nullptr) {
    const profile::Layer& layer = *at.layer;
    std::size_t executed = 0;
    for (const profile::Member& m : layer.members) executed += m.role == profile::Role::kExecutes;
    add("layer", fmt::format("{} {}", layer.index, operators_of(p, layer)));
    add("role", std::string(name(at.member->role)));
    add("evidence", std::string(name(at.member->evidence)));
    add("time_ns", std::to_string(whole_ns(layer.corrected_ns)));
    add("share", fmt::format("{:.4f}", layer.share));
    if (executed > 1) add("shared_with", std::to_string(executed - 1));
    if (!layer.bound.kind.empty()) add("bound", layer.bound.kind);
    if (layer.bound.roof_share) add("roof_share", fmt::format("{:.4f}", *layer.bound.roof_share));
  }
  if (node.work.macs) add("macs", std::to_string(*node.work.macs));
  return out;
}

}  // namespace

onnx::Notes node_notes(const Profile& p, const graph::Model& model) {
  onnx::Notes notes(model.main().last);
  const std::vector<profile::NodeLayer> layers = profile::layers_of_nodes(p);
  for (std::size_t i = 0; i < p.nodes.size(); ++i)
    if (p.nodes[i].index < notes.size())
      notes[p.nodes[i].index] = notes_of(p, p.nodes[i], layers[i]);
  for (const profile::WithoutLayer& w : p.without_layer) {
    if (w.node >= p.nodes.size() || p.nodes[w.node].index >= notes.size()) continue;
    const std::string with = w.with ? fmt::format(" with node #{}", *w.with) : "";
    notes[p.nodes[w.node].index].push_back(
        {std::string(onnx::kNotePrefix) + "why", std::string(name(w.why)) + with});
  }
  return notes;
}

Result<void> write_annotated_model(const Profile& p, const graph::Model& model, CopyLies lies,
                                   Sink& sink) {
  const onnx::Document& document = model.document();
  if (document.file == nullptr)
    return usage_error("RIDGE-EXP-0005",
                       fmt::format("{} is not a file that can be copied", printable(document.path)))
        .hint("`ridge zoo write NAME -o model.onnx`, then give it with --model");
  const auto beside = onnx::external_locations(document.model);
  if (!beside.empty() && lies == CopyLies::kElsewhere)
    return input_error(
               "RIDGE-EXP-0006",
               fmt::format(
                   "the model has external weights in '{}', which a copy elsewhere would not find",
                   printable(beside.front())))
        .hint("write the copy into the model's folder");
  return onnx::annotate(document, node_notes(p, model), sink);
}

}  // namespace ridge::exports
