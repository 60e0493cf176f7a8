// SPDX-License-Identifier: Apache-2.0
#include "record/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/list.h"
#include "base/text.h"
#include "record/json_read.h"
#include "record/json_write.h"
#include "record/scalar.h"
#include "record/unknown_key.h"

namespace ridge::record {
namespace {

constexpr std::size_t kShownBytes = 40;

/// A list whose items have no commas of their own.
bool is_plain_list(const Type& t) {
  return t.form == Form::kList && is_scalar(*t.item) && t.item->form != Form::kText;
}

bool is_map_of_values(const Type& t) {
  return t.form == Form::kMap && (is_scalar(*t.item) || is_plain_list(*t.item));
}

/// Its members are settings of their own.
bool is_split(const Type& t) {
  return t.form == Form::kRecord || t.form == Form::kOneOf || is_map_of_values(t);
}

std::string value_text(const Type& t, const void* v) {
  if (is_scalar(t)) return scalar_text(t, v);
  if (!is_plain_list(t)) return json_text(t, v);
  std::string out;
  for (std::size_t i = 0; i < t.count(v); ++i)
    out += (i == 0 ? "" : ",") + scalar_text(*t.item, t.at_const(v, i));
  return out;
}

void write(const Type& t, const void* v, const std::string& name, std::vector<Setting>& out) {
  const auto below = [&](std::string_view key) {
    return name.empty() ? std::string(key) : fmt::format("{}.{}", name, key);
  };
  switch (t.form) {
    case Form::kOptional:
      if (t.count(v) > 0) write(*t.item, t.at_const(v, 0), name, out);
      return;
    case Form::kOneOf: {
      const Type& chosen = *t.alternatives[t.count(v)];
      out.push_back({below("kind"), std::string(chosen.name)});
      return write(chosen, t.at_const(v, 0), name, out);
    }
    case Form::kRecord:
      for (const Field& f : t.fields())
        if (!f.computed() && !left_out(f, v, t) && !is_null(f, v))
          f.read(v, [&](const void* value) {
            write(*f.type, value, f.inlined ? name : below(f.name), out);
          });
      return;
    default:
      if (!is_map_of_values(t)) return out.push_back({name, value_text(t, v)});
      t.keys(v, [&](std::string_view key, const void* item) {
        out.push_back({below(key), value_text(*t.item, item)});
      });
  }
}

bool read_list(const Type& t, const Field* rule, std::string_view text, void* out) {
  const bool fixed = t.resize == nullptr;
  const std::size_t most = fixed ? t.count(out) : rule == nullptr ? SIZE_MAX : rule->max_items;
  std::size_t n = 0;
  if (!fixed) t.resize(out, 0);
  const std::size_t least = fixed ? most : rule == nullptr ? 0 : rule->min_items;
  if (text.empty()) return n >= least;
  for (const std::string_view part : split(text)) {
    if (n == most) return false;
    if (!fixed) t.resize(out, n + 1);
    if (!read_scalar(*t.item, rule, part, t.at(out, n++))) return false;
  }
  return n >= least;
}

/// Sets one value, found by its name.
class Setter {
 public:
  Setter(std::string_view name, std::string_view value) : name_(name), value_(value) {}

  /// False if no member has the name.
  Result<bool> into(const Type& t, void* out, std::string_view name) {
    if (t.form == Form::kRecord) return record(t, out, name);
    if (t.form == Form::kOneOf) {
      if (name != "kind") return record(*t.alternatives[t.count(out)], t.at(out, 0), name);
      for (std::size_t i = 0; i < t.alternatives.size(); ++i)
        if (t.alternatives[i]->name == value_) return t.resize(out, i), true;
      return refused(t, nullptr);
    }
    void* item = nullptr;
    t.keys(out, [&](std::string_view key, const void* old) {
      if (key == name) item = const_cast<void*>(old);
    });
    if (item == nullptr) item = t.insert(out, name);
    return value(*t.item, item, nullptr) ? Result<bool>(true) : refused(*t.item, nullptr);
  }

 private:
  Result<bool> record(const Type& t, void* out, std::string_view name) {
    for (const Field& f : t.fields()) {
      if (f.computed()) continue;
      if (f.inlined) {
        if (TRY(record(*f.type, f.member(out), name))) return true;
        continue;
      }
      if (!name.starts_with(f.name)) continue;
      const std::string_view rest = name.substr(f.name.size());
      const bool split = is_split(present(*f.type));
      if (rest.empty() ? split : !(split && rest[0] == '.')) continue;
      if (f.command_line_only) return only_command_line(name_);
      Result<bool> inner = true;
      TRY(f.write(out, [&](void* value) {
        inner = split ? member(f, value, rest.substr(1)) : member(f, value, std::nullopt);
        return inner.ok() && *inner;
      }));
      return inner;
    }
    return false;
  }

  /// `inner`: name of a member of the field's value; nullopt: the value itself.
  Result<bool> member(const Field& f, void* out, std::optional<std::string_view> inner) {
    const Type& t = present(*f.type);
    if (f.type->form == Form::kOptional) {
      if (value_.empty() && is_scalar(t) && t.form != Form::kText)
        return f.type->resize(out, 0), true;
      if (f.type->count(out) == 0) f.type->resize(out, 1);
      out = f.type->at(out, 0);
    }
    if (inner) return into(t, out, *inner);
    return value(t, out, &f) ? Result<bool>(true) : refused(t, &f);
  }

  bool value(const Type& t, void* out, const Field* rule) const {
    // Other forms could not hold it.
    if (valid_utf8(value_) != value_) return false;
    if (is_scalar(t)) return read_scalar(t, rule, value_, out);
    if (is_plain_list(t)) return read_list(t, rule, value_, out);
    return read_json(value_, t, out, {}).ok();
  }

  Error refused(const Type& t, const Field* rule) const {
    std::string wanted = expected(t, rule);
    if (is_plain_list(t)) wanted = expected(*t.item, rule) + ", separated by commas,";
    if (t.form == Form::kOneOf)
      wanted = fmt::format("one of {}", fmt::join(allowed_texts(t, nullptr), ", "));
    return input_error(
        "RIDGE-REC-0009",
        fmt::format("'{}' cannot be '{}': {} expected", shorten(printable(name_), kShownBytes),
                    shorten(printable(value_), kShownBytes), wanted));
  }

  std::string_view name_, value_;
};

void add_names(const Type& t, const std::string& prefix, std::vector<std::string>& out) {
  for (const Type* a : t.alternatives) add_names(*a, prefix, out);
  for (const Field& f : t.fields()) {
    const Type& inner = present(*f.type);
    const std::string name = prefix + std::string(f.name);
    if (f.computed() || !f.in_documents()) continue;
    if (f.inlined)
      add_names(inner, prefix, out);
    else if (!is_split(inner))
      out.push_back(name);
    else if (inner.form == Form::kMap)
      out.push_back(name + ".NAME");
    else
      add_names(inner, name + '.', out);
    if (inner.form == Form::kOneOf) out.push_back(name + ".kind");
  }
}

}  // namespace

std::vector<Setting> settings(const Type& type, const void* record) {
  std::vector<Setting> out;
  write(type, record, "", out);
  return out;
}

Result<void> set(const Type& type, void* record, std::string_view name, std::string_view value) {
  if (valid_utf8(name) == name && TRY(Setter(name, value).into(type, record, name))) return {};
  return unknown_name(name, setting_names(type));
}

std::vector<std::string> setting_names(const Type& type) {
  std::vector<std::string> out;
  add_names(type, "", out);
  return out;
}

}  // namespace ridge::record
