// SPDX-License-Identifier: Apache-2.0
#include "record/json_write.h"

#include <algorithm>

#include "base/sink.h"
#include "record/binary.h"
#include "record/scalar.h"

namespace ridge::record {
namespace {

class ValueWriter {
 public:
  explicit ValueWriter(JsonWriter& json, std::span<const Field* const> left_out = {})
      : json_(json), left_out_(left_out) {}

  void value(const Type& t, const void* v, const Field* field = nullptr) {
    switch (t.form) {
      case Form::kTruth:
        json_.value(*static_cast<const bool*>(v));
        return;
      case Form::kInteger:
        if (beyond_signed(t, v))
          json_.raw(scalar_text(t, v));
        else
          json_.value(integer_at(t, v));
        return;
      case Form::kReal:
        json_.value(real_at(t, v));
        return;
      case Form::kText:
        json_.value(text_at(t, v));
        return;
      case Form::kWord:
        json_.value(word_at(t, v));
        return;
      default:
        composite(t, v, field);
    }
  }

 private:
  /// Apart from value(), which stays small.
  void composite(const Type& t, const void* v, const Field* field) {
    switch (t.form) {
      case Form::kJson:
        raw(static_cast<const Json*>(v)->text);
        return;
      case Form::kOptional:
        if (t.count(v) == 0)
          json_.null();
        else
          value(*t.item, t.at_const(v, 0), field);
        return;
      case Form::kList:
        list(t, v, field);
        return;
      case Form::kMap:
        map(t, v, field);
        return;
      case Form::kRecord:
        record(t, v, {});
        return;
      case Form::kOneOf:
        alternative(*t.alternatives[t.count(v)], t.at_const(v, 0), field);
        return;
      case Form::kEither:
        value(*t.alternatives[t.count(v)], t.at_const(v, 0));
        return;
      default:
        return;
    }
  }

  void alternative(const Type& t, const void* v, const Field* field) {
    record(t, v, field != nullptr && field->untagged ? std::string_view() : t.name);
  }

  void raw(const std::string& text) {
    if (text.empty())
      json_.null();
    else
      json_.raw(text);
  }

  void map(const Type& t, const void* v, const Field* field) {
    const bool lines = field != nullptr && field->item_lines && t.count(v) > 0;
    json_.begin_object();
    t.keys(v, [&](std::string_view key, const void* item) {
      if (lines) json_.line();
      json_.name(key);
      value(*t.item, item, lines ? nullptr : field);
    });
    if (lines) json_.line();
    json_.end_object();
  }

  void stream(const Type& t, const void* v, bool lines) {
    bool any = false;
    json_.begin_array();
    t.stream(v, [&](const void* item) {
      any = true;
      if (lines) json_.line();
      value(*t.item, item);
    });
    if (lines && any) json_.line();
    json_.end_array();
  }

  void list(const Type& t, const void* v, const Field* field) {
    if (t.each_streamed != nullptr) return stream(t, v, field != nullptr && field->item_lines);
    json_.begin_array();
    const bool lines = field != nullptr && field->item_lines && t.count(v) > 0;
    t.items(v, [&](const void* item) {
      if (lines) json_.line();
      value(*t.item, item);
    });
    if (lines) json_.line();
    json_.end_array();
  }

  void record(const Type& t, const void* v, std::string_view kind) {
    if (t.write != nullptr) return t.write(json_, v);
    if (t.positional) {
      json_.begin_array();
      for (const Field& f : t.fields()) member(f, v);
      json_.end_array();
      return;
    }
    json_.begin_object();
    if (!t.schema.empty()) json_.key("schema").value(t.schema);
    if (!kind.empty()) json_.key("kind").value(kind);
    group(t, v);
    json_.end_object();
  }

  void group(const Type& t, const void* v) {
    for (const Field& f : t.fields()) {
      if (!left_out_.empty() && std::ranges::find(left_out_, &f) != left_out_.end()) continue;
      if (f.plain) {
        if (f.stands != nullptr && !f.stands(v)) continue;
        if (f.on_line) json_.line();
        json_.key(f.name);
        value(*f.type, f.member(const_cast<void*>(v)), &f);
        continue;
      }
      if (f.inlined) {
        group(*f.type, f.member(const_cast<void*>(v)));
        continue;
      }
      if (left_out(f, v, t)) continue;
      if (f.on_line) json_.line();
      json_.key(f.name);
      member(f, v);
    }
  }

  void member(const Field& f, const void* owner) {
    if (is_null(f, owner))
      json_.null();
    else
      f.read(owner, [&](const void* member) { value(*f.type, member, &f); });
  }

  JsonWriter& json_;
  std::span<const Field* const> left_out_;
};

}  // namespace

void write_json(JsonWriter& json, const Type& type, const void* value, const Field* field) {
  ValueWriter(json).value(type, value, field);
}

void write_json_without(JsonWriter& json, const Type& type, const void* record,
                        std::span<const Field* const> left_out) {
  ValueWriter(json, left_out).value(type, record);
}

std::string json_text(const Type& type, const void* value) {
  StringSink sink;
  JsonWriter json(sink);
  write_json(json, type, value);
  return sink.text();
}

bool is_null(const Field& f, const void* owner) {
  if (f.applies != nullptr && !f.applies(owner)) return true;
  if (f.stands != nullptr && !f.stands(owner)) return true;
  bool zero = false;
  if (f.zero_is_null || f.type->form == Form::kJson)
    f.read(owner, [&](const void* value) { zero = is_zero(*f.type, value); });
  return zero;
}

bool left_out(const Field& f, const void* owner, const Type& owner_type) {
  if (!f.in_documents() || (f.stands != nullptr && !f.stands(owner))) return true;
  if (f.omit_empty) {
    bool empty = false;
    f.read(owner, [&](const void* value) { empty = is_zero(*f.type, value); });
    return empty;
  }
  if (!f.omitted) return false;
  struct Compared {
    const Field& field;
    const void* owner;
    bool equal;
  } compared{f, owner, false};
  owner_type.with_new(&compared, [](void* context, void* fresh) {
    auto& c = *static_cast<Compared*>(context);
    c.field.read(c.owner, [&](const void* value) {
      c.field.read(fresh, [&](const void* other) { c.equal = same(*c.field.type, value, other); });
    });
  });
  return compared.equal;
}

bool same(const Type& type, const void* a, const void* b) {
  std::string one, other;
  put_binary(type, a, one);
  put_binary(type, b, other);
  return one == other;
}

}  // namespace ridge::record
