// SPDX-License-Identifier: Apache-2.0
#include "accelerator/nests/closed_form_profile.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "onnx/data_type.h"
#include "ops/type.h"

namespace ridge::accelerator {
namespace {

using analysis::Resolved;
using graph::ValueId;
using Role = BufferProfile::Role;

class Builder {
 public:
  explicit Builder(const Resolved& resolved) : r_(resolved) {}

  LayerProfile profile(const Layer& layer) {
    layer_ = {};
    layer_.node = layer.node;
    layer_.macs = layer.macs;
    std::vector<graph::NodeId> nodes = layer.riders;
    nodes.insert(nodes.begin(), layer.node);
    std::set<ValueId> seen;  // also values produced inside the layer
    for (const graph::NodeId n : nodes)
      for (const ValueId v : r_.model().outputs(n))
        if (v != graph::kNone && n != layer.last()) seen.insert(v);
    for (const graph::NodeId n : nodes)
      for (const ValueId v : r_.model().inputs(n))
        if (v != graph::kNone && seen.insert(v).second)
          add(v, r_.constant(v) ? Role::kParameter : Role::kInput);
    for (const ValueId v : r_.model().outputs(layer.last()))
      if (v != graph::kNone && seen.insert(v).second) add(v, Role::kOutput);
    if (!layer_.reason.empty()) {
      layer_.buffers.clear();
      layer_.param_bytes = layer_.allocated_bytes = 0;
    }
    return std::move(layer_);
  }

 private:
  void add(ValueId v, Role role) {
    const ops::Type& type = r_.type(v);
    const ops::Dim bytes = ops::type_bytes(type, r_.dims());
    const std::string name = printable(r_.model().value(v).name.view());
    if (!bytes.known() || !type.shape.known()) {
      layer_.reason = "the size of tensor '" + name + "' is not known";
      return;
    }
    BufferProfile buffer;
    buffer.name = r_.model().value(v).name.view();
    for (const ops::Dim& d : type.shape.span()) buffer.shape.push_back(d.value());
    buffer.dtype = onnx::name(type.dtype);
    buffer.role = role;
    buffer.bytes = bytes.value();
    if (role == Role::kParameter) layer_.param_bytes += buffer.bytes;
    if (role == Role::kOutput) layer_.allocated_bytes += buffer.bytes;
    layer_.buffers.push_back(std::move(buffer));
  }

  const Resolved& r_;
  LayerProfile layer_;
};

}  // namespace

Profiles closed_form_profiles(const Lowered& lowered, const Resolved& resolved) {
  Profiles out;
  Builder builder(resolved);
  for (const Layer& layer : lowered.layers)
    if (layer.node != graph::kNone) out.layers.push_back(builder.profile(layer));
  std::sort(out.layers.begin(), out.layers.end(),
            [](const LayerProfile& a, const LayerProfile& b) { return a.node < b.node; });
  return out;
}

}  // namespace ridge::accelerator
