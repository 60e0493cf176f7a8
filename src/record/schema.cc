#include "record/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/json_writer.h"
#include "record/scalar.h"

namespace ridge::record {
namespace {

bool is_written(const Field& f) { return !f.command_line_only; }
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

/// Fields with those of inlined groups in their place; of a variant those of all alternatives, each
/// name once.
void collect_fields(const Type& t, std::vector<const Field*>& out) {
  for (const Type* a : t.alternatives) collect_fields(*a, out);
  for (const Field& f : t.fields()) {
    const auto same_name = [&](const Field* other) { return other->name == f.name; };
    if (f.inlined)
      collect_fields(*f.type, out);
    else if (is_written(f) && std::ranges::none_of(out, same_name))
      out.push_back(&f);
  }
}

std::vector<const Field*> fields_of(const Type& t) {
  std::vector<const Field*> out;
  collect_fields(t, out);
  return out;
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

  void member(const Field& f) {
    key(f.name).begin_object();
    json_.key("description").value(f.text);
    value(present(*f.type), &f, f.nullable());
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
    if (t.schema.empty()) return body(t, rule, null);
    std::string file(t.schema);
    std::ranges::replace(file, '/', '.');
    json_.key("$ref").value(file + ".json");
  }

  /// The keywords of a value's schema, in an object that is open.
  void body(const Type& t, const Field* rule, bool null) {
    if (t.form == Form::kOptional) return body(*t.item, rule, true);
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
    if ((t.form == Form::kRecord || t.form == Form::kOneOf) && !t.positional) object(t);
  }

  void item(std::string_view keyword, const Type& t, const Field* rule = nullptr) {
    json_.key(keyword).begin_object();
    value(t, rule, false);
    json_.end_object();
  }

  void list(const Type& t, const Field* rule) {
    if (t.fixed) size(t.size / t.item->size);
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

  void object(const Type& t) {
    const std::vector<const Field*> fields = fields_of(t);
    const bool variant = t.form == Form::kOneOf;
    json_.key("required").begin_array();
    if (!t.schema.empty()) json_.value("schema");
    if (variant) json_.value("kind");
    for (const Field* f : fields)
      if (!variant && is_always_written(*f)) json_.value(f->name);
    json_.end_array();
    key("properties").begin_object();
    if (!t.schema.empty()) {
      key("schema").begin_object().key("const").value(t.schema);
      json_.key("description").value("name and version of this document").end_object();
    }
    if (variant) {
      key("kind").begin_object().key("enum").begin_array();
      for (const Type* a : t.alternatives) json_.value(a->name);
      json_.end_array().key("description").value("which of them").end_object();
    }
    for (const Field* f : fields) member(*f);
    end();
  }

  JsonWriter& json_;
};

class Page {
 public:
  explicit Page(std::string& out) : out_(out) {}

  void rows(const Type& t, const std::string& prefix) {
    const auto path = [&](std::string_view key) {
      return prefix.empty() ? std::string(key) : fmt::format("{}.{}", prefix, key);
    };
    if (!t.schema.empty())
      row(path("schema"), fmt::format("`\"{}\"`", t.schema), "name and version of this document");
    if (t.form == Form::kOneOf)
      row(path("kind"), choices(allowed_texts(t, nullptr)), "which of them");
    for (const Field* f : fields_of(t)) {
      row(path(f->name), type_of(*f), f->text);
      inner(*f->type, path(f->name));
    }
  }

 private:
  void inner(const Type& t, const std::string& path) {
    if (t.form == Form::kOptional) return inner(*t.item, path);
    if (t.form == Form::kList) return inner(*t.item, path + "[]");
    if (t.form == Form::kMap) return inner(*t.item, path + ".NAME");
    if (!t.positional && t.schema.empty()) rows(t, path);
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
