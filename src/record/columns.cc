// SPDX-License-Identifier: Apache-2.0
#include "record/columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "record/json_read.h"
#include "record/json_write.h"
#include "record/scalar.h"

namespace ridge::record {
namespace {

bool has_column(const Field& f) { return !f.computed() && !f.command_line_only && !f.no_column; }

/// A list, map, variant or Json: one column of JSON text.
bool is_document(const Type& t) { return !is_scalar(t) && t.form != Form::kRecord; }

Column::Kind kind_of(const Type& t) {
  if (t.form == Form::kTruth || t.form == Form::kInteger) return Column::Kind::kInteger;
  return t.form == Form::kReal ? Column::Kind::kReal : Column::Kind::kText;
}

/// The name of a field's column, or the prefix of its columns. `naming`: the record that it is in.
std::string column_of(const Type& naming, const std::string& prefix, const Field& f) {
  const std::string_view part = f.has_column_name ? f.column : f.name;
  if (prefix.empty() || part.empty()) return prefix + std::string(part);
  if (naming.column_name != nullptr) return naming.column_name(prefix, part);
  return prefix + '_' + std::string(part);
}

void collect_columns(const Type& t, const Type& naming, const std::string& prefix, bool null,
                     std::vector<Column>& out) {
  for (const Field& f : t.fields()) {
    if (!has_column(f)) continue;
    const Type& inner = present(*f.type);
    const bool may_be_null = null || f.nullable() || f.stands != nullptr;
    if (f.inlined) {
      collect_columns(inner, naming, prefix, null, out);
      continue;
    }
    std::string name = column_of(naming, prefix, f);
    if (inner.form == Form::kRecord)
      collect_columns(inner, inner.group ? naming : inner, name, may_be_null, out);
    else
      out.push_back({std::move(name), kind_of(inner), may_be_null || inner.form == Form::kJson,
                     inner.form == Form::kTruth, &inner, &f});
  }
}

std::size_t width(const Type& t) {
  std::size_t n = 0;
  for (const Field& f : t.fields())
    if (has_column(f)) n += present(*f.type).form == Form::kRecord ? width(present(*f.type)) : 1;
  return n;
}

class RowWriter {
 public:
  explicit RowWriter(RowSink& sink) : sink_(sink) {}

  void record(const Type& t, const void* v) {
    for (const Field& f : t.fields()) {
      if (!has_column(f)) continue;
      if (is_null(f, v))
        nulls(present(*f.type));
      else
        f.read(v, [&](const void* value) { member(*f.type, value); });
    }
  }

 private:
  void nulls(const Type& t) {
    for (std::size_t n = t.form == Form::kRecord ? width(t) : 1; n > 0; --n) sink_.null();
  }

  void member(const Type& t, const void* v) {
    switch (t.form) {
      case Form::kOptional:
        return t.count(v) == 0 ? nulls(*t.item) : member(*t.item, t.at_const(v, 0));
      case Form::kRecord:
        return record(t, v);
      case Form::kTruth:
        return sink_.integer(*static_cast<const bool*>(v) ? 1 : 0);
      case Form::kInteger:
        return beyond_signed(t, v) ? sink_.large(static_cast<std::uint64_t>(integer_at(t, v)))
                                   : sink_.integer(integer_at(t, v));
      case Form::kReal:
        return std::isfinite(real_at(t, v)) ? sink_.real(real_at(t, v)) : sink_.null();
      case Form::kText:
        return sink_.text(text_at(t, v));
      case Form::kWord:
        return sink_.text(word_at(t, v));
      default:
        if (is_zero(t, v) && t.form == Form::kJson) return sink_.null();
        return sink_.text(json_text(t, v));
    }
  }

  RowSink& sink_;
};

class RowReader {
 public:
  RowReader(const Type& type, const RowSource& row, int first)
      : type_(type), row_(row), first_(first), at_(first) {}

  Result<void> read(void* out) {
    record(type_, out);
    if (failure_) return std::move(*failure_);
    return {};
  }

 private:
  bool record(const Type& t, void* out) {
    for (const Field& f : t.fields()) {
      if (!has_column(f)) continue;
      if (f.member != nullptr)
        member(f, f.member(out));
      else if (!through_setter(f, out))
        return false;
      if (failure_) return false;
    }
    return t.check == nullptr || taken(t.check(out));
  }

  bool through_setter(const Field& f, void* out) {
    Result<void> set = f.write(out, [&](void* value) { return member(f, value); });
    return !failure_ && taken(std::move(set));
  }

  bool taken(Result<void> done) {
    if (done.ok()) return true;
    failure_ = std::move(done).error();
    return false;
  }

  /// False if there is nothing that the member was given.
  bool member(const Field& f, void* out) {
    const Type& t = present(*f.type);
    const bool optional = f.type->form == Form::kOptional;
    if (optional || f.applies != nullptr || f.stands != nullptr) {
      const int columns = t.form == Form::kRecord ? static_cast<int>(width(t)) : 1;
      if (nulls(columns)) {
        at_ += columns;
        if (optional) f.type->resize(out, 0);
        return optional;
      }
    }
    if (optional) {
      if (f.type->count(out) == 0) f.type->resize(out, 1);
      out = f.type->at(out, 0);
    }
    if (t.form == Form::kRecord) return record(t, out);
    const int column = at_++;
    if ((f.zero_is_null || t.form == Form::kJson) && row_.null(column))
      return make_zero(t, out), true;
    return value(t, column, out) || refused(t, column);
  }

  bool nulls(int columns) const {
    for (int i = 0; i < columns; ++i)
      if (!row_.null(at_ + i)) return false;
    return true;
  }

  bool value(const Type& t, int column, void* out) const {
    switch (t.form) {
      case Form::kReal: {
        const auto real = row_.real(column);
        if (real) return put(t, *real, out);
        return row_.null(column) && (put_nan(t, out), true);
      }
      case Form::kTruth: {
        const auto number = row_.integer(column);
        if (!number || *number < 0 || *number > 1) return false;
        return *static_cast<bool*>(out) = *number == 1, true;
      }
      case Form::kInteger: {
        const auto number = row_.integer(column);
        if (!number) return false;
        if (t.size == 8 && !t.is_signed) return put(t, static_cast<std::uint64_t>(*number), out);
        return put(t, *number, out);
      }
      default: {
        const auto text = row_.text(column);
        if (!text) return false;
        return is_document(t) ? read_json(*text, t, out, {}).ok() : put(t, *text, out);
      }
    }
  }

  bool refused(const Type& t, int column) {
    const std::vector<Column> all = columns(type_);
    failure_ = input_error(
        "RIDGE-REC-0008",
        fmt::format("column {}: {} expected", all[static_cast<std::size_t>(column - first_)].name,
                    is_document(t) ? "JSON text of its type" : expected(t, nullptr)));
    return false;
  }

  const Type& type_;
  const RowSource& row_;
  int first_, at_;
  std::optional<Error> failure_;
};

std::string_view sql_type(const Column& c) {
  if (c.kind == Column::Kind::kInteger) return "INTEGER";
  return c.kind == Column::Kind::kReal ? "REAL" : "TEXT";
}

std::string sql_column(const Column& c, const Table& table) {
  std::string out = fmt::format("{} {}", c.name, sql_type(c));
  if (!c.null) out += " NOT NULL";
  if (!table.checks) return out;
  std::vector<std::string> words;
  for (const Word& w : c.type->words) words.push_back(fmt::format("'{}'", w.text));
  if (c.truth) out += fmt::format(" CHECK({} IN (0, 1))", c.name);
  if (!words.empty()) out += fmt::format(" CHECK({} IN ({}))", c.name, fmt::join(words, ", "));
  return out;
}

/// Columns and constraints of a table, as CREATE TABLE lists them.
std::string definitions(const Table& table) {
  std::vector<std::string> parts;
  if (!table.before.empty()) parts.emplace_back(table.before);
  for (const Column& c : columns(table.type)) parts.push_back(sql_column(c, table));
  if (!table.after.empty()) parts.emplace_back(table.after);
  return fmt::format("{}", fmt::join(parts, ",\n  "));
}

}  // namespace

std::vector<Column> columns(const Type& type) {
  std::vector<Column> out;
  collect_columns(type, type, "", false, out);
  return out;
}

void write_row(const Type& type, const void* record, RowSink& sink) {
  RowWriter(sink).record(type, record);
}

Result<void> read_row(const Type& type, const RowSource& row, int first, void* record) {
  return RowReader(type, row, first).read(record);
}

std::string sql_create(const Table& table) {
  return fmt::format("CREATE TABLE {}(\n  {})", table.table, definitions(table));
}

std::string sql_columns(const Type& type) {
  return definitions({.table = {}, .type = type, .before = {}, .after = {}, .checks = false});
}

std::vector<std::string> sql_add(const Table& table, int revision) {
  std::vector<std::string> out;
  for (Column& c : columns(table.type)) {
    if (c.field->since != revision) continue;
    c.null = true;  // in rows that are there already
    out.push_back(fmt::format("ALTER TABLE {} ADD COLUMN {}", table.table, sql_column(c, table)));
  }
  return out;
}

std::string column_names(const Type& type) {
  std::vector<std::string> names;
  for (const Column& c : columns(type)) names.push_back(c.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace ridge::record
