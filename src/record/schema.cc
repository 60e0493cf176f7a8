// SPDX-License-Identifier: Apache-2.0
#include "record/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/json_writer.h"
#include "record/scalar.h"

namespace ridge::record {
namespace {

bool is_written(const Field& f) { return f.in_documents(); }
bool is_always_written(const Field& f) { return is_written(f) && !f.sometimes(); }

std::string_view json_type(const Type& t) {
  switch (t.form) {
    case Form::kTruth:
      return "boolean";
    case Form::kInteger:
      return "integer";
    case Form::kReal:
      return "number";
    case Form::kText:
    case Form::kWord:
      return "string";
    case Form::kList:
      return "array";
    default:
      return t.positional ? "array" : "object";
  }
}

/// Types of a value, without null; one, except of a variant of scalars.
std::vector<std::string_view> json_types(const Type& t) {
  std::vector<std::string_view> out;
  if (t.form == Form::kEither)
    for (const Type* a : t.alternatives) out.push_back(json_type(*a));
  else
    out.push_back(json_type(t));
  return out;
}

/// Fields with those of inlined groups in their place, those of one name together: of a variant the
/// same name may be in several alternatives.
using SameNamed = std::vector<const Field*>;

void collect_fields(const Type& t, std::vector<SameNamed>& out) {
  for (const Field& f : t.fields()) {
    const auto same_name = [&](const SameNamed& other) { return other[0]->name == f.name; };
    if (f.inlined)
      collect_fields(*f.type, out);
    else if (!is_written(f))
      continue;
    else if (const auto found = std::ranges::find_if(out, same_name); found != out.end())
      found->push_back(&f);
    else
      out.push_back({&f});
  }
}

using Types = std::vector<const Type*>;

std::vector<SameNamed> fields_of(const Types& types) {
  std::vector<SameNamed> out;
  for (const Type* t : types) collect_fields(*t, out);
  return out;
}

/// A record, or the alternatives of a variant.
Types records_of(const Type& t) {
  if (t.form != Form::kOneOf) return {&t};
  return {t.alternatives.begin(), t.alternatives.end()};
}

bool is_tagged(const Type& t, const Field* rule) {
  return t.form == Form::kOneOf && (rule == nullptr || !rule->untagged);
}

/// Types of same-named fields that are all records; else none.
Types records_of(const SameNamed& fields) {
  Types out;
  for (const Field* f : fields) {
    const Type& t = present(*f->type);
    if (fields.size() > 1 && t.form == Form::kRecord && !t.positional) out.push_back(&t);
  }
  return out.size() == fields.size() ? out : Types();
}

class SchemaWriter {
 public:
  explicit SchemaWriter(JsonWriter& json) : json_(json) {}

  void document(const Type& t) {
    json_.begin_object();
    key("$schema").value("https://json-schema.org/draft/2020-12/schema");
    key("title").value(t.schema.empty() ? t.name : t.schema);
    key("description").value(t.text);
    body(t, nullptr, false);
    end();
  }

 private:
  JsonWriter& key(std::string_view name) { return json_.line().key(name); }
  void end() { json_.line().end_object(); }

  void member(const SameNamed& same) {
    const Field& f = *same[0];
    key(f.name).begin_object();
    json_.key("description").value(f.text);
    if (const Types records = records_of(same); !records.empty()) {
      types(*records[0], std::ranges::any_of(same, [](const Field* s) { return s->nullable(); }));
      object(records, "", {});
    } else {
      value(present(*f.type), &f, f.nullable());
    }
    json_.end_object();
  }

  void types(const Type& t, bool null) {
    std::vector<std::string_view> types = json_types(t);
    if (null) types.emplace_back("null");
    json_.key("type");
    if (types.size() == 1) {
      json_.value(types[0]);
      return;
    }
    json_.begin_array();
    for (const std::string_view type : types) json_.value(type);
    json_.end_array();
  }

  void bounds(const Field& rule) {
    if (std::isfinite(rule.least))
      json_.key(rule.above ? "exclusiveMinimum" : "minimum").value(rule.least);
    if (std::isfinite(rule.most)) json_.key("maximum").value(rule.most);
  }

  /// A document inside another has a schema of its own.
  void value(const Type& t, const Field* rule, bool null) {
    if (t.form == Form::kOptional) return value(*t.item, rule, true);
    if (t.schema.empty()) return body(t, rule, null);
    std::string file(t.schema);
    std::ranges::replace(file, '/', '.');
    file += ".json";
    if (!null) {
      json_.key("$ref").value(file);
      return;
    }
    json_.key("anyOf").begin_array();
    json_.begin_object().key("$ref").value(file).end_object();
    json_.begin_object().key("type").value("null").end_object();
    json_.end_array();
  }

  /// The keywords of a value's schema, in an object that is open.
  void body(const Type& t, const Field* rule, bool null) {
    if (t.form == Form::kJson) return;
    const std::vector<std::string> texts = allowed_texts(t, rule);
    if (!texts.empty() && t.form != Form::kOneOf) {
      json_.key("enum").begin_array();
      for (const std::string& text : texts) json_.value(text);
      if (null) json_.null();
      json_.end_array();
      return;
    }
    types(t, null || (t.form == Form::kReal && !(rule != nullptr && rule->known)));
    if (is_number(t) && rule != nullptr) bounds(*rule);
    if (t.form == Form::kList) list(t, rule);
    if (t.form == Form::kMap) item("additionalProperties", *t.item, rule);
    if (t.form == Form::kRecord && t.positional) positional(t);
    if ((t.form == Form::kRecord || t.form == Form::kOneOf) && !t.positional) object(t, rule);
  }

  void item(std::string_view keyword, const Type& t, const Field* rule = nullptr) {
    json_.key(keyword).begin_object();
    value(t, rule, false);
    json_.end_object();
  }

  void list(const Type& t, const Field* rule) {
    if (t.fixed)
      size(t.size / t.item->size);
    else if (rule != nullptr && rule->min_items > 0)
      json_.key("minItems").value(static_cast<std::int64_t>(rule->min_items));
    item("items", *t.item, rule);
  }

  void size(std::size_t n) {
    json_.key("minItems").value(static_cast<std::int64_t>(n));
    json_.key("maxItems").value(static_cast<std::int64_t>(n));
  }

  void positional(const Type& t) {
    size(t.field_count);
    const Type* first = t.fields()[0].type;
    if (std::ranges::all_of(t.fields(), [&](const Field& f) { return f.type == first; }))
      item("items", *first, &t.fields()[0]);
  }

  void object(const Type& t, const Field* rule) {
    const bool tagged = is_tagged(t, rule);
    object(records_of(t), t.schema, tagged ? t.alternatives : std::span<const Type* const>());
  }

  /// `tags`: alternatives that are told apart by the key "kind".
  void object(const Types& types, std::string_view schema, std::span<const Type* const> tags) {
    const std::vector<SameNamed> fields = fields_of(types);
    json_.key("required").begin_array();
    if (!schema.empty()) json_.value("schema");
    if (!tags.empty()) json_.value("kind");
    for (const SameNamed& same : fields)
      if (tags.empty() && same.size() == types.size() &&
          std::ranges::all_of(same, [](const Field* f) { return is_always_written(*f); }))
        json_.value(same[0]->name);
    json_.end_array();
    key("properties").begin_object();
    if (!schema.empty()) {
      key("schema").begin_object().key("const").value(schema);
      json_.key("description").value("name and version of this document").end_object();
    }
    if (!tags.empty()) {
      key("kind").begin_object().key("enum").begin_array();
      for (const Type* a : tags) json_.value(a->name);
      json_.end_array().key("description").value("which of them").end_object();
    }
    for (const SameNamed& same : fields) member(same);
    end();
  }

  JsonWriter& json_;
};

class Page {
 public:
  explicit Page(std::string& out) : out_(out) {}

  void rows(const Type& t, const std::string& prefix, const Field* rule = nullptr) {
    if (!t.schema.empty())
      row(path(prefix, "schema"), fmt::format("`\"{}\"`", t.schema),
          "name and version of this document");
    if (is_tagged(t, rule))
      row(path(prefix, "kind"), choices(allowed_texts(t, nullptr)), "which of them");
    rows(records_of(t), prefix);
  }

 private:
  static std::string path(const std::string& prefix, std::string_view key) {
    return prefix.empty() ? std::string(key) : fmt::format("{}.{}", prefix, key);
  }

  void rows(const Types& types, const std::string& prefix) {
    for (const SameNamed& same : fields_of(types)) {
      const Field& f = *same[0];
      row(path(prefix, f.name), type_of(f), f.text);
      if (const Types records = records_of(same); !records.empty())
        rows(records, path(prefix, f.name));
      else
        inner(*f.type, path(prefix, f.name), f);
    }
  }

  void inner(const Type& t, const std::string& path, const Field& rule) {
    if (t.form == Form::kOptional) return inner(*t.item, path, rule);
    if (t.form == Form::kList) return inner(*t.item, path + "[]", rule);
    if (t.form == Form::kMap) return inner(*t.item, path + ".NAME", rule);
    if (!t.positional && t.schema.empty()) rows(t, path, &rule);
  }

  void row(const std::string& path, std::string_view type, std::string_view text) {
    out_ += fmt::format("| `{}` | {} | {} |\n", path, type, text);
  }

  static std::string choices(const std::vector<std::string>& texts) {
    return fmt::format("`{}`", fmt::join(texts, "`, `"));
  }

  static std::string type_of(const Field& f) {
    const Type& t = present(*f.type);
    const std::vector<std::string> texts = allowed_texts(t, &f);
    if (t.form == Form::kJson) return "any";
    std::string own = texts.empty() || t.form == Form::kOneOf
                          ? fmt::format("{}", fmt::join(json_types(t), " or "))
                          : choices(texts);
    if (!f.nullable()) return own;
    return own + (own[0] == '`' ? ", null" : " or null");
  }

  std::string& out_;
};

}  // namespace

void write_schema(const Type& type, Sink& sink) {
  JsonWriter json(sink);
  SchemaWriter(json).document(type);
  sink.write("\n");
}

std::string schema_page(const Type& type) {
  std::string out = fmt::format("## {}\n\n{}\n\n| key | type | meaning |\n| --- | --- | --- |\n",
                                type.schema.empty() ? type.name : type.schema, type.text);
  Page(out).rows(type, "");
  return out;
}

}  // namespace ridge::record
