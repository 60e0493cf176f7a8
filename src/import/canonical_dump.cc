// SPDX-License-Identifier: Apache-2.0
#include "import/canonical_dump.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "attribution/names.h"

namespace ridge::imports {
namespace {

using graph::kNone;

class Renamer {
 public:
  Renamer(const analysis::Resolved& resolved, const attribution::Canonical& copy) {
    const graph::Model& model = resolved.model();
    for (graph::NodeId n = 0; n < model.nodes().size(); ++n)
      put(nodes_, model.node(n).name, attribution::node_name(n));
    for (graph::ValueId v = 0; v < model.values().size(); ++v)
      put(tensors_, model.value(v).name, std::string(copy.value_name[v]));
  }

  CanonicalDump run(std::shared_ptr<const onnx::Document> dump) {
    auto out = std::make_shared<onnx::Document>();
    document_ = out.get();
    out->file = dump->file;
    out->path = dump->path;
    out->model = dump->model;
    out->model.graph = graph(dump->model.graph);
    // Texts and attributes that are not replaced still live in the dump.
    struct Both {
      std::shared_ptr<const onnx::Document> dump, renamed;
    };
    const auto both = std::make_shared<Both>(Both{std::move(dump), std::move(out)});
    return {std::shared_ptr<const onnx::Document>(both, both->renamed.get()), known_};
  }

 private:
  // Model name -> copy's name; "": ambiguous.
  using Names = std::unordered_map<std::string, std::string>;

  static void put(Names& names, std::string_view from, std::string to) {
    if (from.empty() || to.empty()) return;
    const auto [at, fresh] = names.try_emplace(std::string(from), to);
    if (!fresh && at->second != to) at->second.clear();
  }

  static std::string_view find(const Names& names, std::string_view name) {
    const auto at = names.find(std::string(name));
    return at == names.end() ? std::string_view() : std::string_view(at->second);
  }

  /// Name to keep; prefixed with "own:" where it could be mistaken for a name of the copy.
  static std::string own(std::string_view name) {
    const bool taken =
        attribution::stem_of(name).node != kNone || attribution::value_named(name) != kNone;
    return (taken ? "own:" : "") + std::string(name);
  }

  /// Replaces the longest known beginning of `name` by the copy's name and keeps the rest; looks
  /// among tensors first if `tensor`, else among nodes first. "" if no beginning is known.
  std::string renamed(std::string_view name, bool tensor) const {
    const auto of = [&](std::string_view stem) {
      const std::string_view a = find(tensor ? tensors_ : nodes_, stem);
      return a.empty() ? find(tensor ? nodes_ : tensors_, stem) : a;
    };
    if (const std::string_view whole = of(name); !whole.empty()) return std::string(whole);
    int tried = 0;
    for (std::size_t at = name.size(); at-- > 1 && tried < kPlaces;) {
      if (name[at] != '/' && name[at] != '_') continue;
      ++tried;
      if (const std::string_view stem = of(name.substr(0, at)); !stem.empty())
        return std::string(stem) + std::string(name.substr(at));
    }
    return "";
  }

  std::string tensor(std::string_view name) {
    if (name.empty()) return "";
    if (const std::string_view exact = find(tensors_, name); !exact.empty())
      return std::string(exact);
    // "_if_then_branch_T", "InsertedPrecisionFreeCast_T", "T/duplicated": the same forms as in
    // anchors.h.
    for (const std::string_view prefix :
         {"_if_then_branch_", "_if_else_branch_", "InsertedPrecisionFreeCast_"})
      if (name.starts_with(prefix))
        if (std::string rest = renamed(name.substr(prefix.size()), true); !rest.empty())
          return std::string(prefix) + rest;
    if (constexpr std::string_view kCopy = "/duplicated"; name.ends_with(kCopy))
      if (std::string rest = renamed(name, true); !rest.empty()) return rest;
    return own(name);
  }

  std::string node_name(std::string_view name) {
    constexpr std::string_view kFused = "fused ", kBlocked = "_nchwc";
    if (name.starts_with(kFused)) name.remove_prefix(kFused.size());
    const bool blocked = attribution::without_token(name).ends_with(kBlocked);
    std::string found = renamed(name, blocked);
    return found.empty() ? own(name) : found;
  }

  onnx::Node node(const onnx::Node& from) {
    Arena& arena = document_->arena;
    onnx::Node out = from;
    const std::string name = node_name(from.name);
    bool known = attribution::stem_of(name).node != kNone;
    out.name = arena.copy(name);
    std::vector<Text> inputs, outputs;
    for (const std::string_view v : from.inputs) inputs.push_back(arena.copy(tensor(v)));
    for (const std::string_view v : from.outputs) {
      known |= !find(tensors_, v).empty();
      outputs.push_back(arena.copy(tensor(v)));
    }
    known_ += known ? 1 : 0;
    out.inputs = arena.copy(inputs);
    out.outputs = arena.copy(outputs);
    std::vector<onnx::Attribute> attributes;
    bool bodies = false;
    for (onnx::Attribute a : from.attributes) {
      if (a.g != nullptr) {
        bodies = true;
        a.g = arena.copy(std::vector<onnx::Graph>{graph(*a.g)}).data();
      }
      attributes.push_back(a);
    }
    if (bodies) out.attributes = arena.copy(attributes);
    return out;
  }

  std::span<const onnx::ValueInfo> infos(std::span<const onnx::ValueInfo> from) {
    std::vector<onnx::ValueInfo> out(from.begin(), from.end());
    for (onnx::ValueInfo& v : out) v.name = document_->arena.copy(tensor(v.name));
    return document_->arena.copy(out);
  }

  /// Recursive; the reader has bounded the nesting depth of the dump.
  onnx::Graph graph(const onnx::Graph& from) {
    Arena& arena = document_->arena;
    onnx::Graph out = from;
    const auto nodes = arena.array<onnx::Node>(from.nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = node(from.nodes[i]);
    out.nodes = nodes;
    std::vector<onnx::Tensor> constants(from.initializers.begin(), from.initializers.end());
    for (onnx::Tensor& t : constants) t.name = arena.copy(tensor(t.name));
    out.initializers = arena.copy(constants);
    out.inputs = infos(from.inputs);
    out.outputs = infos(from.outputs);
    out.value_info = {};
    return out;
  }

  static constexpr int kPlaces = 64;

  Names nodes_, tensors_;
  onnx::Document* document_ = nullptr;
  std::size_t known_ = 0;
};

}  // namespace

CanonicalDump canonical_dump(std::shared_ptr<const onnx::Document> dump,
                             const analysis::Resolved& resolved,
                             const attribution::Canonical& copy) {
  return Renamer(resolved, copy).run(std::move(dump));
}

}  // namespace ridge::imports
