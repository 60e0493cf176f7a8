// SPDX-License-Identifier: Apache-2.0
#include "record/toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json_writer.h"
#include "base/number.h"
#include "base/sink.h"
#include "base/toml_quote.h"
#include "record/json_read.h"
#include "record/json_write.h"
#include "record/scalar.h"

namespace ridge::record {
namespace {

/// Columns of a line of a list; base/toml.h reads lines of 500 bytes.
constexpr std::size_t kWide = 80;

/// Writes a file as JSON, with the place of each node that JsonTree will have.
Result<void> convert(const Toml& value, JsonWriter& json, std::vector<Place>& places) {
  places.push_back(value.place);
  switch (value.kind) {
    case Toml::Kind::kTable:
      json.begin_object();
      for (const TomlMember& m : value.members) {
        places.push_back(m.place);
        json.name(m.key);
        TRY(convert(m.value, json, places));
      }
      json.end_object();
      return {};
    case Toml::Kind::kArray:
      json.begin_array();
      for (const Toml& item : value.items) TRY(convert(item, json, places));
      json.end_array();
      return {};
    case Toml::Kind::kNumber:
      if (std::nearbyint(value.number) == value.number && std::fabs(value.number) <= kMaxExact &&
          !(value.number == 0 && std::signbit(value.number)))
        json.value(static_cast<std::int64_t>(value.number));
      else
        json.value(value.number);
      return {};
    case Toml::Kind::kText:
      json.value(value.text);
      return {};
    case Toml::Kind::kTruth:
      json.value(value.truth);
      return {};
    case Toml::Kind::kTime:
      break;
  }
  return input_error("RIDGE-REC-0007", "a date or time is no value of any key")
      .in(value.place.text());
}

bool is_table(const Type& t) {
  return t.form == Form::kMap || t.form == Form::kOneOf ||
         (t.form == Form::kRecord && !t.positional);
}

class TomlWriter {
 public:
  explicit TomlWriter(Comments comments) : comments_(comments) {}

  /// A table's own values, then the tables in it.
  void table(const Type& t, const void* v, const std::string& path) {
    if (t.form == Form::kOneOf) {
      const Type& chosen = *t.alternatives[t.count(v)];
      line("kind", toml_quoted(chosen.name), nullptr, chosen);
      return table(chosen, t.at_const(v, 0), path);
    }
    const auto own = [&](std::string_view key, const Type& type, const void* value,
                         const Field* f) {
      if (!is_table(type) && !is_list_of_tables(type, value))
        line(toml_key(key), inline_text(type, value), f, type);
    };
    members(t, v, own, [&](const Field& f, const void* value) {
      if (comments_ == Comments::kMeaning && !is_table(present(*f.type)))
        line("# " + toml_key(f.name), value == nullptr ? "" : inline_text(*f.type, value), &f,
             present(*f.type));
    });
    const auto tables = [&](std::string_view key, const Type& type, const void* value,
                            const Field*) {
      const std::string below = path.empty() ? toml_key(key) : path + '.' + toml_key(key);
      if (is_table(type)) {
        out_ += fmt::format("\n[{}]\n", below);
        table(type, value, below);
      } else if (is_list_of_tables(type, value)) {
        for (std::size_t i = 0; i < type.count(value); ++i) {
          out_ += fmt::format("\n[[{}]]\n", below);
          table(*type.item, type.at_const(value, i), below);
        }
      }
    };
    members(t, v, tables, [](const Field&, const void*) {});
  }

  std::string take() { return std::move(out_); }

 private:
  static bool is_list_of_tables(const Type& t, const void* v) {
    return t.form == Form::kList && is_table(*t.item) && t.count(v) > 0;
  }

  /// visit(key, type, value, field) for each member that is written, absent(field, value) for
  /// one that is null, with its zero if it has one.
  template <typename Visit, typename Absent>
  static void members(const Type& t, const void* v, Visit visit, Absent absent) {
    const auto given = [&](std::string_view key, const Type& type, const void* value,
                           const Field* f) {
      if (type.form != Form::kOptional)
        visit(key, type, value, f);
      else if (type.count(value) > 0)
        visit(key, *type.item, type.at_const(value, 0), f);
      else if (f != nullptr)
        absent(*f, nullptr);
    };
    if (t.form == Form::kMap)
      return t.keys(
          v, [&](std::string_view key, const void* item) { given(key, *t.item, item, nullptr); });
    if (!t.schema.empty()) {
      const std::string schema(t.schema);
      visit("schema", kType<std::string>, &schema, nullptr);
    }
    record_members(t, v, given, absent);
  }

  template <typename Given, typename Absent>
  static void record_members(const Type& t, const void* v, const Given& given,
                             const Absent& absent) {
    for (const Field& f : t.fields()) {
      if (f.inlined)
        record_members(*f.type, f.member(const_cast<void*>(v)), given, absent);
      else if (!f.computed() && !left_out(f, v, t) && is_null(f, v))
        f.read(v, [&](const void* value) {
          absent(f, f.type->form == Form::kOptional ? nullptr : value);
        });
      else if (!f.computed() && !left_out(f, v, t))
        f.read(v, [&](const void* value) { given(f.name, *f.type, value, &f); });
    }
  }

  static std::string inline_text(const Type& t, const void* v) {
    switch (t.form) {
      case Form::kText:
        return toml_quoted(text_at(t, v));
      case Form::kJson:
        return toml_quoted(static_cast<const Json*>(v)->text);
      case Form::kWord:
        return toml_quoted(word_at(t, v));
      case Form::kInteger: {
        const std::string digits = scalar_text(t, v);
        const bool exact = std::fabs(static_cast<double>(integer_at(t, v))) <= kMaxExact;
        return exact && !beyond_signed(t, v) ? digits : '"' + digits + '"';
      }
      case Form::kReal: {
        const std::string digits = scalar_text(t, v);
        const bool point = digits.find_first_of(".en") != std::string::npos;
        return point ? digits : digits + ".0";
      }
      case Form::kOptional:
        return t.count(v) == 0 ? "nan" : inline_text(*t.item, t.at_const(v, 0));
      case Form::kEither:
        return inline_text(*t.alternatives[t.count(v)], t.at_const(v, 0));
      case Form::kList:
      case Form::kRecord:
        return list_text(t, v);
      default:
        return scalar_text(t, v);
    }
  }

  static std::string list_text(const Type& t, const void* v) {
    std::vector<std::string> items;
    if (t.form == Form::kList)
      for (std::size_t i = 0; i < t.count(v); ++i)
        items.push_back(inline_text(*t.item, t.at_const(v, i)));
    else
      for (const Field& f : t.fields())
        f.read(v, [&](const void* value) { items.push_back(inline_text(*f.type, value)); });
    std::string out = "[";
    std::size_t width = 0;
    for (const std::string& item : items) {
      if (width > 0) out += ", ";
      if (width + item.size() > kWide) out += '\n', width = 0;
      out += item;
      width += item.size() + 2;
    }
    return out + "]";
  }

  /// `key`: as in the file.
  void line(const std::string& key, const std::string& value, const Field* f, const Type& t) {
    std::string text = fmt::format("{} = {}", key, value);
    if (comments_ == Comments::kMeaning && f != nullptr) {
      text = fmt::format("{:<28}  # {}", text, f->text);
      if (t.form != Form::kText) text += "; " + expected(t, f);
    }
    out_ += text + '\n';
  }

  Comments comments_;
  std::string out_;
};

}  // namespace

Result<TomlAsJson> toml_as_json(std::string_view text) {
  const Toml file = TRY(ridge::read_toml(text));
  StringSink sink;
  JsonWriter json(sink);
  TomlAsJson out;
  TRY(convert(file, json, out.places));
  out.json = sink.text();
  return out;
}

Result<void> read_toml(std::string_view text, const Type& type, void* out) {
  const TomlAsJson file = TRY(toml_as_json(text));
  const JsonTree tree = TRY(JsonTree::parse(file.json, {}));
  return read_tree(tree, type, out, Reading::Of::kPeople, file.places);
}

std::string toml_text(const Type& type, const void* value, Comments comments) {
  TomlWriter writer(comments);
  writer.table(type, value, "");
  return writer.take();
}

}  // namespace ridge::record
