// SPDX-License-Identifier: Apache-2.0
#include "bricks/piece.h"

#include <algorithm>
#include <set>

#include "attribution/names_read.h"

namespace ridge::bricks {
namespace {

using graph::NodeId;
using graph::ValueId;

void add_once(std::vector<std::string_view>& names, std::string_view name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

template <typename T>
void sort_once(std::vector<T>& items) {
  std::ranges::sort(items);
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

constexpr std::array kEveryLayout = {Layout::kPlain, Layout::kBlocked, Layout::kChannelsLast};

/// Layout of a tensor of the optimized graph: as the runtime lists it for the kernel that writes
/// it, or as the kernels around it show.
Layout layout_of(const Network& network, ValueId v) {
  if (network.attribution.tensor_blocked[v]) return Layout::kBlocked;
  const NodeId producer = network.optimized.model->value(v).producer;
  if (network.optimized.listed.empty() || producer == graph::kNone) return Layout::kPlain;
  const std::string& layout = network.optimized.listed[producer].layout;
  if (layout.starts_with("blocked")) return Layout::kBlocked;
  return layout == word(Layout::kChannelsLast) ? Layout::kChannelsLast : Layout::kPlain;
}

}  // namespace

std::string port_text(const CrossingTensor& tensor) {
  return std::string(word(tensor.layout)) + (tensor.donor ? "" : ", bare") +
         (tensor.kept ? ", kept" : "");
}

bool known_at_load(const Network& network, std::string_view name) {
  const auto made = network.producer.find(name);
  if (made == network.producer.end() || network.layer_of[made->second] != kNone) return false;
  const auto v = network.value.find(name);
  const ops::Value* value = v == network.value.end() ? nullptr : network.resolved.value(v->second);
  if (value == nullptr || network.copy.seeded[network.resolved.model().value(v->second).producer])
    return false;
  return std::ranges::all_of(value->ints, [](const ops::Dim& d) { return d.known(); });
}

Cutter::Cutter(const Network& network) : network_(network) {
  for (const onnx::ValueInfo& output : network.graph().outputs)
    graph_output_.emplace(origin(network, output.name), true);
  for (std::uint32_t l = 0; l < network.layers.size(); ++l) {
    needs_.push_back(needs_of(network.layers[l]));
    for (const std::string_view name : needs_[l].inputs) readers_[name].push_back(l);
  }
  // An output of the model that a unit without kernel produces is an input of that unit.
  for (const onnx::ValueInfo& output : network.graph().outputs) {
    std::vector<std::string_view> open = {origin(network, output.name)};
    while (!open.empty()) {
      const std::string_view name = open.back();
      open.pop_back();
      graph_output_.emplace(name, true);
      const auto made = network.producer.find(name);
      if (made == network.producer.end() || network.layer_of[made->second] != kNone) continue;
      attribution::each_name_read(network.node(made->second), [&](std::string_view read) {
        if (!read.empty() && !graph_output_.contains(origin(network, read)))
          open.push_back(origin(network, read));
      });
    }
  }
  find_layouts();
  find_crossing();
  find_live();
}

Cutter::Needs Cutter::needs_of(const FusedLayer& layer) const {
  Needs out;
  std::set<Unit> inside(layer.units.begin(), layer.units.end());
  inside.insert(layer.repeated.begin(), layer.repeated.end());
  out.helpers = layer.repeated;
  std::vector<Unit> open = layer.units;
  open.insert(open.end(), layer.repeated.begin(), layer.repeated.end());
  for (std::size_t i = 0; i < open.size(); ++i)
    attribution::each_name_read(network_.node(open[i]), [&](std::string_view read) {
      const std::string_view name = origin(network_, read);
      if (name.empty() || network_.initializer.contains(name) || known_at_load(network_, name))
        return;
      const auto made = network_.producer.find(name);
      if (made == network_.producer.end()) {
        // Neither produced nor a constant: an input of the model, or of a body.
        const auto& inputs = network_.graph().inputs;
        if (std::ranges::any_of(inputs, [&](const auto& input) { return input.name == name; }))
          add_once(out.inputs, name);
        return;
      }
      if (inside.contains(made->second)) return;
      if (network_.layer_of[made->second] != kNone) return add_once(out.inputs, name);
      inside.insert(made->second);
      out.helpers.push_back(made->second);
      open.push_back(made->second);
    });
  sort_once(out.helpers);
  return out;
}

void Cutter::find_layouts() {
  const attribution::Attribution& a = network_.attribution;
  for (ValueId v = 0; v < a.tensor.size(); ++v) {
    if (a.tensor[v] == graph::kNone) continue;
    const std::string_view name = origin(network_, network_.copy.value_name[a.tensor[v]]);
    stored_[name][static_cast<std::size_t>(layout_of(network_, v))].push_back(v);
  }
  layer_of_kernel_.assign(a.kernels.size(), kNone);
  for (std::uint32_t l = 0; l < network_.layers.size(); ++l)
    for (const NodeId k : network_.layers[l].kernels) layer_of_kernel_[k] = l;
}

void Cutter::find_crossing() {
  crossing_.assign(network_.layers.size() + 1, 0);
  for (const auto& [name, layers] : readers_) {
    const auto made = network_.producer.find(name);
    const std::uint32_t from =
        made == network_.producer.end() ? 0 : network_.layer_of[made->second] + 1;
    for (std::uint32_t l = from; l <= layers.back(); ++l) ++crossing_[l];
  }
}

void Cutter::find_live() {
  // By layer, the change against the layer before it.
  std::vector<std::int64_t> change(network_.layers.size() + 1, 0);
  for (const auto& [name, unit] : network_.producer) {
    const std::uint32_t from = network_.layer_of[unit];
    const auto value = network_.value.find(name);
    if (from == kNone || value == network_.value.end()) continue;
    const auto readers = readers_.find(name);
    // Others are between nodes of one layer, where the runtime may not make them at all.
    if (readers == readers_.end() && !graph_output_.contains(name)) continue;
    const std::uint32_t last = is_kept(name)
                                   ? static_cast<std::uint32_t>(network_.layers.size() - 1)
                               : readers == readers_.end() ? from
                                                           : readers->second.back();
    const ops::Dim bytes =
        ops::type_bytes(network_.resolved.type(value->second), network_.resolved.dims());
    if (!bytes.known()) continue;
    change[from] += bytes.value();
    change[std::max(from, last) + 1] -= bytes.value();
  }
  std::int64_t live = 0;
  for (std::uint32_t l = 0; l < network_.layers.size(); ++l) live_.push_back(live += change[l]);
}

/// The layout in which the kernels of a piece read the tensor from other kernels: plain if any of
/// them reads it so.
Layout Cutter::layout_read(const Piece& piece, std::string_view name) const {
  const auto stored = stored_.find(name);
  if (stored == stored_.end()) return Layout::kPlain;
  const graph::Model& optimized = *network_.optimized.model;
  const auto inside = [&](NodeId k) {
    return k != graph::kNone && std::ranges::binary_search(piece.kernels, k);
  };
  const auto read_here = [&](ValueId v) {
    return !inside(optimized.value(v).producer) &&
           std::ranges::any_of(optimized.consumers(v), inside);
  };
  for (const Layout layout : kEveryLayout)
    if (std::ranges::any_of(stored->second[static_cast<std::size_t>(layout)], read_here))
      return layout;
  return Layout::kPlain;
}

std::vector<std::uint32_t> Cutter::sources(std::uint32_t layer) const {
  std::vector<std::uint32_t> out;
  for (const std::string_view name : needs_[layer].inputs)
    if (const auto made = network_.producer.find(name); made != network_.producer.end())
      out.push_back(network_.layer_of[made->second]);
  sort_once(out);
  return out;
}

Piece Cutter::piece(std::uint32_t first, std::uint32_t last) const {
  Piece out{.first = first, .last = last};
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (std::uint32_t l = first; l < last; ++l) {
    const FusedLayer& layer = network_.layers[l];
    append(out.units, layer.units);
    append(out.helpers, needs_[l].helpers);
    append(out.kernels, layer.kernels);
    append(out.nodes, layer.nodes);
    out.macs += layer.macs;
    out.live_bytes = std::max(out.live_bytes, live_[l]);
  }
  std::ranges::sort(out.units);
  std::ranges::sort(out.kernels);
  std::ranges::sort(out.nodes);
  sort_once(out.helpers);
  const auto computed = [&](std::string_view name) {
    const auto made = network_.producer.find(name);
    return made != network_.producer.end() && std::ranges::binary_search(out.units, made->second);
  };
  std::erase_if(out.helpers, [&](Unit u) { return std::ranges::binary_search(out.units, u); });
  std::vector<std::string_view> inputs;
  for (std::uint32_t l = first; l < last; ++l)
    for (const std::string_view name : needs_[l].inputs)
      if (!computed(name)) add_once(inputs, name);
  for (const std::string_view name : inputs)
    out.inputs.push_back({name, layout_read(out, name), true, is_kept(name)});

  const graph::Model& optimized = *network_.optimized.model;
  for (const Unit u : out.units)
    for (const std::string_view name : network_.node(u).outputs) {
      if (name.empty()) continue;
      const auto readers = readers_.find(name);
      const bool read =
          readers != readers_.end() && std::ranges::any_of(readers->second, [&](std::uint32_t l) {
            return l < first || l >= last;
          });
      if (!read && !graph_output_.contains(name)) continue;
      const auto stored = stored_.find(name);
      // A tensor leaves in the layouts that kernels of the piece write and kernels outside read, or
      // the model returns.
      const auto leaves = [&](ValueId v) {
        const NodeId maker = optimized.value(v).producer;
        if (maker == graph::kNone || !std::ranges::binary_search(out.kernels, maker)) return false;
        return optimized.value(v).graph_output ||
               std::ranges::any_of(optimized.consumers(v), [&](NodeId k) {
                 return !std::ranges::binary_search(out.kernels, k);
               });
      };
      const std::size_t before = out.outputs.size();
      if (stored != stored_.end())
        for (const Layout layout : kEveryLayout)
          if (std::ranges::any_of(stored->second[static_cast<std::size_t>(layout)], leaves))
            out.outputs.push_back(leaving(name, layout));
      if (out.outputs.size() == before) out.outputs.push_back(leaving(name, Layout::kPlain));
    }
  return out;
}

bool Cutter::is_kept(std::string_view name) const {
  return graph_output_.contains(name) && readers_.contains(name) &&
         network_.producer.contains(name);
}

/// Port of a tensor that leaves. The model returns plain ones in memory of their own, where no
/// donor reads it.
CrossingTensor Cutter::leaving(std::string_view name, Layout layout) const {
  return {name, layout, layout != Layout::kPlain || !is_kept(name)};
}

}  // namespace ridge::bricks
