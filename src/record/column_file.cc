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

/// Memory of a table from which on the longest of its columns of texts is streamed.
constexpr std::size_t kHeld = std::size_t{1} << 20;

/// Bytes that are written together.
constexpr std::size_t kWaiting = std::size_t{64} << 10;

constexpr const Type& kText = kType<std::string_view>;

bool is_absent(const Field& f, const void* owner, const Type& owner_type) {
  return !f.plain && (left_out(f, owner, owner_type) || is_null(f, owner));
}

/// A part of each row: one column, or several of a record that may be absent.
struct Part {
  const void* fixed = nullptr;   ///< value of every row: the schema
  std::size_t offset = 0;        ///< in the row, of the value or, with `field`, of its owner
  const Field* field = nullptr;  ///< asked whether it stands and for its value
  const Type* owner = nullptr;
  const Type* type = nullptr;
  std::size_t column = 0, columns = 1;
  std::vector<Part> parts;  ///< parts of such a record, once one was present
};

/// The rows of one list, in columns.
///
/// A member stands at the same place in each row, so it is found once, in the first row; only what
/// may be absent or is computed needs a call for each row.
class TableWriter {
 public:
  explicit TableWriter(const Type& row) : row_(row) {
    if (row.form == Form::kRecord) add_columns(row, "");
  }

  void add(const void* row) {
    if (row_.form == Form::kRecord) {
      if (rows_ == 0) add_parts(row_, row, row, parts_);
      parts(parts_, row);
    } else {
      keyed(row);
    }
    ++rows_;
  }

  std::size_t rows() const { return rows_; }
  /// Bytes of memory.
  std::size_t held() const { return arena_.bytes_used(); }
  /// The column with the longest texts of all that can be streamed; nullptr: none.
  ColumnBuffer* longest() {
    ColumnBuffer* out = nullptr;
    for (ColumnBuffer& c : columns_)
      if (c.can_stream() && (out == nullptr || c.data_size() > out->data_size())) out = &c;
    return out;
  }
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

  /// Adds the parts of a record at `at` in `row`, in the order of add_columns().
  void add_parts(const Type& t, const void* row, const void* at, std::vector<Part>& out) {
    const auto offset = [&](const void* member) {
      return static_cast<std::size_t>(static_cast<const char*>(member) -
                                      static_cast<const char*>(row));
    };
    if (!t.schema.empty()) out.push_back({.fixed = &t.schema, .type = &kText, .column = next_++});
    for (const Field& f : t.fields()) {
      if (!f.inlined && !f.in_documents()) continue;
      const bool plain = f.inlined || f.plain;
      const void* member = plain ? f.member(const_cast<void*>(at)) : at;
      if (plain && f.type->form == Form::kRecord) {
        add_parts(*f.type, row, member, out);
        continue;
      }
      const std::size_t columns = columns_of(*f.type);
      out.push_back({.offset = offset(member),
                     .field = plain ? nullptr : &f,
                     .owner = &t,
                     .type = f.type,
                     .column = next_,
                     .columns = columns});
      next_ += columns;
    }
  }

  static std::size_t columns_of(const Type& type) {
    const Type& t = present(type);
    if (t.form != Form::kRecord) return 1;
    std::size_t out = t.schema.empty() ? 0 : 1;
    for (const Field& f : t.fields())
      if (f.inlined || f.in_documents()) out += columns_of(*f.type);
    return out;
  }

  void parts(std::vector<Part>& all, const void* row) {
    for (Part& p : all) {
      const void* at = static_cast<const char*>(row) + p.offset;
      if (p.field != nullptr)
        conditional(p, at);
      else
        value(p, p.fixed != nullptr ? p.fixed : at);
    }
  }

  void conditional(Part& p, const void* owner) {
    if (is_absent(*p.field, owner, *p.owner))
      nulls(p);
    else
      p.field->read(owner, [&](const void* v) { value(p, v); });
  }

  void value(Part& p, const void* v) {
    const Type* t = p.type;
    if (t->form == Form::kOptional) {
      if (t->count(v) == 0) return nulls(p);
      v = t->at_const(v, 0);
      t = t->item;
    }
    if (t->form != Form::kRecord) return columns_[p.column].add(v, texts_);
    if (p.parts.empty()) {
      next_ = p.column;
      add_parts(*t, v, v, p.parts);
    }
    parts(p.parts, v);
  }

  void nulls(const Part& p) {
    for (std::size_t i = 0; i < p.columns; ++i) columns_[p.column + i].null();
  }

  void keyed(const void* map) {
    row_.keys(map, [&](std::string_view key, const void* value) {
      const std::size_t column = column_of(key);
      if (columns_[column].rows() > rows_) return;  // a name that occurs twice
      Part part{.type = row_.item, .column = column};
      this->value(part, value);
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
  std::vector<Part> parts_;
  JsonTexts texts_;
  std::size_t rows_ = 0;
  std::size_t next_ = 0;  ///< column of the next part that is added
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
class ColumnFile final : public Sink {
 public:
  explicit ColumnFile(Sink& sink) : sink_(sink), footer_(described_) { write(kMagic); }

  void write_document(const Type& type, const void* document) {
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
    std::size_t streamed_from = 0;
    const auto add = [&](const void* row) {
      table.add(row);
      if (streamed_from == 0 && table.held() > kHeld) streamed_from = stream_longest(table);
    };
    if (list.each_streamed != nullptr)
      list.stream(rows, add);
    else
      list.items(rows, add);
    json.begin_object().key("rows").value(static_cast<std::int64_t>(table.rows()));
    json.key("columns").begin_array();
    for (const ColumnBuffer& column : table.finish())
      write_column(column, streamed_from, json.line());
    json.end_array().end_object();
  }

  /// Returns where its texts begin.
  std::size_t stream_longest(TableWriter& table) {
    const std::size_t at = aligned();
    if (ColumnBuffer* column = table.longest()) column->stream_to(*this);
    return at;
  }

  void write_column(const ColumnBuffer& column, std::size_t streamed_from, JsonWriter& json) {
    json.begin_object().key("name").value(column.name()).key("type").value(column.type_name());
    if (!column.words().empty()) {
      json.key("words").begin_array();
      for (const Word& w : column.words()) json.value(w.text);
      json.end_array();
    }
    if (const std::string& valid = column.valid(); !valid.empty()) {
      place("valid", aligned(), valid.size(), json);
      write(valid);
    }
    if (column.has_texts()) {
      place("offsets", aligned(), (column.rows() + 1) * sizeof(std::int64_t), json);
      column.write_offsets(*this);
    }
    place("data", column.streamed() ? streamed_from : aligned(), column.data_size(), json);
    if (!column.streamed()) column.write_data(*this);
    json.end_object();
  }

  static void place(std::string_view name, std::size_t at, std::size_t size, JsonWriter& json) {
    json.key(name).begin_array().value(static_cast<std::int64_t>(at));
    json.value(static_cast<std::int64_t>(size)).end_array();
  }

  void end() {
    align();
    const std::uint64_t size = described_.text().size();
    write(described_.text());
    write({reinterpret_cast<const char*>(&size), sizeof size});
    write(kMagic);
    send();
  }

  void align() { write(std::string((kAlignment - at_ % kAlignment) % kAlignment, '\0')); }
  std::size_t aligned() {
    align();
    return at_;
  }

  /// Many parts are short.
  void write(std::string_view bytes) override {
    at_ += bytes.size();
    if (bytes.size() > kWaiting - waiting_.size()) send();
    if (bytes.size() >= kWaiting)
      sink_.write(bytes);
    else
      waiting_ += bytes;
  }

  void send() {
    sink_.write(waiting_);
    waiting_.clear();
  }

  Sink& sink_;
  std::string waiting_;
  std::size_t at_ = 0;
  StringSink described_;
  JsonWriter footer_;
};

}  // namespace

void write_columns(const Type& type, const void* document, Sink& sink) {
  ColumnFile(sink).write_document(type, document);
}

}  // namespace ridge::record
