// SPDX-License-Identifier: Apache-2.0
#include "attribution/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ridge::attribution {
namespace {

/// Removes a decimal number from the front of `text` and returns it; kNone if there is none.
std::uint32_t take_number(std::string_view& text) {
  std::uint32_t number = graph::kNone;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return graph::kNone;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool ends_name(std::string_view rest) {
  return rest.empty() || rest.front() == '/' || rest.front() == '_';
}

bool in_name(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '.' || c == '/';
}

std::string value_text(const graph::Model& model, graph::ValueId id) {
  const std::string_view name = model.value(id).name;
  return name.empty() ? fmt::format("value #{}", id) : std::string(name);
}

/// Returns the model's own name for the copy's `name`; "" if it is not a name of the copy.
std::string original_name(const graph::Model& model, std::string_view name) {
  const Stem stem = stem_of(name);
  if (stem.whole && stem.node < model.nodes().size()) {
    const graph::Node& node = model.node(stem.node);
    const bool tensor = stem.output < node.outputs.size();
    if (tensor && node.outputs[stem.output] != graph::kNone)
      return value_text(model, node.outputs[stem.output]);
    return node.name.empty() ? fmt::format("{} #{}", node.op_type, stem.node)
                             : std::string(node.name);
  }
  const graph::ValueId value = value_named(name);
  return value < model.values().size() ? value_text(model, value) : std::string();
}

}  // namespace

std::string with_original_names(std::string_view text, const graph::Model& model) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && in_name(text[end])) ++end;
    std::string_view word = text.substr(at, std::max<std::size_t>(end - at, 1));
    // A '.' is part of names ("r17.0") and also ends sentences: "in node r17." names r17.
    while (word.size() > 1 && word.back() == '.') word.remove_suffix(1);
    const std::string original = original_name(model, word);
    out += original.empty() ? word : std::string_view(original);
    at += word.size();
  }
  return out;
}

std::string node_name(graph::NodeId node) { return fmt::format("r{}", node); }
std::string tensor_name(graph::NodeId node, std::size_t output) {
  return fmt::format("r{}.{}", node, output);
}
std::string constant_name(graph::ValueId value) { return fmt::format("w{}", value); }
std::string body_input_name(graph::ValueId value) { return fmt::format("b{}", value); }

std::string_view without_token(std::string_view name) {
  constexpr std::string_view kToken = "_token_";
  const std::size_t at = name.rfind(kToken);
  if (at == std::string_view::npos) return name;
  std::string_view rest = name.substr(at + kToken.size());
  if (take_number(rest) == graph::kNone || !rest.empty()) return name;
  return name.substr(0, at);
}

Stem stem_of(std::string_view name) {
  // Example: "r17.0_nchwc" is output 0 of node 17 with something behind it, so not the whole name;
  // "r17_token_3" is the whole name of node 17.
  std::string_view rest = without_token(name);
  if (rest.empty() || rest.front() != 'r') return {};
  rest.remove_prefix(1);
  Stem stem;
  stem.node = take_number(rest);
  if (stem.node == graph::kNone) return {};
  if (!rest.empty() && rest.front() == '.') {
    rest.remove_prefix(1);
    stem.output = take_number(rest);
    if (stem.output == graph::kNone) return {};
  }
  if (!ends_name(rest)) return {};
  stem.whole = rest.empty();
  return stem;
}

graph::ValueId value_named(std::string_view name) {
  if (name.empty() || (name.front() != 'w' && name.front() != 'b')) return graph::kNone;
  name.remove_prefix(1);
  const graph::ValueId value = take_number(name);
  return name.empty() ? value : graph::kNone;
}

/// True for "3:0" and the like, the names of edges in lists of layers.
bool is_edge(std::string_view name) {
  const std::size_t colon = name.find(':');
  return colon != std::string_view::npos &&
         name.find_first_not_of("0123456789:") == std::string_view::npos;
}

Error with_original_names(const Error& error, const graph::Model& model) {
  return Error(error.error_class(), error.code(), with_original_names(error.message(), model))
      .in(error.where())
      .in_file(error.file())
      .evidence(with_original_names(error.evidence(), model))
      .hint(error.hint());
}

bool reserved(std::string_view name) {
  if (name.starts_with("~") || is_edge(name)) return true;
  for (const std::string_view mark : {"_token_", "_nchwc", "/duplicated", "_branch_"})
    if (name.find(mark) != std::string_view::npos) return true;
  return name.empty() || stem_of(name).node != graph::kNone || value_named(name) != graph::kNone ||
         name.starts_with("ridge.");
}

}  // namespace ridge::attribution
