// SPDX-License-Identifier: Apache-2.0
#include "graph/modules.h"

#include <algorithm>

namespace ridge::graph {
namespace {

/// Returns everything before the last '/', without leading '/': "/a/b/Conv" -> "a/b"; "Conv" -> "".
std::string_view scope_of(std::string_view name) {
  const std::size_t end = name.rfind('/');
  if (end == std::string_view::npos) return {};
  const std::size_t begin = name.find_first_not_of('/');
  return begin >= end ? std::string_view() : name.substr(begin, end - begin);
}

std::string_view leaf_of(std::string_view name) {
  const std::size_t end = name.rfind('/');
  return end == std::string_view::npos ? name : name.substr(end + 1);
}

/// Removes empty components: "a//b/" -> "a/b".
std::string squeeze(std::string_view path) {
  std::string out;
  for (const char c : path)
    if (c != '/' || (!out.empty() && out.back() != '/')) out += c;
  while (!out.empty() && out.back() == '/') out.pop_back();
  return out;
}

bool tidy(std::string_view path) {
  return path.empty() || (path.find("//") == std::string_view::npos && path.back() != '/');
}

/// Returns the ancestor into which a path is merged that exceeds the length or depth limit.
std::string_view within_limits(std::string_view path) {
  // no component is empty, so it is not too deep
  if (path.size() <= 2 * kMaxModuleDepth) return path;
  std::size_t end = 0;
  for (std::uint32_t depth = 0; depth < kMaxModuleDepth && end < path.size(); ++depth) {
    const std::size_t next = std::min(path.find('/', end + 1), path.size());
    if (next > kMaxModulePath) break;
    end = next;
  }
  return path.substr(0, end);
}

bool numeric(std::string_view part) {
  return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string_view property(const onnx::Node& node, std::string_view key) {
  for (const onnx::Property& p : node.metadata())
    if (p.key == key) return p.value;
  return {};
}

void append_part(std::string& path, std::string_view part) {
  if (part.empty()) return;
  if (!path.empty()) path += '/';
  for (const char c : part) path += c == '/' ? '_' : c;
}

/// Converts "['', 'net', 'net.0', 'linear']" to "net/net.0"; nullopt if it is not such a list.
std::optional<std::string> path_of_scopes(std::string_view text) {
  auto scopes = parse_python_list(text);
  if (!scopes || scopes->empty()) return std::nullopt;
  scopes->pop_back();  // the node's own entry
  std::string path;
  for (const std::string& scope : *scopes) append_part(path, unqualified(scope));
  return path;
}

/// Converts ": __main__.Net/net: torch.nn.Sequential/net.0: torch.nn.Linear/linear:
/// aten.linear.default" to "net/net.0".
std::string path_of_namespace(std::string_view text) {
  std::string path;
  for (std::size_t at = 0, slash = 0; (slash = text.find('/', at)) != std::string_view::npos;
       at = slash + 1) {
    const std::string_view entry = text.substr(at, slash - at);
    append_part(path, unqualified(entry.substr(0, entry.find(": "))));
  }
  return path;
}

}  // namespace

std::optional<std::vector<std::string>> parse_python_list(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::vector<std::string> items;
  for (std::size_t at = text.find_first_not_of(' '); at < text.size();
       at = text.find_first_not_of(" ,", at)) {
    const char quote = text[at++];
    if (quote != '\'' && quote != '"') return std::nullopt;
    std::string item;
    for (; at < text.size() && text[at] != quote; ++at) {
      if (text[at] == '\\' && at + 1 < text.size()) ++at;
      item += text[at];
    }
    if (at == text.size()) return std::nullopt;
    ++at;
    items.push_back(std::move(item));
  }
  return items;
}

std::string_view unqualified(std::string_view scope) {
  for (std::size_t end = scope.size(); end > 0;) {
    const std::size_t dot = scope.rfind('.', end - 1);
    const std::size_t begin = dot == std::string_view::npos ? 0 : dot + 1;
    if (!numeric(scope.substr(begin, end - begin)) || begin == 0) return scope.substr(begin);
    end = begin - 1;
  }
  return scope;
}

ModuleTree::ModuleTree(Arena& arena, std::uint64_t seed)
    : arena_(&arena), seed_(seed), modules_{Module{}} {}

ModuleId ModuleTree::place(const onnx::Node& node, ModuleId base, ModuleId around) {
  // Inside a function the metadata describes one call site only, so the call determines the module.
  if (base == 0 && !node.metadata().empty()) {
    const ModuleId module = from_metadata(node);
    if (module != kNone) return module;
  }
  const std::string_view scope = scope_of(node.name);
  if (scope.empty()) return around;
  if (base != 0) return below(base, scope);
  if (scope == last_path_) return last_;
  last_ = tidy(scope) ? intern(scope, Text::kOwned) : intern(squeeze(scope), Text::kTemporary);
  last_path_ = scope;
  return last_;
}

ModuleId ModuleTree::of_call(const onnx::Node& call, ModuleId around) {
  const std::string_view leaf = leaf_of(call.name);
  std::string part;
  append_part(part, leaf.empty() ? call.op_type.view() : leaf);
  return part.empty() ? around : below(around, part);
}

ModuleId ModuleTree::below(ModuleId base, std::string_view relative) {
  std::string path(modules_[base].path);
  if (!path.empty()) path += '/';
  path += relative;
  return intern(squeeze(path), Text::kTemporary);
}

ModuleId ModuleTree::from_metadata(const onnx::Node& node) {
  std::string_view text = property(node, "pkg.torch.onnx.name_scopes");
  const bool list = !text.empty();
  if (!list) text = property(node, "namespace");
  if (text.empty()) return kNone;
  // Nodes of one module differ only in their own entry, the last.
  const std::string_view key = text.substr(0, text.rfind(list ? ", " : "/"));
  const std::uint64_t hash = hash_name(key, seed_);
  const std::uint32_t known =
      by_scopes_.find(hash, [&](std::uint32_t i) { return scopes_[i].text == key; });
  if (known != NameMap::kAbsent) return scopes_[known].module;
  const std::optional<std::string> path = list ? path_of_scopes(text) : path_of_namespace(text);
  const ModuleId module = path ? intern(*path, Text::kTemporary) : kNone;
  by_scopes_.insert(hash, static_cast<std::uint32_t>(scopes_.size()));
  scopes_.push_back({key, module});
  return module;
}

ModuleId ModuleTree::intern(std::string_view path, Text text) {
  return find_or_add(within_limits(path), text);
}

/// Adds a path and its missing ancestors to the tree. Recursion depth: at most kMaxModuleDepth.
ModuleId ModuleTree::find_or_add(std::string_view path, Text text) {
  if (path.empty()) return 0;
  const std::uint64_t hash = hash_name(path, seed_);
  const ModuleId known = by_path_.find(hash, [&](ModuleId m) { return modules_[m].path == path; });
  if (known != NameMap::kAbsent) return known;
  if (text == Text::kTemporary && copied_ + path.size() <= kMaxModuleText) {
    copied_ += path.size();
    path = arena_->copy(path);
    text = Text::kOwned;
  }
  const ModuleId parent = above(path, text);
  if (text == Text::kTemporary) return parent;
  const auto id = static_cast<ModuleId>(modules_.size());
  modules_.push_back({path, parent, modules_[parent].depth + 1});
  by_path_.insert(hash, id);
  return id;
}

/// Returns the parent module of a path, usually the previous node's module or its parent.
ModuleId ModuleTree::above(std::string_view path, Text text) {
  const std::size_t slash = path.rfind('/');
  const std::string_view rest = path.substr(0, slash == std::string_view::npos ? 0 : slash);
  if (modules_[last_].path == rest) return last_;
  const ModuleId around = modules_[last_].parent;
  return around != kNone && modules_[around].path == rest ? around : find_or_add(rest, text);
}

}  // namespace ridge::graph
