// SPDX-License-Identifier: Apache-2.0
#include "record/json_read.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/number.h"
#include "base/suggest.h"
#include "base/text.h"
#include "record/scalar.h"
#include "record/unknown_key.h"

namespace ridge::record {
namespace {

using Kind = JsonNode::Kind;

constexpr std::size_t kShown = 40;

std::string shown(std::string_view text) { return shorten(printable(text), kShown); }

Error invalid(std::string message) { return input_error("RIDGE-REC-0002", std::move(message)); }

/// The keys of an object, found fastest in the order of the text.
class Keys {
 public:
  Keys(const JsonTree& tree, std::uint32_t object)
      : tree_(tree), first_(object + 1), end_(tree[object].end), next_(first_) {}

  /// Node of the key's value.
  std::optional<std::uint32_t> find(std::string_view name) {
    if (next_ == end_ || !tree_.is(next_, name)) {
      for (next_ = first_; next_ != end_ && !tree_.is(next_, name);) next_ = tree_[next_ + 1].end;
      if (next_ == end_) return next_ = first_, std::nullopt;
    }
    const std::uint32_t value = next_ + 1;
    next_ = tree_[value].end;
    return value;
  }
  template <typename Visit>
  void each(Visit visit) const {
    for (std::uint32_t at = first_; at != end_; at = tree_[at + 1].end) visit(at);
  }

 private:
  const JsonTree& tree_;
  std::uint32_t first_, end_, next_;
};

const Field* field_named(const Type& t, std::string_view name) {
  for (const Field& f : t.fields()) {
    if (f.inlined) {
      if (const Field* inner = field_named(*f.type, name)) return inner;
    } else if (f.name == name && !f.column_only) {
      return &f;
    }
  }
  return nullptr;
}

/// The name of a document's kind and its version: "ridge.evaluation", 1.
std::pair<std::string_view, std::optional<std::uint32_t>> schema_parts(std::string_view schema) {
  const std::size_t slash = schema.rfind('/');
  if (slash == std::string_view::npos) return {schema, std::nullopt};
  return {schema.substr(0, slash), whole_number<std::uint32_t>(schema.substr(slash + 1))};
}

class JsonReader {
 public:
  JsonReader(const JsonTree& tree, Reading::Of of, const std::vector<Place>& places)
      : tree_(tree), of_(of), places_(places) {}

  Result<void> read(const Type& t, void* out) {
    (void)value(t, 0, out, nullptr);
    if (failure_) return std::move(*failure_);
    return {};
  }

 private:
  /// A part of the path: a field, the node of a key, or an index.
  struct Step {
    std::string_view field;
    std::uint32_t key = 0;
    std::size_t index = 0;
  };

  std::string path() const {
    std::string out;
    for (const Step& s : path_) {
      if (s.field.empty() && s.key == 0)
        out += fmt::format("[{}]", s.index);
      else
        out += (out.empty() ? "" : ".") + (s.key == 0 ? std::string(s.field) : key_shown(s.key));
    }
    return out;
  }

  std::string key_shown(std::uint32_t key) const {
    const std::string text = shown(tree_.text(key));
    return text.empty() ? "\"\"" : text;
  }

  bool fail(std::uint32_t node, Error error) {
    std::string where = path();
    if (!places_.empty() && node > 0) where += (where.empty() ? "" : ", ") + places_[node].text();
    failure_ = where.empty() ? std::move(error) : std::move(error).in(where);
    return false;
  }

  /// People are told what the key is.
  Error explained(Error error, const Field* rule) const {
    if (of_ != Reading::Of::kPeople || rule == nullptr || rule->text.empty()) return error;
    return std::move(error).hint(std::string(rule->text));
  }

  bool wrong(const Type& t, std::uint32_t node, const Field* rule) {
    const Type& inner = present(t);
    const Kind kind = tree_[node].kind;
    const bool number = kind == Kind::kInteger || kind == Kind::kReal;
    // A number of TOML that JSON does not have.
    std::string got(kind == Kind::kNull && !places_.empty() ? "nan or inf" : name(kind));
    if (number && is_number(inner)) got = shown(tree_.raw(node));
    if (kind == Kind::kText && (inner.form == Form::kText || inner.form == Form::kWord))
      got = "'" + shown(tree_.text(node)) + "'";
    Error error = invalid(fmt::format("{} expected, got {}", expected(t, rule), got));
    const std::vector<std::string> near =
        kind == Kind::kText ? near_names(tree_.text(node), allowed_texts(inner, rule))
                            : std::vector<std::string>();
    if (!near.empty()) error = std::move(error).hint(fmt::format("did you mean '{}'?", near[0]));
    return fail(node, near.empty() ? explained(std::move(error), rule) : std::move(error));
  }

  bool value(const Type& t, std::uint32_t node, void* out, const Field* rule) {
    switch (t.form) {
      case Form::kJson:
        return json(node, static_cast<Json*>(out)->text);
      case Form::kOptional:
        if (tree_[node].kind == Kind::kNull) return t.resize(out, 0), true;
        if (t.count(out) == 0) t.resize(out, 1);
        return value(*t.item, node, t.at(out, 0), rule);
      case Form::kList:
        return list(t, node, out, rule);
      case Form::kMap:
        return map(t, node, out, rule);
      case Form::kRecord:
        return t.positional ? positional(t, node, out) : record(t, node, out, {});
      case Form::kOneOf:
        return one_of(t, node, out);
      case Form::kEither:
        return either(t, node, out, rule);
      default:
        return scalar(t, node, out, rule) || wrong(t, node, rule);
    }
  }

  bool json(std::uint32_t node, std::string& out) {
    const std::string_view raw = tree_.raw(node);
    const bool text = tree_[node].kind == Kind::kText;
    if (text && !places_.empty()) {
      // TOML holds it as text.
      out = tree_.text(node);
      auto inner = JsonTree::parse(out, {});
      return inner.ok() || fail(node, std::move(inner).error());
    }
    out = raw;
    if (text) out = '"' + out + '"';
    if (tree_[node].kind == Kind::kNull) out.clear();
    return true;
  }

  bool scalar(const Type& t, std::uint32_t node, void* out, const Field* rule) {
    switch (tree_[node].kind) {
      case Kind::kNull:
        if (t.form != Form::kReal || (rule != nullptr && rule->known)) return false;
        return put_nan(t, out), true;
      case Kind::kTruth:
        return t.form == Form::kTruth && read_scalar(t, rule, tree_.raw(node), out);
      case Kind::kInteger:
      case Kind::kReal:
        return number(t, tree_.raw(node), out, rule);
      case Kind::kText:
        if (t.form == Form::kInteger && t.size == 8 && !places_.empty())
          return read_scalar(t, rule, tree_.text(node), out);
        return put(t, tree_[node].escaped ? tree_.text(node) : tree_.raw(node), out, rule);
      default:
        return false;
    }
  }

  static bool number(const Type& t, std::string_view digits, void* out, const Field* rule) {
    if (t.form == Form::kInteger && read_scalar(t, rule, digits, out)) return true;
    if (!is_number(t)) return false;
    // 1e3 and 1000.0 are integers too.
    const auto number = finite_number(digits);
    return number && put(t, *number, out, rule);
  }

  /// The first alternative that the value is.
  bool either(const Type& t, std::uint32_t node, void* out, const Field* rule) {
    for (std::size_t i = 0; i < t.alternatives.size(); ++i) {
      t.resize(out, i);
      if (scalar(*t.alternatives[i], node, t.at(out, 0), rule)) return true;
    }
    return wrong(t, node, rule);
  }

  bool list(const Type& t, std::uint32_t node, void* out, const Field* rule) {
    if (tree_[node].kind != Kind::kList) return wrong(t, node, rule);
    const bool fixed = t.resize == nullptr;
    const std::size_t most = fixed ? t.count(out) : rule == nullptr ? SIZE_MAX : rule->max_items;
    if (!fixed) t.resize(out, 0);
    path_.emplace_back();
    std::size_t n = 0;
    std::uint32_t at = node + 1;
    for (; at != tree_[node].end && n < most; at = tree_[at].end, ++n) {
      // Grown with what was read: a list costs memory in proportion to its text.
      if (!fixed) t.resize(out, n + 1);
      path_.back().index = n;
      if (!value(*t.item, at, t.at(out, n), rule)) return false;
    }
    path_.pop_back();
    const bool all = at == tree_[node].end && (!fixed || n == most);
    if (!all) return too_many(node, fixed, most);
    return rule == nullptr || n >= rule->min_items || too_few(node, *rule, n);
  }

  std::size_t children(std::uint32_t list) const {
    std::size_t n = 0;
    for (std::uint32_t at = list + 1; at != tree_[list].end; at = tree_[at].end) ++n;
    return n;
  }

  bool too_many(std::uint32_t node, bool fixed, std::size_t most) {
    return fail(node, invalid(fmt::format("{}{} values expected, got {}", fixed ? "" : "at most ",
                                          most, children(node))));
  }

  bool too_few(std::uint32_t node, const Field& rule, std::size_t n) {
    const auto least = static_cast<std::int64_t>(rule.min_items);
    return fail(
        node,
        explained(invalid(fmt::format("at least {} expected, got {}", counted(least, "value"), n)),
                  &rule));
  }

  bool map(const Type& t, std::uint32_t node, void* out, const Field* rule) {
    if (tree_[node].kind != Kind::kObject) return wrong(t, node, rule);
    t.clear(out);
    std::vector<std::pair<std::string, std::uint32_t>> names;
    path_.emplace_back();
    for (std::uint32_t at = node + 1; at != tree_[node].end; at = tree_[at + 1].end) {
      path_.back().key = at;
      if (rule != nullptr && t.count(out) == rule->max_items)
        return path_.pop_back(),
               fail(node, invalid(fmt::format("more than {} names", rule->max_items)));
      void* item = t.insert(out, tree_.text(at));
      if (item == nullptr) return fail(at, invalid("a name occurs twice"));
      if (!value(*t.item, at + 1, item, rule)) return false;
      if (t.in_order) names.emplace_back(tree_.text(at), at);
    }
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names, {}, &decltype(names)::value_type::first);
    if (twice == names.end()) return path_.pop_back(), true;
    path_.back().key = std::next(twice)->second;
    return fail(std::next(twice)->second, invalid("a name occurs twice"));
  }

  bool positional(const Type& t, std::uint32_t node, void* out) {
    if (tree_[node].kind != Kind::kList) return wrong(t, node, nullptr);
    if (children(node) != t.field_count) return too_many(node, true, t.field_count);
    path_.emplace_back();
    std::uint32_t at = node + 1;
    for (const Field& f : t.fields()) {
      if (!member(f, at, out)) return false;
      at = tree_[at].end;
      ++path_.back().index;
    }
    path_.pop_back();
    return checked(t, node, out);
  }

  bool checked(const Type& t, std::uint32_t node, void* out) {
    if (t.check == nullptr) return true;
    Result<void> right = t.check(out);
    return right.ok() || fail(node, std::move(right).error());
  }

  bool one_of(const Type& t, std::uint32_t node, void* out) {
    if (tree_[node].kind != Kind::kObject) return wrong(t, node, nullptr);
    const auto kind = Keys(tree_, node).find("kind");
    if (!kind) return missing(node, "kind");
    for (std::size_t i = 0; i < t.alternatives.size(); ++i) {
      if (tree_[*kind].kind != Kind::kText || !tree_.is(*kind, t.alternatives[i]->name)) continue;
      t.resize(out, i);
      return record(*t.alternatives[i], node, t.at(out, 0), "kind");
    }
    path_.push_back({"kind"});
    const std::string given = tree_[*kind].kind == Kind::kText
                                  ? "'" + shown(tree_.text(*kind)) + "'"
                                  : std::string(name(tree_[*kind].kind));
    return fail(*kind, invalid(fmt::format("one of {} expected, got {}",
                                           fmt::join(allowed_texts(t, nullptr), ", "), given)));
  }

  /// `tag`: a key that is no field.
  bool record(const Type& t, std::uint32_t node, void* out, std::string_view tag) {
    if (tree_[node].kind != Kind::kObject) return wrong(t, node, nullptr);
    Keys keys(tree_, node);
    if (!t.schema.empty() && !schema(t, node, keys)) return false;
    if (of_ == Reading::Of::kPeople && !all_known(t, keys, tag)) return false;
    return group(t, node, out, keys) && checked(t, node, out);
  }

  bool group(const Type& t, std::uint32_t node, void* out, Keys& keys) {
    const Field* absent = nullptr;
    for (const Field& f : t.fields()) {
      if (f.inlined) {
        if (!group(*f.type, node, f.member(out), keys)) return false;
        continue;
      }
      if (f.computed() || !f.in_documents()) continue;
      const auto found = keys.find(f.name);
      if (!found && needed(f) && absent == nullptr) absent = &f;
      if (!found) continue;
      path_.push_back({f.name});
      if (!member(f, *found, out)) return false;
      path_.pop_back();
    }
    // Faults of what is there come first.
    return absent == nullptr || missing(node, absent->name, absent);
  }

  bool needed(const Field& f) const {
    if (of_ == Reading::Of::kPeople) return f.required;
    return f.type->form != Form::kOptional && !f.or_default && !f.sometimes() && f.since == 1;
  }

  bool member(const Field& f, std::uint32_t node, void* owner) {
    const bool null = tree_[node].kind == Kind::kNull;
    if (f.computed() || (null && (f.applies != nullptr || f.stands != nullptr))) return true;
    Result<void> set = f.write(owner, [&](void* value_of) {
      if (null && f.zero_is_null && !(f.known && of_ == Reading::Of::kPeople))
        return make_zero(*f.type, value_of), true;
      return value(*f.type, node, value_of, &f);
    });
    return failure_ ? false : set.ok() || fail(node, std::move(set).error());
  }

  bool missing(std::uint32_t node, std::string_view key, const Field* rule = nullptr) {
    Error error = input_error("RIDGE-REC-0004", fmt::format("key '{}' is missing", key));
    return fail(node, explained(std::move(error), rule));
  }

  bool all_known(const Type& t, const Keys& keys, std::string_view tag) {
    std::vector<std::string> seen;
    keys.each([&](std::uint32_t at) {
      if (failure_) return;
      const std::string key = tree_.text(at);
      const Field* known = field_named(t, key);
      path_.push_back({{}, at});
      if (known != nullptr && known->command_line_only)
        fail(at, only_command_line(key));
      else if (known == nullptr && key != tag && (key != "schema" || t.schema.empty()))
        fail(at, unknown_key(t, key));
      else if (std::ranges::find(seen, key) != seen.end())
        fail(at, invalid("the key occurs twice"));
      path_.pop_back();
      seen.push_back(key);
    });
    return !failure_;
  }

  bool schema(const Type& t, std::uint32_t node, Keys& keys) {
    const auto found = keys.find("schema");
    if (!found) return of_ == Reading::Of::kPeople || missing(node, "schema");
    const std::string given = tree_[*found].kind == Kind::kText ? tree_.text(*found) : "";
    if (given == t.schema) return true;
    const auto [kind, version] = schema_parts(given);
    const auto [own_kind, own_version] = schema_parts(t.schema);
    if (kind == own_kind && version && version > own_version)
      return fail(node,
                  input_error("RIDGE-REC-0005", fmt::format("the document is {}, newer than {}",
                                                            shown(given), t.schema))
                      .hint("read it with a newer ridge"));
    return fail(node, input_error("RIDGE-REC-0005", fmt::format("the document is '{}', {} expected",
                                                                shown(given), t.schema)));
  }

  const JsonTree& tree_;
  Reading::Of of_;
  const std::vector<Place>& places_;
  std::vector<Step> path_;
  std::optional<Error> failure_;
};

}  // namespace

Error only_command_line(std::string_view name) {
  return input_error("RIDGE-REC-0006",
                     fmt::format("no file decides '{}': it says which code is loaded", name))
      .hint("leave it out, and state it on the command line");
}

Result<void> read_tree(const JsonTree& tree, const Type& type, void* out, Reading::Of of,
                       const std::vector<Place>& places) {
  return JsonReader(tree, of, places).read(type, out);
}

Result<void> read_json(std::string_view text, const Type& type, void* out, const Reading& reading) {
  const JsonTree tree = TRY(JsonTree::parse(text, reading.limits));
  return read_tree(tree, type, out, reading.of, {});
}

}  // namespace ridge::record
