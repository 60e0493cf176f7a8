// The module tree: where in the user's own network a node stands.
//
// Three sources, the first that says something wins:
//   1. the metadata that PyTorch's torch.export-based exporter attaches to a node:
//      `pkg.torch.onnx.name_scopes` "['', 'layer1', 'layer1.0', 'layer1.0.conv1', 'conv2d_1']"
//      or `namespace` ": Net/layer1: Sequential/layer1.0: Block/conv2d_1: aten.conv2d";
//   2. a scoped node name: "/layer1/layer1.0/conv1/Conv" (PyTorch's older exporter, tf2onnx);
//   3. the node around it: a body's node stands where its owner does, a function's node in a module
//      named after the call.
// Both exporters lead to the same paths ("layer1/layer1.0/conv1"): a scope is known by its last
// part, and by the part before it too where the last is a number (torch/onnx/_internal,
// _unqualified_variable_name).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "graph/model.h"
#include "graph/name_map.h"

namespace ridge::graph {

/// Deeper scopes of hostile names join their ancestor at this depth.
inline constexpr std::uint32_t kMaxModuleDepth = 64;
/// Longer paths likewise: every node prints the path of its module.
inline constexpr std::size_t kMaxModulePath = 4096;
/// Bytes of paths made here; past it new scopes join their ancestor. A real model needs kilobytes.
inline constexpr std::size_t kMaxModuleText = std::size_t{64} << 20;

class ModuleTree {
 public:
  /// `arena` outlives the tree's modules and holds the paths that are no part of a node's name;
  /// `seed` varies the hash tables only.
  explicit ModuleTree(Arena& arena, std::uint64_t seed = 0);

  /// Room for as many modules; what is not used is given back by take().
  void reserve(std::size_t modules) { modules_.reserve(modules); }

  /// The module of a node. `base`: what scoped names are relative to (the root, or inside a
  /// function the call's module); `around`: the module of the enclosing node, taken where the node
  /// itself says nothing.
  ModuleId place(const onnx::Node& node, ModuleId base, ModuleId around);

  /// The module that stands for the inside of a call.
  ModuleId of_call(const onnx::Node& call, ModuleId around);

  std::vector<Module> take() {
    // Room that was never touched takes no memory, and to move a full table would for a while.
    if (modules_.size() < modules_.capacity() / 2) modules_.shrink_to_fit();
    return std::move(modules_);
  }

 private:
  /// '/'-separated, no empty parts; `owned`: the text outlives the tree.
  enum class Text { kTemporary, kOwned };
  ModuleId intern(std::string_view path, Text text);
  ModuleId find_or_add(std::string_view path, Text text);
  ModuleId above(std::string_view path, Text text);
  ModuleId below(ModuleId base, std::string_view relative);
  ModuleId from_metadata(const onnx::Node& node);

  /// What nodes of one module have in common: metadata up to the node's own entry.
  struct Scopes {
    std::string_view text;
    ModuleId module;
  };

  Arena* arena_;
  std::uint64_t seed_;
  std::size_t copied_ = 0;
  std::vector<Module> modules_;
  std::vector<Scopes> scopes_;
  NameMap by_path_;    ///< positions in modules_
  NameMap by_scopes_;  ///< positions in scopes_
  std::string_view last_path_;
  ModuleId last_ = 0;
};

/// The entries of a Python list of strings as repr() prints it; nullopt where the text is none.
std::optional<std::vector<std::string>> parse_python_list(std::string_view text);

/// "layer1.0.conv1" -> "conv1", "layer1.0" -> "layer1.0".
std::string_view unqualified(std::string_view scope);

}  // namespace ridge::graph
