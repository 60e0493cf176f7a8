// SPDX-License-Identifier: Apache-2.0
#include "compare/group_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace ridge::compare {
namespace {

using profile::Node;

constexpr std::size_t kShownTypes = 5;

std::string_view last_step(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Returns the node's submodule below `module` if it has one, else the last component of its name.
std::string part_name(const Node& node, std::string_view module) {
  if (node.module.size() > module.size()) {
    std::string_view rest = std::string_view(node.module).substr(module.size());
    if (rest.starts_with('/')) rest.remove_prefix(1);
    if (!rest.empty()) return short_module(rest);
  }
  const std::string_view own = last_step(node.name);
  return own.empty() ? fmt::format("{}#{}", node.op_type, node.index) : std::string(own);
}

/// Names in order of appearance, without duplicates.
class NameParts {
 public:
  void add(std::string part) {
    if (seen_.insert(part).second) parts_.push_back(std::move(part));
  }
  bool empty() const { return parts_.empty(); }
  std::string text() const {
    const auto shown = static_cast<std::ptrdiff_t>(std::min(kShownTypes, parts_.size()));
    std::string out = fmt::format("{}", fmt::join(parts_.begin(), parts_.begin() + shown, " + "));
    if (parts_.size() > kShownTypes) out += fmt::format(" + {} more", parts_.size() - kShownTypes);
    return out;
  }

 private:
  std::vector<std::string> parts_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

std::string common_module(const std::vector<const Node*>& nodes) {
  if (nodes.empty()) return "";
  std::string_view common = nodes[0]->module;
  const auto holds = [](std::string_view outer, std::string_view inner) {
    return outer.empty() || inner == outer ||
           (inner.starts_with(outer) && inner[outer.size()] == '/');
  };
  for (const Node* n : nodes)
    while (!holds(common, n->module)) {
      const std::size_t slash = common.rfind('/');
      common = slash == std::string_view::npos ? "" : common.substr(0, slash);
    }
  return std::string(common);
}

std::string short_module(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view step = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    const bool repeated =
        path.starts_with(step) && path.size() > step.size() && path[step.size()] == '.';
    if (!repeated) out += (out.empty() ? "" : "/") + std::string(step);
  }
  return out;
}

std::string group_name(const std::vector<const Node*>& nodes, std::string_view module) {
  NameParts parts;
  for (const Node* n : nodes) parts.add(part_name(*n, module));
  return parts.text();
}

std::string group_label(const std::vector<const profile::Node*>& nodes) {
  const std::string module = common_module(nodes), inside = short_module(module);
  return (inside.empty() ? "" : inside + ": ") + group_name(nodes, module);
}

std::string group_operator(const std::vector<const Node*>& nodes) {
  NameParts working, all;
  for (const Node* n : nodes) {
    all.add(n->op_type);
    if (n->work.macs.value_or(0) > 0) working.add(n->op_type);
  }
  return working.empty() ? all.text() : working.text();
}

}  // namespace ridge::compare
