// SPDX-License-Identifier: Apache-2.0
#include "ops/describe.h"

#include <algorithm>

#include "ops/describe_texts.h"
#include "ops/rule.h"

namespace ridge::ops {
namespace {

/// True if `name` is one of the space-separated words of `names`.
bool lists(std::string_view names, std::string_view name) {
  for (std::size_t at = 0; (at = names.find(name, at)) != std::string_view::npos; ++at) {
    const std::size_t end = at + name.size();
    if ((at == 0 || names[at - 1] == ' ') && (end == names.size() || names[end] == ' '))
      return true;
  }
  return false;
}

std::string_view first_of(std::string_view names) { return names.substr(0, names.find(' ')); }

const RuleText* named(std::span<const RuleText> texts, const Operator& op) {
  for (const RuleText& t : texts)
    if (t.domain == op.domain && lists(t.names, op.name)) return &t;
  return nullptr;
}

/// Returns the text for that name, else the text of an operator with the same shape rule.
const RuleText* find_text(std::span<const RuleText> texts, const Operator& op) {
  if (const RuleText* own = named(texts, op)) return own;
  for (const Operator* row : all()) {
    if (row->infer != op.infer) continue;
    if (const RuleText* shared = named(texts, *row)) return shared;
  }
  return nullptr;
}

}  // namespace

std::string_view shape_text(const Operator& op) {
  const RuleText* found = find_text(shape_texts(), op);
  return found == nullptr ? std::string_view() : found->text;
}

TrafficText traffic_text(const Operator& op) {
  if (op.kind == Kind::kControl) return {"what its bodies read", "what its bodies write"};
  if (const RuleText* own = named(traffic_texts(), op)) return {own->text, "each output once"};
  if (op.kind == Kind::kView) return {"nothing", "nothing"};
  if (op.traffic == touches_output)
    return {"as much as it writes, and all inputs but the first", "each output once"};
  if (op.traffic != nullptr) return {"what it touches, by a rule of its own", "each output once"};
  return {"each distinct input once, as stored", "each output once"};
}

Counting counting(const Operator& op) {
  if (op.kind == Kind::kControl) return Counting::kBodies;
  if (op.work != nullptr) return Counting::kCounted;
  return op.kind == Kind::kView ? Counting::kView : Counting::kMoves;
}

std::string example(const Operator& op) {
  const RuleText* found = find_text(example_texts(), op);
  if (found == nullptr) return {};
  std::string text(found->text);
  // The node is the last statement; its operator has the first of the names.
  const std::string_view written = first_of(found->names);
  std::string qualified(found->domain);
  if (!qualified.empty()) qualified += '.';
  qualified += written;
  const std::size_t at = text.rfind(qualified + "(");
  if (at == std::string::npos) return {};
  std::string wanted(op.domain);
  if (!wanted.empty()) wanted += '.';
  return text.replace(at, qualified.size(), wanted.append(op.name));
}

std::vector<const Operator*> versions(std::string_view domain, std::string_view name) {
  std::vector<const Operator*> rows;
  for (const Operator* row : all())
    if (row->domain == domain && row->name == name) rows.push_back(row);
  return rows;
}

}  // namespace ridge::ops
