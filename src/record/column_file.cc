// SPDX-License-Identifier: Apache-2.0
#include "record/column_file.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "record/column_buffer.h"
#include "record/json_write.h"
#include "record/scalar.h"

namespace ridge::record {
namespace {

static_assert(std::endian::native == std::endian::little, "buffers are written as they are");

constexpr std::string_view kMagic = "RIDGECOL";
constexpr std::string_view kSchema = "ridge.columns/1";
/// Buffers start at multiples of this, so that vector loads from a mapped file are aligned.
constexpr std::size_t kAlignment = 64;

constexpr const Type& kText = kType<std::string_view>;

bool is_absent(const Field& f, const void* owner, const Type& owner_type) {
  return !f.plain && (left_out(f, owner, owner_type) || is_null(f, owner));
}

/// The rows of one list, in columns.
class TableWriter {
 public:
  explicit TableWriter(const Type& row) : row_(row) {
    if (row.form == Form::kRecord) add_columns(row, "");
  }

  void add(const void* row) {
    at_ = 0;
    if (row_.form == Form::kRecord)
      record(row_, row);
    else
      keyed(row);
    ++rows_;
  }

  std::size_t rows() const { return rows_; }
  /// After the last row.
  const std::vector<ColumnBuffer>& finish() {
    for (ColumnBuffer& c : columns_) c.finish();
    return columns_;
  }

 private:
  void add_columns(const Type& t, const std::string& prefix) {
    if (!t.schema.empty()) columns_.emplace_back(prefix + "schema", kText, nullptr, arena_);
    for (const Field& f : t.fields()) {
      if (f.inlined) {
        add_columns(*f.type, prefix);
        continue;
      }
      if (!f.in_documents()) continue;
      const Type& inner = present(*f.type);
      std::string name = prefix + std::string(f.name);
      if (inner.form == Form::kRecord)
        add_columns(inner, name + '_');
      else
        columns_.emplace_back(std::move(name), inner, f.untagged ? &f : nullptr, arena_);
    }
  }

  void record(const Type& t, const void* v) {
    if (!t.schema.empty()) columns_[at_++].add(&t.schema, texts_);
    for (const Field& f : t.fields()) {
      if (f.inlined)
        record(*f.type, f.member(const_cast<void*>(v)));
      else if (f.plain)
        member(*f.type, f.member(const_cast<void*>(v)));
      else if (f.in_documents())
        conditional(f, v, t);
    }
  }

  /// Apart from record(), which stays small.
  void conditional(const Field& f, const void* owner, const Type& owner_type) {
    if (is_absent(f, owner, owner_type))
      nulls(*f.type);
    else
      f.read(owner, [&](const void* value) { member(*f.type, value); });
  }

  void member(const Type& t, const void* v) {
    if (t.form == Form::kOptional)
      t.count(v) == 0 ? nulls(*t.item) : member(*t.item, t.at_const(v, 0));
    else if (t.form == Form::kRecord)
      record(t, v);
    else
      columns_[at_++].add(v, texts_);
  }

  void nulls(const Type& type) {
    const Type& t = present(type);
    if (t.form != Form::kRecord) return columns_[at_++].null();
    if (!t.schema.empty()) columns_[at_++].null();
    for (const Field& f : t.fields())
      if (f.inlined || f.in_documents()) nulls(*f.type);
  }

  void keyed(const void* map) {
    row_.keys(map, [&](std::string_view key, const void* value) {
      const std::size_t column = column_of(key);
      if (columns_[column].rows() > rows_) return;  // a name that occurs twice
      at_ = column;
      member(*row_.item, value);
    });
    for (ColumnBuffer& c : columns_)
      if (c.rows() == rows_) c.null();
  }

  std::size_t column_of(std::string_view key) {
    const auto found = std::ranges::find(columns_, key, &ColumnBuffer::name);
    const auto at = static_cast<std::size_t>(found - columns_.begin());
    if (found != columns_.end()) return at;
    ColumnBuffer& added =
        columns_.emplace_back(std::string(key), present(*row_.item), nullptr, arena_);
    for (std::size_t row = 0; row < rows_; ++row) added.null();
    return at;
  }

  const Type& row_;
  Arena arena_;
  std::vector<ColumnBuffer> columns_;
  JsonTexts texts_;
  std::size_t rows_ = 0, at_ = 0;
};

/// Whether the items of a list are rows of a table.
bool makes_table(const Type& t) {
  if (t.form != Form::kList) return false;
  const Type& row = *t.item;
  if (row.form == Form::kRecord) return true;
  if (row.form != Form::kMap) return false;
  const Type& cell = present(*row.item);
  return is_scalar(cell) || cell.form == Form::kEither;
}

/// The file as far as it is written: its buffers, then the footer that says where they are.
class ColumnFile {
 public:
  explicit ColumnFile(Sink& sink) : sink_(sink), footer_(described_) { put(kMagic); }

  void write(const Type& type, const void* document) {
    std::vector<const Field*> lists;
    StringSink tables;
    JsonWriter json(tables);
    json.begin_object();
    each_table(type, document, [&](const Field& f, const Type& list, const void* rows) {
      lists.push_back(&f);
      json.line().key(f.name);
      write_table(list, rows, json);
    });
    json.end_object();
    footer_.begin_object().key("schema").value(kSchema).line().key("document");
    write_json_without(footer_, type, document, lists);
    footer_.line().key("tables").raw(tables.text()).end_object();
    end();
  }

 private:
  /// use(const Field&, const Type& list, const void* rows)
  template <typename Use>
  void each_table(const Type& t, const void* record, Use use) {
    for (const Field& f : t.fields()) {
      if (f.inlined) {
        each_table(*f.type, f.member(const_cast<void*>(record)), use);
        continue;
      }
      const Type& list = present(*f.type);
      if (!makes_table(list) || !f.in_documents() || is_absent(f, record, t)) continue;
      f.read(record, [&](const void* value) {
        if (f.type->form != Form::kOptional)
          use(f, list, value);
        else if (f.type->count(value) > 0)
          use(f, list, f.type->at_const(value, 0));
      });
    }
  }

  void write_table(const Type& list, const void* rows, JsonWriter& json) {
    TableWriter table(*list.item);
    if (list.each_streamed != nullptr)
      list.stream(rows, [&](const void* row) { table.add(row); });
    else
      list.items(rows, [&](const void* row) { table.add(row); });
    json.begin_object().key("rows").value(static_cast<std::int64_t>(table.rows()));
    json.key("columns").begin_array();
    for (const ColumnBuffer& column : table.finish()) write_column(column, json.line());
    json.end_array().end_object();
  }

  void write_column(const ColumnBuffer& column, JsonWriter& json) {
    json.begin_object().key("name").value(column.name()).key("type").value(column.type_name());
    if (!column.words().empty()) {
      json.key("words").begin_array();
      for (const Word& w : column.words()) json.value(w.text);
      json.end_array();
    }
    if (const std::string& valid = column.valid(); !valid.empty()) {
      begin_buffer("valid", valid.size(), json);
      put(valid);
    }
    if (column.has_texts()) write_buffer("offsets", column.offsets(), json);
    write_buffer("data", column.data(), json);
    json.end_object();
  }

  void write_buffer(std::string_view name, const ByteParts& bytes, JsonWriter& json) {
    begin_buffer(name, bytes.size(), json);
    bytes.each([&](std::string_view part) { put(part); });
  }

  void begin_buffer(std::string_view name, std::size_t size, JsonWriter& json) {
    align();
    json.key(name).begin_array().value(static_cast<std::int64_t>(at_));
    json.value(static_cast<std::int64_t>(size)).end_array();
  }

  void end() {
    align();
    const std::uint64_t size = described_.text().size();
    put(described_.text());
    put({reinterpret_cast<const char*>(&size), sizeof size});
    put(kMagic);
  }

  void align() { put(std::string((kAlignment - at_ % kAlignment) % kAlignment, '\0')); }

  void put(std::string_view bytes) {
    sink_.write(bytes);
    at_ += bytes.size();
  }

  Sink& sink_;
  std::size_t at_ = 0;
  StringSink described_;
  JsonWriter footer_;
};

}  // namespace

void write_columns(const Type& type, const void* document, Sink& sink) {
  ColumnFile(sink).write(type, document);
}

}  // namespace ridge::record
