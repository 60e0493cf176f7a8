// Writer and reader of the rows of one table, by the column lists of columns.h.
//
//   RowWriter<profile::Roof> roofs =
//       TRY(RowWriter<profile::Roof>::make(db, "roof", {"run", "position"}));
//   TRY(roofs.add({run, 0}, roof));
//
//   RowReader<profile::Roof> rows = TRY(RowReader<profile::Roof>::make(db, "roof", {"position"},
//                                                                     "run", run));
//   while (TRY(rows.next())) use(rows.key(0), rows.row());
//
// A value that its member cannot represent (another type, a number out of range, the name of no
// enumerator) is the error of a damaged store that names table and column. Thread rule: as for
// Database.
#pragma once

#include <array>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "store/columns.h"
#include "store/database.h"

namespace ridge::store {

/// Finds the enumerator whose name() is `word`: tries the values from 0 up to the first without a
/// name.
template <typename E>
  requires std::is_enum_v<E>
bool enumerator(std::string_view word, E& out) {
  for (std::uint8_t i = 0;; ++i) {
    const std::string_view known = name(static_cast<E>(i));
    if (known.empty() || known == "?") return false;
    if (known == word) return out = static_cast<E>(i), true;
  }
}

// Conversion between each type of member and its column: put() binds a parameter, take() reads a
// column and returns false where the value does not fit.

inline void put(Statement& s, int at, const std::string& v) { s.bind(at, std::string_view(v)); }
inline void put(Statement& s, int at, double v) { s.bind(at, v); }
template <std::integral T>
void put(Statement& s, int at, T v) {
  s.bind(at, static_cast<std::int64_t>(v));
}
template <typename E>
  requires std::is_enum_v<E>
void put(Statement& s, int at, E v) {
  s.bind(at, name(v));
}
template <typename T>
void put(Statement& s, int at, const std::optional<T>& v) {
  if (v)
    put(s, at, *v);
  else
    s.bind_null(at);
}

inline bool take(const Statement& s, int at, std::string& out) {
  out = s.text(at);
  return s.is_text(at);
}
/// NULL stands for NaN, which SQL lacks.
inline bool take(const Statement& s, int at, double& out) {
  out = s.real(at).value_or(std::numeric_limits<double>::quiet_NaN());
  return s.real(at).has_value() || s.is_null(at);
}
template <std::integral T>
bool take(const Statement& s, int at, T& out) {
  const auto n = s.integer(at);
  if (!n || !std::in_range<std::conditional_t<std::same_as<T, bool>, std::uint8_t, T>>(*n))
    return false;
  out = static_cast<T>(*n);
  return true;
}
template <typename E>
  requires std::is_enum_v<E>
bool take(const Statement& s, int at, E& out) {
  return enumerator(s.text(at), out);
}
template <typename T>
bool take(const Statement& s, int at, std::optional<T>& out) {
  if (s.is_null(at)) return out.reset(), true;
  return take(s, at, out.emplace());
}

template <typename Row>
class RowWriter {
 public:
  static Result<RowWriter> make(const Database& db, std::string_view table,
                                std::initializer_list<std::string_view> keys) {
    std::string names, places;
    const auto name = [&](std::string_view column) {
      names += (names.empty() ? "\"" : ", \"") + std::string(column) + "\"";
      places += places.empty() ? "?" : ", ?";
    };
    for (const std::string_view key : keys) name(key);
    const Row row{};
    columns(row, [&](std::string_view column, const auto&) { name(column); });
    return RowWriter(TRY(db.prepare("INSERT INTO \"" + std::string(table) + "\"(" + names +
                                    ") VALUES (" + places + ")")));
  }

  Result<void> add(std::initializer_list<std::int64_t> keys, const Row& row) {
    int at = 0;
    for (const std::int64_t key : keys) statement_.bind(++at, key);
    columns(row, [&](std::string_view, const auto& member) { put(statement_, ++at, member); });
    return statement_.run();
  }

 private:
  explicit RowWriter(Statement statement) : statement_(std::move(statement)) {}
  Statement statement_;
};

template <typename Row>
class RowReader {
 public:
  /// Reads the rows whose `owner` column is `id`, in the order of their keys.
  static Result<RowReader> make(const Database& db, std::string_view table,
                                std::initializer_list<std::string_view> keys,
                                std::string_view owner, std::int64_t id) {
    RowReader reader = TRY(where(db, table, keys, "\"" + std::string(owner) + "\" = ?"));
    reader.statement_.bind(1, id);
    return reader;
  }

  /// Reads the rows that meet an SQL condition, whose only parameter is `text`, in the order of
  /// their keys. The text must stay valid until the last row.
  static Result<RowReader> make_where(const Database& db, std::string_view table,
                                      std::initializer_list<std::string_view> keys,
                                      std::string_view condition, std::string_view text) {
    RowReader reader = TRY(where(db, table, keys, condition));
    reader.statement_.bind(1, text);
    return reader;
  }

  /// Reads all rows of the table, in the order of their keys.
  static Result<RowReader> make_all(const Database& db, std::string_view table,
                                    std::initializer_list<std::string_view> keys) {
    return where(db, table, keys, "TRUE");
  }

  /// Advances to the next row, which key() and row() then return; false after the last one.
  Result<bool> next() {
    if (!TRY(statement_.step())) return false;
    std::string wrong;
    for (int i = 0; i < keys_; ++i)
      if (!take(statement_, i, key_[static_cast<std::size_t>(i)])) wrong = "its key";
    int at = keys_;
    columns(row_, [&](std::string_view column, auto& member) {
      if (!take(statement_, at++, member)) wrong = column;
    });
    if (!wrong.empty())
      return database_->damaged("table " + table_ + " has an invalid value in " + wrong);
    return true;
  }

  std::int64_t key(std::size_t i) const { return key_[i]; }
  Row& row() { return row_; }

 private:
  static Result<RowReader> where(const Database& db, std::string_view table,
                                 std::initializer_list<std::string_view> keys,
                                 std::string_view condition) {
    std::string names, order;
    const auto name = [&](std::string_view column) {
      names += (names.empty() ? "\"" : ", \"") + std::string(column) + "\"";
    };
    for (const std::string_view key : keys) name(key);
    order = names;
    const Row row{};
    columns(row, [&](std::string_view column, const auto&) { name(column); });
    std::string sql =
        "SELECT " + names + " FROM \"" + std::string(table) + "\" WHERE " + std::string(condition);
    if (!order.empty()) sql += " ORDER BY " + order;
    return RowReader(db, std::string(table), TRY(db.prepare(sql)), static_cast<int>(keys.size()));
  }

  RowReader(const Database& db, std::string table, Statement statement, int keys)
      : database_(&db), table_(std::move(table)), statement_(std::move(statement)), keys_(keys) {}

  const Database* database_;
  std::string table_;
  Statement statement_;
  int keys_;
  std::array<std::int64_t, 3> key_{};
  Row row_{};
};

/// True if a row of a table whose rows are recognized by their column `content` has this content.
inline Result<bool> has_content(const Database& db, std::string_view table,
                                const std::string& content) {
  Statement known =
      TRY(db.prepare("SELECT id FROM \"" + std::string(table) + "\" WHERE content = ?"));
  known.bind(1, std::string_view(content));
  return known.step();
}

/// The error of a damaged file if what was read of a row, with its other tables, has another digest
/// than what was stored. A digest that a step of the schema marked ("1:") lacks columns that came
/// later, and is not compared.
inline Result<void> check_content(const Database& db, std::string_view table, std::int64_t id,
                                  const std::string& content) {
  Statement stored =
      TRY(db.prepare("SELECT content FROM \"" + std::string(table) + "\" WHERE id = ?"));
  stored.bind(1, id);
  if (TRY(stored.step()) && (stored.text(0) == content || stored.text(0).starts_with("1:")))
    return {};
  return db.damaged(std::string(table) + " " + std::to_string(id) +
                    " is not what was stored: its digest differs");
}

/// Writes a row of such a table and returns its id.
template <typename Row>
Result<std::int64_t> write_with_content(const Database& db, std::string_view table,
                                        const std::string& content, const Row& row) {
  std::string names = "content", places = "?";
  columns(row, [&](std::string_view column, const auto&) {
    names += ", \"" + std::string(column) + "\"";
    places += ", ?";
  });
  Statement s = TRY(db.prepare("INSERT INTO \"" + std::string(table) + "\"(" + names +
                               ") VALUES (" + places + ")"));
  s.bind(1, std::string_view(content));
  int at = 1;
  columns(row, [&](std::string_view, const auto& member) { put(s, ++at, member); });
  TRY(s.run());
  return db.last_id();
}

/// All rows of a table that belong to one owner, in order of position.
template <typename Row>
Result<std::vector<Row>> read_rows(const Database& db, std::string_view table,
                                   std::string_view owner, std::int64_t id) {
  auto reader = TRY(RowReader<Row>::make(db, table, {"position"}, owner, id));
  std::vector<Row> out;
  while (TRY(reader.next())) out.push_back(std::move(reader.row()));
  return out;
}

template <typename Row>
Result<void> write_rows(const Database& db, std::string_view table, std::string_view owner,
                        std::int64_t id, const std::vector<Row>& rows) {
  auto writer = TRY(RowWriter<Row>::make(db, table, {owner, "position"}));
  std::int64_t position = 0;
  for (const Row& row : rows) TRY(writer.add({id, position++}, row));
  return {};
}

}  // namespace ridge::store
