// SPDX-License-Identifier: Apache-2.0
// Module tree: the module of the user's network that a node belongs to.
//
// Three sources, in order of precedence:
//   1. the metadata that PyTorch's torch.export-based exporter attaches to a node:
//      `pkg.torch.onnx.name_scopes` "['', 'layer1', 'layer1.0', 'layer1.0.conv1', 'conv2d_1']"
//      or `namespace` ": Net/layer1: Sequential/layer1.0: Block/conv2d_1: aten.conv2d";
//   2. a scoped node name: "/layer1/layer1.0/conv1/Conv" (PyTorch's older exporter, tf2onnx);
//   3. the enclosing node: a node of a body belongs to its owner's module, a node of a function to
//      a module named after the call.
// Both exporters result in the same paths ("layer1/layer1.0/conv1"): a scope is identified by its
// last component, preceded by the component before it if the last is a number
// (torch/onnx/_internal, _unqualified_variable_name).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "graph/model.h"
#include "graph/name_map.h"

namespace ridge::graph {

/// Deeper scopes (of hostile names) are merged into their ancestor at this depth.
inline constexpr std::uint32_t kMaxModuleDepth = 64;
/// Limit on the length of a path, since every node prints the path of its module.
inline constexpr std::size_t kMaxModulePath = 4096;
/// Limit on the bytes of paths created here; beyond it new scopes are merged into their ancestor. A
/// real model needs kilobytes.
inline constexpr std::size_t kMaxModuleText = std::size_t{64} << 20;

class ModuleTree {
 public:
  /// `arena` must outlive the modules; it stores the paths that are not part of a node's name.
  /// `seed` affects only the hash tables.
  explicit ModuleTree(Arena& arena, std::uint64_t seed = 0);

  /// Reserves room for `modules` modules; take() releases the unused part.
  void reserve(std::size_t modules) { modules_.reserve(modules); }

  /// Returns the module of a node. `base`: module to which scoped names are relative (the root, or
  /// the call's module inside a function); `around`: module of the enclosing node, used if the node
  /// itself has no scope.
  ModuleId place(const onnx::Node& node, ModuleId base, ModuleId around);

  /// Returns the module that represents the body of a call.
  ModuleId of_call(const onnx::Node& call, ModuleId around);

  std::vector<Module> take() {
    // Untouched capacity takes no physical memory, and shrinking a mostly full vector would copy
    // it.
    if (modules_.size() < modules_.capacity() / 2) modules_.shrink_to_fit();
    return std::move(modules_);
  }

 private:
  /// Lifetime of a path text ('/'-separated, no empty components). kOwned: it outlives the tree.
  enum class Text { kTemporary, kOwned };
  ModuleId intern(std::string_view path, Text text);
  ModuleId find_or_add(std::string_view path, Text text);
  ModuleId above(std::string_view path, Text text);
  ModuleId below(ModuleId base, std::string_view relative);
  ModuleId from_metadata(const onnx::Node& node);

  /// Metadata shared by the nodes of one module: all but the node's own entry.
  struct Scopes {
    std::string_view text;
    ModuleId module;
  };

  Arena* arena_;
  std::uint64_t seed_;
  std::size_t copied_ = 0;
  std::vector<Module> modules_;
  std::vector<Scopes> scopes_;
  NameMap by_path_;    ///< indices into modules_
  NameMap by_scopes_;  ///< indices into scopes_
  std::string_view last_path_;
  ModuleId last_ = 0;
};

/// Parses a Python list of strings in repr() format; nullopt if the text is not such a list.
std::optional<std::vector<std::string>> parse_python_list(std::string_view text);

/// Shortens a scope: "layer1.0.conv1" -> "conv1", "layer1.0" -> "layer1.0".
std::string_view unqualified(std::string_view scope);

}  // namespace ridge::graph
